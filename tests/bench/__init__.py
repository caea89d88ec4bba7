"""Measurements: Maelstrom's odds beside other dice libraries and a hand-written reference."""
