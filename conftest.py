"""What every test of this repository shares. The plugin is installed with the package; nothing else is needed."""

import os

from hypothesis import settings

# Busy machines make deadlines lie. Under CI every run tries the same examples; new ones are found at the desk.
settings.register_profile("repository", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("repository")
