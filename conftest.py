"""What every test of this repository shares. The plugin is installed with the package; nothing else is needed."""

import os
import signal

from hypothesis import settings

# Busy machines make deadlines lie. Under CI every run tries the same examples; new ones are found at the desk.
settings.register_profile("repository", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("repository")

# A shell that starts the tests in the background has them ignore Ctrl-C, which some of them test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
