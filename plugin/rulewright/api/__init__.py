"""The Python library behind `from rulewright import Book, Game`: a facade over the compiler, the dice and the odds."""
