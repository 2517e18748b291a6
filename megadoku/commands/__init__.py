"""The commands, a file for each family. Each gathers its options and calls one function of a room."""
