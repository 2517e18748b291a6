"""`python -m megadoku`, and the command of that name. Signals are seen to before anything else is imported."""

import os
import signal
import sys

STANDARD = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))


def _too_early(number: int, frame: object) -> None:
    os.write(2, b"megadoku: stopped before anything was begun\n")
    os._exit(128 + number)


def _fill_closed_streams() -> None:
    """Started with a standard stream closed, the next file we open would take its place, and get what is meant for it.

    What takes its place here cannot be read or written either, but for standard error, where nobody listens.
    """
    for number, (name, mode, how) in enumerate(STANDARD):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, how), True)
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def main() -> None:
    _fill_closed_streams()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _too_early)
    from megadoku.leaving import watch_for_signals

    watch_for_signals()
    from megadoku.command_line import main as run

    run()


if __name__ == "__main__":
    main()
