"""The local page: what its server and the command that starts it agree on."""

ADDRESS = "127.0.0.1"
# Proves to a running server that a command of the same user calls it.
CONTROL_HEADER = "x-tessera-control"
