"""Rulewright compiles tabletop rulebooks and proves their examples."""

__version__ = "0.1.0"
