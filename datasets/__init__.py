"""Bytes → blocks: readers, formats, generator, bundled sets, inspection. Knows no other room."""
