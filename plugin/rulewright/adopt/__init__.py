"""Turns existing books into checkable ones: drafts blocks and a game from the text of the pages."""
