"""The services of docker-compose.yml, with the values of .env put in."""

import re
from pathlib import Path
from typing import Any

import yaml

VARIABLE = re.compile(r"\$(?:\$|\{(\w+)(?:(:[-?])([^}]*))?\})")


def read_variables(path: Path) -> dict[str, str]:
    """Return the variables of a file such as `.env`."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def read_services(path: Path, variables: dict[str, str], profiles: set[str]) -> dict[str, dict[str, Any]]:
    """Return the services of the profiles and those without a profile, in an order in which they can start.

    Raises:
        ValueError: a variable that the file demands is empty.
    """
    services = yaml.safe_load(interpolated(path.read_text(), variables))["services"]
    wanted = {name: one for name, one in services.items() if profiles.issuperset(one.get("profiles", []))}
    ordered: dict[str, dict[str, Any]] = {}
    while len(ordered) < len(wanted):
        ready = [name for name in wanted if name not in ordered and set(needed(wanted[name])) <= set(ordered)]
        if not ready:
            raise ValueError(f"Services of {path.name} wait for each other: {sorted(set(wanted) - set(ordered))}")
        ordered |= {name: wanted[name] for name in ready}
    return ordered


def needed(service: dict[str, Any]) -> dict[str, str]:
    """Return the services that must be there first, each with the state that it must have."""
    return {name: one["condition"] for name, one in service.get("depends_on", {}).items()}


def interpolated(text: str, variables: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name, rule, rest = match.groups()
        if name is None:
            return "$"
        if found := variables.get(name):
            return found
        if rule == ":?":
            raise ValueError(rest)
        return rest or ""

    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return VARIABLE.sub(value, "\n".join(lines))


def health_command(service: dict[str, Any]) -> list[str]:
    """Return the health check as words, or nothing."""
    kind, *rest = service.get("healthcheck", {}).get("test", [""])
    return {"CMD": rest, "CMD-SHELL": ["sh", "-c", *rest]}.get(kind, [])


def seconds(duration: str) -> float:
    """Return the seconds of a duration such as `1m30s`."""
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+)([hms])", duration))


def megabytes(size: str) -> int:
    """Return the megabytes of a limit such as `512m`."""
    return int(size[:-1]) * {"m": 1, "g": 1024}[size[-1]]
