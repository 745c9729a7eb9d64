"""Made by `make wheels`; "0" in a checkout."""

VERSION = "0"
