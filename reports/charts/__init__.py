"""Every chart of a report. Each says what it found in its title and how to read it in its caption."""
