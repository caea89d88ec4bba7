"""Recorded rolls as plain text, and the text printed for each: see tests/cases/README.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from games import load_shipped_rule
from rulewright.play.result import (
    Result,
    RollProblem,
    check_roll,
    derivation_lines,
    describe_outcome,
    dice_line,
    explain_result,
)

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One recorded roll: its lines in order, each a key and a value."""

    file: str
    name: str
    lines: tuple[tuple[str, str], ...]

    @property
    def golden(self) -> str:
        return f"check/{self.file}/{re.sub('[^a-z]+', '-', self.name)}.txt"

    def value(self, key: str) -> str:
        return dict(self.lines).get(key, "")

    @property
    def inputs(self) -> dict[str, str]:
        return {key: value for key, value in self.lines if key not in ("rule", "dice", "declined", "rerolled")}


def read_cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.txt")):
        text = re.sub(r"(?m)^#.*\n", "", path.read_text(encoding="utf-8"))
        for block in re.split(r"\n\s*\n", text.strip()):
            (key, name), *lines = (parse_line(line) for line in block.strip().splitlines())
            assert key == "case", f"{path.name}: a case begins with its name, not with {key}"
            yield Case(path.stem, name, tuple(lines))


def parse_line(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    assert colon, f"a line is a key, a colon and a value: {line}"
    return key.strip(), value.strip()


def play_case(case: Case) -> tuple[Result | None, list[RollProblem]]:
    declined = int(case.value("declined") or 0)
    return check_roll(
        load_shipped_rule(case.value("rule")), case.inputs, case.value("dice"), declined, case.value("rerolled")
    )


def recheck_result(result: Result, inputs: Mapping[str, str]) -> Result:
    """The result of the roll as a book would record it, without inputs that it does not need."""
    stated = {name: value for name, value in inputs.items() if name not in result.unasked_questions}
    again, complaints = check_roll(
        result.rule, stated, result.dice, result.roll.declined, result.rerolled, turned=result.turned
    )
    assert not complaints, [complaint.message for complaint in complaints]
    assert again
    return again


def case_text(case: Case) -> str:
    """The case with its complaints below the lines they are about, then the result."""
    result, complaints = play_case(case)
    lines = list(with_complaints(case, complaints))
    return "\n".join([*lines, "", *(result_lines(result) if result else ["no result"])]) + "\n"


def with_complaints(case: Case, complaints: list[RollProblem]) -> Iterator[str]:
    for key, value in case.lines:
        yield f"{key}: {value}".rstrip()
        for complaint in complaints:
            if complaint.part == key:
                start, end = (complaint.start, complaint.end) if complaint.end else (0, len(value))
                yield " " * (len(key) + 2 + start) + "^" * max(end - start, 1)
                yield f"    {complaint.message}"
    keys = [key for key, _ in case.lines]
    yield from (f"    {complaint.part}: {complaint.message}" for complaint in complaints if complaint.part not in keys)


def result_lines(result: Result) -> Iterator[str]:
    yield dice_line(result)
    yield explain_result(result)
    yield from filter(None, [describe_outcome(result)])
    yield ""
    yield from derivation_lines(result)
    yield ""
    for die in result.faces:
        yield f"{die[0].round} {die[0].kind}: " + " | ".join(" ".join([face.text, *face.roles]) for face in die)
    yield from (f"{name}: {count}" for name, count in result.marks.items())
    texts = {"dice": result.dice, "rerolled": result.rerolled, "turned": result.turned}
    yield from (f"{part}: {text}" for part, text in texts.items() if text)
