"""Take a picture of a report with a headless Chromium, as the README shows it.

    python scripts/picture_report.py reports/report.html docs/report.png --height 1700

Needs nothing but Python and a Chromium or Chrome on the PATH (or named by --browser).
"""

import argparse
import html
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NARROWEST = 500  # a window is never narrower; a narrower page is shown in a frame within it
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--virtual-time-budget=3000"),
)
FRAME = """<!doctype html><meta charset="utf-8"><title>Report on a phone</title>
<style>
html {{ color-scheme: light dark; }}
body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: light-dark(#d9d5cb, #2c3036); }}
iframe {{ width: {width}px; height: calc(100vh - 48px); border: 0; border-radius: 22px; }}
</style>
<iframe src="{address}" title="The report"></iframe>
"""


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Take a picture of a report.")
    parser.add_argument("report", type=Path, help="the report's HTML file")
    parser.add_argument("picture", type=Path, help="the PNG file to write")
    parser.add_argument("--width", type=int, default=1200, help="pixels (default 1200; 360 is a phone)")
    parser.add_argument("--height", type=int, default=1700, help="pixels (default 1700)")
    parser.add_argument("--dark", action="store_true", help="as a reader who prefers dark sees it")
    parser.add_argument("--browser", default="", help="the browser's program")
    return parser.parse_args()


def browser(wanted: str) -> str:
    """The browser's path; exits with a sentence where there is none."""
    found = next(filter(None, map(shutil.which, (wanted,) if wanted else BROWSERS)), None)
    if found is None:
        sys.exit(f"no browser found: tried {wanted or ', '.join(BROWSERS)}; name one with --browser")
    return found


def take(report: Path, picture: Path, width: int, height: int, *, dark: bool, program: str) -> None:
    """Take the picture; exits with a sentence where the browser leaves none."""
    with tempfile.TemporaryDirectory() as folder:
        address = report.resolve().as_uri()
        if width < NARROWEST:
            frame = Path(folder, "frame.html")
            frame.write_text(FRAME.format(width=width, address=html.escape(address)), encoding="utf-8")
            address = frame.as_uri()
        shot = Path(folder, "picture.png")
        command = [program, *FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={shot}"]
        command += [f"--window-size={max(width, NARROWEST)},{height}"]
        command += ["--blink-settings=preferredColorScheme=0"] if dark else []
        done = subprocess.run([*command, address], capture_output=True, text=True, timeout=120, check=False)
        if not shot.is_file():
            sys.exit(f"{program} took no picture (exit {done.returncode}): {done.stderr[-500:]}")
        picture.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shot, picture)


def main() -> None:
    """Take the picture that the command line asks for and say how large it is."""
    asked = arguments()
    if not asked.report.is_file():
        sys.exit(f"{asked.report}: no such report")
    take(
        asked.report,
        asked.picture,
        asked.width,
        asked.height,
        dark=asked.dark,
        program=browser(asked.browser),
    )
    print(f"{asked.picture}: {asked.picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
