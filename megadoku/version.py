"""The version, on its own so that the build can read it without importing numpy."""

VERSION = "0.1.0"
