"""Results → pictures: statistics, tables, charts, HTML. Knows only the files of a run (`megadoku.run_schema`)."""
