"""Puts the program into the wheel. `make wheels` sets the variables; without them there is no wheel to build."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Program(BuildHookInterface):
    def initialize(self, version, build_data):
        try:
            program, tag = os.environ["GLEANER_PROGRAM"], os.environ["GLEANER_TAG"]
        except KeyError as missing:
            raise SystemExit(f"{missing} is not set: build wheels with `make wheels` in the project's root") from None
        suffix = ".exe" if tag.endswith("win_amd64") else ""
        build_data["shared_scripts"][program] = self.metadata.name + suffix
        build_data["tag"] = f"py3-none-{tag}"
        build_data["pure_python"] = False
