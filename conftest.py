"""Nothing here: the plugin is installed with the package, and the acceptance tests need no more."""
