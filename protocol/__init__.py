"""The messages between server and clients, and their two encodings. `docs/protocol.md` is the same in prose."""
