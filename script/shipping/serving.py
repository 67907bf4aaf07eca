"""The services of docker-compose.yml as containers that see each other, and nobody else."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from compose import health_command, needed, seconds
from container import Container, Layer
from dockerfile import Image
from machine import apt_install
from services import installed_postgres, wait_until

PATIENCE = 180  # seconds until a service has to be healthy
GRACE = "10s"  # Docker's own
# What the images that are not ours start: the same programs of this machine.
DATABASE = """
test -s "$PGDATA/PG_VERSION" || {{
    printf %s "$POSTGRES_PASSWORD" > /tmp/password
    {0}/initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 >/dev/null
    printf 'CREATE DATABASE "%s"' "$POSTGRES_DB" | {0}/postgres --single postgres >/dev/null
}}
exec {0}/postgres
"""
PROXY = ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]


class NotServing(Exception):
    """A service did not become what others wait for; the message has the end of its log."""


def stand_in(kind: str) -> Image:
    """Return what stands for the image of PostgreSQL, Redis or Caddy."""
    if kind == "postgres":
        binaries = installed_postgres()
        path = f"{binaries}:{os.environ['PATH']}"
        return Image(
            {"PGDATA": "/var/lib/postgresql/data", "PATH": path}, command=["sh", "-c", DATABASE.format(binaries)]
        )
    program = {"redis": "redis-server", "caddy": "caddy"}[kind]
    if not shutil.which(program) and not apt_install(program):
        raise NotServing(f"{program} is not on this machine and could not be installed.")
    return Image({"XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config"}, command=PROXY if kind == "caddy" else [])


class Services:
    """The services of a file, started in their order, each when those that it waits for are what it demands."""

    def __init__(self, described: dict[str, dict[str, Any]], variables: dict[str, str], context: Path, folder: Path):
        self.described, self.variables, self.context, self.folder = described, variables, context, folder
        self.containers: dict[str, Container] = {}

    def make(self, image: Image, layer: Layer) -> None:
        """Make the containers, those of our own image on its layer."""
        for name, service in self.described.items():
            own = "build" in service
            of = image if own else stand_in(service["image"].partition(":")[0])
            below = layer if own else Layer(self.folder / "none")
            self.containers[name] = self._made(name, service, of, below)

    def _made(self, name: str, service: dict[str, Any], image: Image, below: Layer) -> Container:
        given = {key: str(value) for key, value in service.get("environment", {}).items()}
        from_file = self.variables if service.get("env_file") else {}
        user = service.get("user", image.user)
        return Container(
            name,
            below.above(self.folder / name),
            shlex.split(service["command"]) if "command" in service else image.command,
            image.environment | from_file | given,
            folder=image.folder,
            user=user,
            capabilities=service.get("cap_add", []) if service.get("cap_drop") == ["ALL"] else None,
            volumes=[self._volume(one, user, below) for one in service.get("volumes", [])],
            temporary=service.get("tmpfs", []),
            read_only=service.get("read_only", False),
            hosts=["localhost", *self.described],
        )

    def _volume(self, description: str, user: str, below: Layer) -> tuple[Path, str]:
        """Return a named volume, which belongs to whom its folder in the image does, or a file of the context."""
        source, target, *_ = description.split(":")
        if source.startswith("."):
            return self.context / source, target
        folder = self.folder / "volumes" / source
        if not folder.exists():
            folder.mkdir(parents=True)
            in_image = below.upper / target.lstrip("/")
            if in_image.exists():
                os.chown(folder, in_image.stat().st_uid, in_image.stat().st_gid)
            elif user != "root":
                shutil.chown(folder, user, user)
        return folder, target

    def start(self) -> None:
        """Start all services.

        Raises:
            NotServing: one of them ended with an error or is not healthy in time.
        """
        for name, service in self.described.items():
            for other, condition in needed(service).items():
                self._wait_for(other, condition)
            print(f"  {name}", flush=True)
            self.containers[name].start()
        for name in self.lasting:
            self._wait_for(name, "service_healthy" if health_command(self.described[name]) else "service_started")

    def _wait_for(self, name: str, condition: str) -> None:
        container = self.containers[name]
        if condition == "service_completed_successfully":
            reached = container.finish(PATIENCE) == 0
        elif condition == "service_healthy":
            reached = wait_until(lambda: self.healthy(name) or not container.running, PATIENCE) and container.running
        else:
            reached = container.running
        if not reached:
            raise NotServing(f"{name} is not what it should be: {condition}\n{container.log.read_text()[-3000:]}")

    @property
    def lasting(self) -> list[str]:
        """The services that do not end by themselves."""
        return [name for name, one in self.described.items() if one.get("restart") != "no"]

    def healthy(self, name: str) -> bool:
        """Return whether the service's own health check passes."""
        check = health_command(self.described[name])
        container = self.containers[name]
        timeout = seconds(self.described[name]["healthcheck"]["timeout"])
        try:
            return container.running and container.execute(check, timeout).returncode == 0
        except (subprocess.TimeoutExpired, OSError, IndexError):  # it is just starting or ending
            return False

    def stop(self) -> list[str]:
        """Stop all services, the last one first; return those that had to be killed."""
        late = []
        for name in reversed(self.lasting):
            grace = seconds(self.described[name].get("stop_grace_period", GRACE))
            if name in self.containers and not self.containers[name].stop(grace):
                late.append(name)
        return late
