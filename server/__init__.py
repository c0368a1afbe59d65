"""The race server: matches (pure), the store, and the connections around them. `docs/architecture.md` has the map."""
