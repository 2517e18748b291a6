"""`python -m megadoku`."""

from megadoku.command_line import main

if __name__ == "__main__":
    main()
