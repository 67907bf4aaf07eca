"""A Chromium for the tests, other browsers for all of them, and fonts for the scripts that they show."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from machine import apt, apt_install, quietly
from playwright.sync_api import sync_playwright

SHELL = "chromium-headless-shell"
"""The same without windows takes two thirds of the processor time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
OTHERS = {"firefox-esr": "firefox-esr", "webkit2gtk-driver": "WebKitWebDriver", "xvfb": "xvfb-run"}
"""Debian's packages of the other browsers, with the program of each."""
SCRIPTS = {"ar": "Arabic", "te": "Telugu", "am": "Amharic", "hi": "Devanagari"}


def find_browser() -> str:
    """The path of a browser that starts, installed now if need be, or ''."""
    if not shutil.which(SHELL) and not os.environ.get("SEMBLANCE_CHROMIUM"):
        apt_install(SHELL, timeout=120)
    found = installed()
    if not found and apt_install("chromium"):
        found = installed()
    if not found and quietly([sys.executable, "-m", "playwright", "install", "chromium"]):
        found = playwrights_own()
    return found


def installed() -> str:
    given = os.environ.get("SEMBLANCE_CHROMIUM")
    places = [given, *map(shutil.which, NAMES), *MAC_APPS, playwrights_own()]
    return next((place for place in places if place and quietly([place, "--version"], timeout=30)), "")


def playwrights_own() -> str:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def have_other_browsers() -> str:
    """Install Firefox and WebKit where that is possible; those still missing, as words."""
    packages = [package for package, program in OTHERS.items() if not shutil.which(program)]
    if packages:
        apt_install(*packages)
    return ", ".join(package for package, program in OTHERS.items() if not shutil.which(program))


def have_fonts() -> str:
    """Install fonts that are missing; the scripts still without one, as words."""
    if lacking() and apt():
        apt_install("fonts-noto-core")
    return ", ".join(lacking())


def lacking() -> list[str]:
    if not shutil.which("fc-list"):
        return []
    return [name for code, name in SCRIPTS.items() if not fonts_for(code)]


def fonts_for(language: str) -> bool:
    return bool(subprocess.run(["fc-list", f":lang={language}"], capture_output=True).stdout.strip())
