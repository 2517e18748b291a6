"""One module a family of formats: text or bytes → pieces."""
