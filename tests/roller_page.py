"""What a reader does with a card in a browser: opens chips and the menu, types dice, reads the result."""

from __future__ import annotations

import re
from typing import Any

WAKE = "async () => { for (const card of document.querySelectorAll('[data-button]')) await card.open() }"


def control(card: Any, label: str) -> Any:
    """The control of an input, behind the chip that opens it."""
    for chip in card.locator(".rw-chip > [aria-expanded]").all():
        if chip.get_attribute("aria-expanded") == "false":
            chip.click()
        box = card.locator(".rw-open").get_by_label(label, exact=True)
        if box.count():
            return box
    raise AssertionError(f"no control {label}")


def unfold(card: Any, chip: str = "More") -> Any:
    """What a chip opens, by its text; nothing where "More" has nothing behind it."""
    button = card.locator(".rw-chip > button").filter(has_text=re.compile(f"^{re.escape(chip)}$"))
    if (button.count() or chip != "More") and button.get_attribute("aria-expanded") != "true":
        button.click()
    return card.locator(".rw-open")


def menu(card: Any) -> Any:
    """The open menu of a card."""
    card.locator(":scope > .rw-menu").evaluate("menu => { menu.open = true }")
    return card.locator(":scope > .rw-menu > .rw-panel")


def type_dice(tab: Any, card: Any, *faces: str) -> None:
    """Dice that were rolled on a table, entered as they are asked for."""
    menu(card).get_by_role("button", name="Type your dice").click()
    for some in faces:
        tab.keyboard.type(some)
        tab.keyboard.press("Enter")


def figures(card: Any) -> Any:
    """The chances in the menu."""
    return menu(card).locator(".rw-figure")


def result_of(card: Any) -> str:
    """The outcome, why, and how it works out."""
    lines = menu(card).locator(".rw-how > div").all_inner_texts()
    own = [f"{name} {rest.rpartition('→')[2].strip()}" for name, _, rest in (line.partition("\n") for line in lines)]
    return "\n".join([*card.locator(".rw-result > p").all_inner_texts(), *own])
