"""The plugin, for a checkout that is not installed."""

pytest_plugins = ["boundcheck.plugin"]
