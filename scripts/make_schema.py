"""Write the JSON Schema of report.json from the dataclasses that are written into it.

    python scripts/make_schema.py

A test holds the written one against them: run this after a change of what a report holds, and count its version up.
"""

from pathlib import Path

from twx_accept.report import schema


def main() -> None:
    """Write it beside the module that makes it."""
    file = Path(schema.__file__).with_name(schema.FILE)
    file.write_text(schema.build(), encoding="utf-8", newline="\n")
    print(f"{file}: {file.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
