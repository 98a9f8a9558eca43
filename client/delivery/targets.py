"""The computers that the client is delivered to."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms

# Wheel platforms that run on each; Linux with glibc 2.28 and macOS 11 are the oldest.
PLATFORMS = {
    "linux-x64": ("manylinux_2_17_x86_64", "manylinux2014_x86_64", "manylinux_2_28_x86_64"),
    "linux-arm64": ("manylinux_2_17_aarch64", "manylinux2014_aarch64", "manylinux_2_28_aarch64"),
    "macos-x64": tuple(mac_platforms((11, 0), "x86_64")),
    "macos-arm64": tuple(mac_platforms((11, 0), "arm64")),
    "windows-x64": ("win_amd64",),
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")

_MARKERS = {
    "linux": {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
    "macos": {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
    "windows": {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
}
_MACHINES = {
    "linux-x64": "x86_64",
    "linux-arm64": "aarch64",
    "macos-x64": "x86_64",
    "macos-arm64": "arm64",
    "windows-x64": "AMD64",
}


@dataclass(frozen=True)
class Target:
    """One system, processor and Python version."""

    platform: str
    python: str

    @property
    def name(self) -> str:
        return f"{self.platform}-{self.python}"

    @property
    def wheel_platforms(self) -> tuple[str, ...]:
        return PLATFORMS[self.platform]

    @cached_property
    def tags(self) -> frozenset[Tag]:
        major, minor = map(int, self.python.split("."))
        platforms = list(self.wheel_platforms)
        return frozenset(
            [
                *cpython_tags((major, minor), platforms=platforms),
                *compatible_tags((major, minor), f"cp{major}{minor}", platforms),
            ]
        )

    def needs(self, requirement: Requirement) -> bool:
        environment = {
            **cast("dict[str, str]", default_environment()),
            **_MARKERS[self.platform.partition("-")[0]],
            "platform_machine": _MACHINES[self.platform],
            "python_version": self.python,
            "python_full_version": f"{self.python}.0",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
        return requirement.marker is None or requirement.marker.evaluate(environment)


def all_targets() -> Iterator[Target]:
    for platform in PLATFORMS:
        for python in PYTHONS:
            yield Target(platform, python)
