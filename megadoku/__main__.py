"""`python -m megadoku`, and the command of that name. Signals are seen to before anything else is imported."""

import os
import signal


def _too_early(number: int, frame: object) -> None:
    os.write(2, b"megadoku: stopped before anything was begun\n")
    os._exit(128 + number)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _too_early)
    from megadoku.leaving import watch_for_signals

    watch_for_signals()
    from megadoku.command_line import main as run

    run()


if __name__ == "__main__":
    main()
