"""Old books made checkable: blocks and games worked out from what the pages tell."""
