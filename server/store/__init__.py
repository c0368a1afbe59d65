"""Where matches are kept: `port` says what every store can do, each other module is one store."""
