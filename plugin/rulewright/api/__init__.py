"""The Python library behind `from rulewright import Book, Game`: a facade over the compiler, the dice and the odds.

Import the names from `rulewright`, where they stay stable; the modules here may change. `help(rulewright)` lists them.
"""
