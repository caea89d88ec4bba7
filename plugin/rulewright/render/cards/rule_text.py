"""A rule in the words of players, as paragraphs: the dice, what they come to, the outcomes, the choices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...game.core import EXPLODE, ROLLS_AGAIN
from ...game.formula import DICE_FUNCTIONS, DICE_OPERATIONS, Node
from ...game.inputs import format_value
from ...game.model import DiceKind, Formula, Input, Outcome, Reroll, Rule, Spend, Step, ThrowAgain
from ..number_format import join_alternatives, localize
from ..strings import Words
from .plain_rule import find_kept, make_plain
from .sentences import Speaker, capitalize
from .throw_tests import ONE, ZERO, ThrowTest, flatten
from .wording import (
    format_name,
    has_verbs,
    input_label,
    kind_label,
    kind_of,
    lowercase_label,
    outcome_name,
    reader_name,
    test_of,
)

_MOST_PARTS = 12  # values and choices in one sentence


def describe_rule(rule: Rule, words: Words) -> list[str]:
    """The paragraphs of a rule; each is a few sentences."""
    writer = _RuleWriter(rule, words)
    paragraphs = (writer.dice(), writer.steps(), writer.outcomes(), writer.rounds(), writer.choices())
    return [text for sentences in paragraphs if (text := " ".join(map(_end, sentences)))]


def describe_contest(rule: Rule, words: Words) -> list[str]:
    """What the sides of a contest roll, who wins, and ties."""
    return list(map(_end, _RuleWriter(rule, words).contest()))


def describe_outcome(rule: Rule, outcome: Outcome, words: Words) -> str:
    """When an outcome comes about, as a sentence of its own."""
    writer = _RuleWriter(rule, words)
    return " ".join(map(_end, writer.outcome(writer.rule.outcomes[rule.outcomes.index(outcome)])))


def describe_step(rule: Rule, step: Step, words: Words) -> str:
    """How a step is worked out, as a sentence; empty for a hidden step."""
    writer = _RuleWriter(rule, words)
    return " ".join(map(_end, writer.step(writer.rule.steps[rule.steps.index(step)])))


def _end(sentence: str) -> str:
    """A sentence with its capital letter and its full stop."""
    return capitalize(sentence) + ("" if sentence[-1:] in ".!?" else ".")


class _RuleWriter:
    """Writes the sentences of one rule."""

    def __init__(self, rule: Rule, words: Words) -> None:
        self.counting = find_kept(rule)
        self.rule = make_plain(rule, self.counting)
        self.words, self.speaker = words, Speaker(self.rule, words)

    def when(self, test: str, what: str) -> str:
        """A sentence that holds under a condition, which may be empty."""
        return self.words("rule when", test=test, what=what) if test else what

    # Dice

    def dice(self) -> Iterator[str]:
        if self.rule.contest:
            yield from self.contest()
        yield from self.traits()
        at_first = [kind for kind in self.rule.dice if kind.count.node != ZERO]
        rolled = [self.rolled(kind) for kind in at_first if not kind.deck]
        if rolled:
            yield self.words("rule roll", dice=join_alternatives(rolled, self.words, "and"))
        yield from (self.drawn(kind) for kind in at_first if kind.deck)
        for kind in self.rule.dice:
            for entry in kind.again:
                if entry.roll in ROLLS_AGAIN:
                    yield from self.rolled_again(kind, entry)
                else:
                    yield from self.earned(kind, entry)
            yield from self.kept(kind)
        for reroll in self.rule.rerolls:
            yield self.reroll(reroll)
        if usual := [text for entry in self.rule.inputs if (text := self.usual(entry))]:
            yield self.words("rule usual", values=join_alternatives(usual, self.words, "and"))

    def contest(self) -> Iterator[str]:
        contest = self.rule.contest
        if contest is None:
            return
        labels = list(dict.fromkeys(side.label for side in contest.of))
        if len(labels) == 1:
            yield self.words("rule both roll", rule=labels[0])
        elif labels:
            yield self.words("rule sides roll", first=labels[0], second=labels[1])
        step = reader_name(contest.of[0], contest.compare) if contest.of else ""
        yield self.words("rule higher wins", step=step) if step else self.words("rule better wins")
        yield self.words(f"rule tie {contest.ties}")

    def traits(self) -> Iterator[str]:
        traits = self.rule.traits
        entry = next((entry for entry in self.rule.inputs if traits and traits.into == (entry.name,)), None)
        if traits is None or entry is None or entry.form != "number":
            return
        name = self.speaker.term(self.speaker.label(entry.name))
        most = (
            self.words("rule trait")
            if traits.most == 1
            else self.words("rule traits most", number=traits.most)
            if traits.most
            else self.words("rule traits all")
        )
        text = self.words("rule value", left=name, right=most)
        kinds = join_alternatives(list(traits.one_of), self.words)
        yield self.words("rule traits one", text=text, kinds=kinds) if kinds else text

    def rolled(self, kind: DiceKind) -> str:
        """The dice of a kind that are rolled at first: "2d6", "a d20 (the luck die)"."""
        text, has_name = self.counted(kind, kind.count.node)
        return text if has_name else self.called(kind, text)

    def drawn(self, kind: DiceKind) -> str:
        """How many cards are drawn, and what is in the deck."""
        if kind.parts:
            values = {name: list(dict.fromkeys(face.words[name] for face in kind.faces)) for name in kind.parts}
            lists = [f"{format_name(name)} {self.listed_values(own)}" for name, own in values.items()]
            cards = self.words("rule every card", parts=join_alternatives(lists, self.words, "and"))
        else:
            numbers = [self.speaker.noun(copies.node, within=True) for copies in kind.deck]
            names = map(self.speaker.tests.face_name, kind.faces)
            pairs = [f"{number} × {name}" for number, name in zip(numbers, names, strict=True)]
            cards = join_alternatives(pairs, self.words, "and")
        number, deck = self.speaker.noun(kind.count.node), kind_label(self.rule, kind.name)
        return self.words("rule draw", number=number, kind=deck, cards=cards)

    def listed_values(self, values: list[int | str]) -> str:
        if len(values) > 2 and all(isinstance(value, int) for value in values):
            return self.words("rule faces between", low=values[0], high=values[-1])
        return join_alternatives(list(map(str, values)), self.words)

    def called(self, kind: DiceKind, text: str) -> str:
        """Dice with the name of their kind in parentheses, if several kinds are rolled."""
        if len([one for one in self.rule.dice if one.count.node != ZERO]) == 1:
            return text
        name = (
            self.speaker.the_die(kind.name)
            if kind.name in self.speaker.single
            else self.speaker.the(self.words("rule kind dice", kind=kind_label(self.rule, kind.name)))
        )
        return self.words("rule called", dice=text, name=name)

    def counted(self, kind: DiceKind, count: Node) -> tuple[str, bool]:
        """A number of dice of a kind, and whether the text names the kind."""
        count = self.speaker.reveal(count)
        if count.op == "if":
            test, then, other = count.args
            text, has_name = self.counted(kind, then)
            if other == ZERO and (is_owned := self.needs_die(kind, test)):
                return self.words("rule if any", dice=text), is_owned
            if other == ZERO and test == Node("name", (kind.name,)) and kind.name in self.speaker.inputs:
                name = self.words("rule if there is one", name=self.speaker.the_die(kind.name))
                return self.words("rule called", dice=text, name=name), True
            if other == ZERO:
                text = text if has_name else self.called(kind, text)
                return self.words("rule case alone", what=text, test=self.speaker.clause(test)), True
            rest = self.counted(kind, other)[0]
            return self.words("rule dice cases", dice=text, test=self.speaker.clause(test), rest=rest), has_name
        if count.op == "number":
            return self.fixed_number(kind, count.args[0])
        number = self.speaker.noun(count)
        if count.op == "name" and number.endswith(("dice", "Würfel")):
            return self.words("rule called", dice=number, name=self.die_name(kind, is_many=True)), True
        return self.words("rule so many", dice=self.die_name(kind, is_many=True), number=number), False

    def needs_die(self, kind: DiceKind, test: Node) -> bool:
        """Whether a test asks only whether there is a die: "skill > 0" for the skill die."""
        return bool(kind.sides) and test == Node(">", (kind.sides.node if kind.sides else ZERO, ZERO))

    def fixed_number(self, kind: DiceKind, number: int) -> tuple[str, bool]:
        if kind.faces:
            names = [self.speaker.tests.face_name(face) for face in kind.faces]
            times = (f"{face.copies} × " if face.copies > 1 else "" for face in kind.faces)
            faces = join_alternatives(
                [often + name for often, name in zip(times, names, strict=True)], self.words, "and"
            )
            name = kind_label(self.rule, kind.name)
            return self.words("rule dice with faces", number=number, kind=name, faces=faces), True
        if number != 1 and (kind.sides is None or kind.sides.node.op != "number"):
            return self.words("rule times", number=number, what=self.die_name(kind, is_many=True)), True
        name = self.die_name(kind)
        if number != 1:
            return self.words("rule number", number=number, die=name), False
        is_input = self.has_input_die(kind)
        return (self.speaker.the(name) if is_input else self.words("rule a", name=name)), is_input

    def has_input_die(self, kind: DiceKind) -> bool:
        """Whether an input says which die is rolled."""
        node = kind.sides.node if kind.sides else ZERO
        entry = self.speaker.inputs.get(node.args[0]) if node.op == "name" else None
        return entry is not None and entry.form == "die"

    def die_name(self, kind: DiceKind, is_many: bool = False) -> str:
        """The name of a die: "d10", "attribute die"; in the plural "d10s"."""
        which = "dice" if is_many else "die"
        if kind.sides is None:
            return self.words(f"rule kind {which}", kind=kind_label(self.rule, kind.name))
        node = kind.sides.node
        if node.op == "number":
            return self.words(f"rule {which} name", sides=node.args[0])
        if self.has_input_die(kind):
            return self.speaker.die_label(self.speaker.inputs[node.args[0]], is_many)
        return self.words(f"rule {which} of sides", sides=self.speaker.noun(node))

    def matching(self, kind: DiceKind, test: ThrowTest) -> str:
        """Dice that show some faces: "regular dice that show 10"."""
        return self.words("rule dice that show", dice=self.speaker.dice_of([kind.name]), faces=test.faces)

    def rolled_again(self, kind: DiceKind, entry: ThrowAgain) -> Iterator[str]:
        """That a die is rolled on and adds up, or is rerolled at once."""
        test = self.speaker.throw_test(kind.name, entry.when.node)
        does = "explodes" if entry.roll == EXPLODE else "rerolls"
        if kind.name in self.speaker.single:
            die = self.speaker.the_die(kind.name)
            yield self.when(test.condition, self.words(f"rule {does} one", die=die, faces=test.faces))
        else:
            yield self.when(test.condition, self.words(f"rule {does}", dice=self.matching(kind, test)))
        yield from self.declined(kind, entry.optional, "rule may stop" if entry.roll == EXPLODE else "rule may keep")

    def declined(self, kind: DiceKind, optional: Formula, phrase: str) -> Iterator[str]:
        """That the player may decline, always or after some faces."""
        if optional.node == ZERO:
            return
        if optional.node.op == "number":
            yield self.words(phrase)
            return
        test = self.speaker.throw_test(kind.name, optional.node)
        text = self.words(phrase) if test.condition else self.words(f"{phrase} after", faces=test.faces)
        yield self.when(test.condition, text)

    def earned(self, kind: DiceKind, entry: ThrowAgain) -> Iterator[str]:
        test = self.speaker.throw_test(kind.name, entry.when.node)
        times, is_more = entry.count.node, entry.roll == kind.name
        target = "" if is_more and kind.count.node != ZERO else kind_label(self.rule, entry.roll)
        which = "die" if times == ONE else "dice"
        dice = self.words(f"rule kind {which}", kind=target) if target else self.words(f"rule lone {which}")
        if times.op == "number":
            amount = f"rule {'more' if is_more else 'gain'} {'one' if times == ONE else 'many'}"
            gain = self.words(amount, dice=dice, number=times.args[0])
        else:
            gain = self.words("rule gain so many", dice=dice, number=self.speaker.noun(times))
        yield self.when(test.condition, self.words("rule earns", dice=self.matching(kind, test), gain=gain))
        if not is_more or kind.count.node != ZERO:
            yield from self.declined(kind, entry.optional, "rule may decline")

    def kept(self, kind: DiceKind) -> Iterator[str]:
        kept = self.counting.get(kind.name)
        if kept and kept.number:
            number, dice = kept.number.node, self.speaker.dice_of([kind.name])
            if number == ONE:
                yield self.words(f"rule keep one {kept.op}", die=self.speaker.die_of(kind.name))
            else:
                form = "keep" if number.op == "number" else "keep so many"
                yield self.words(f"rule {form} {kept.op}", dice=dice, number=self.speaker.noun(number))

    def reroll(self, reroll: Reroll) -> str:
        times, test = reroll.times.node, ""
        if times.op == "if" and times.args[2] == ZERO:
            test, times = self.speaker.clause(times.args[0]), times.args[1]
        if reroll.pick == "all" or reroll.when:
            groups: dict[str, list[str]] = {}
            for kind in reroll.among:
                found = self.speaker.throw_test(kind, reroll.when.node) if reroll.when else ThrowTest("")
                groups.setdefault(found.faces, []).append(kind)
            dice = [
                self.words("rule dice that show", dice=self.speaker.dice_of(kinds), faces=faces)
                for faces, kinds in groups.items()
            ]
            form = "all" if reroll.pick == "all" else f"{reroll.pick} of"
            text = self.words(f"rule reroll {form}", dice=join_alternatives(dice, self.words, "and"))
        else:
            kinds = [kind_label(self.rule, name) for name in reroll.among]
            text = self.words(f"rule reroll {reroll.pick}", kinds=join_alternatives(kinds, self.words))
        if times != ONE:
            text = self.words("rule so often", text=text, number=self.speaker.noun(times))
        return self.when(test, self.words(f"rule then {reroll.keep}", text=text))

    def usual(self, entry: Input) -> str:
        """The default of an input, if it says something: "the difficulty is 6"."""
        if (
            entry.form not in ("number", "choice", "die")
            or not (entry.label and entry.default)
            or entry.asked
            or self.rule.contest
        ):
            return ""
        if has_verbs(entry):
            return self.speaker.clause(Node("=", (Node("name", (entry.name,)), Node("word", (entry.default,)))))
        value = localize(format_value(entry, entry.default), self.words)
        return self.words("rule usual value", name=self.speaker.term(self.speaker.label(entry.name)), value=value)

    # Steps

    def steps(self) -> Iterator[str]:
        for step in self.rule.steps:
            yield from self.step(step)

    def step(self, step: Step) -> Iterator[str]:
        """How the value of a step comes about; nothing for a step whose formula takes its place."""
        speaker, node = self.speaker, step.formula.node
        is_die = node.op in DICE_FUNCTIONS and node.op != "count" and kind_of(node) in speaker.single
        if speaker.is_inlined(step) or is_die:  # the roll itself needs no sentence
            return
        label = step.label or reader_name(self.rule, step.name)
        if tally := self.tally(node, label):
            yield tally
        elif self.is_long(node):
            yield self.words("rule depends", left=speaker.term(label), values=self.values(node))
        elif speaker.is_condition(node):
            yield self.words("rule occurs", name=speaker.a(label), test=speaker.clause(node))
        elif node.op == "if" and node.args[1].op in ("min", "max") and node.args[2].op != "if":
            test, then, other = node.args
            text = self.words("rule value", left=speaker.term(label), right=speaker.noun(then))
            yield self.when(speaker.clause(test), self.words("rule or else", text=text, other=speaker.noun(other)))
        else:
            yield self.words("rule value", left=speaker.term(label), right=speaker.noun(node))

    def values(self, node: Node) -> str:
        """What a long formula depends on, each value once."""
        leaves = [one for one in self.expanded(node) if one.op in ("name", *DICE_OPERATIONS)]
        known = (*self.speaker.inputs, *self.speaker.steps)
        names = [self.value(one) for one in leaves if one.op != "name" or one.args[0] in known]
        return join_alternatives(list(dict.fromkeys(names)), self.words, "and")

    def value(self, node: Node) -> str:
        """A value that a formula depends on, such as "the wild die"."""
        if node.op == "name" and self.speaker.is_condition(node):
            return self.words("rule whether it is", test=self.speaker.clause(node))
        return self.speaker.noun(node)

    def expanded(self, node: Node) -> Iterator[Node]:
        """The parts of a formula, with those of inlined steps; the tests of counts are left out."""
        node = self.speaker.reveal(node)
        yield node
        if node.op not in DICE_OPERATIONS:
            for part in node.child_nodes():
                yield from self.expanded(part)

    def is_long(self, node: Node) -> bool:
        """Whether a formula says too much for one sentence: values, words, numbers, and twice each choice."""
        text = self.speaker.noun(node)
        if re.search(r"\([^()]*\(", text):
            return True  # parentheses in parentheses
        sizes = {"if": 2, "name": 1, "word": 1, "number": 1, **dict.fromkeys(DICE_OPERATIONS, 1)}
        return sum(sizes.get(part.op, 0) for part in self.expanded(node) if part != ZERO) > _MOST_PARTS

    def tally(self, node: Node, label: str) -> str:
        """A count of dice with the same test: "dice that show 6 or more count as hits"; else empty."""
        condition = ""
        if node.op == "if" and node.args[2] == ZERO:
            condition, node = self.speaker.clause(node.args[0]), node.args[1]
        parts = flatten("+", node)
        counted = [(kind_of(part), test) for part in parts if (test := test_of(part))]
        tests = {self.speaker.throw_test(kind, test) for kind, test in counted}
        if len(counted) < len(parts) or len(tests) != 1:
            return ""
        found = tests.pop()
        if condition and found.condition:
            return ""
        kinds = [kind for kind, _ in counted]
        dice = self.words("rule dice that show", dice=self.speaker.dice_of(kinds), faces=found.faces)
        return self.when(condition or found.condition, self.words("rule count as", dice=dice, name=label))

    # Outcomes

    def outcomes(self) -> Iterator[str]:
        for outcome in self.rule.outcomes:
            yield from self.outcome(outcome)

    def outcome(self, outcome: Outcome) -> Iterator[str]:
        """When it is this outcome, its degree, and what it means if its name does not say that."""
        phrase = f"rule outcome {outcome.label or outcome.name}".lower()
        is_known = phrase in self.words.phrases
        what = self.words(phrase) if is_known else self.outcome_noun(outcome)
        node = outcome.when.node if outcome.when else None
        if node is None:
            text = what
        elif self.is_long(node):
            text = self.words("rule whether", what=what, values=self.values(node))
        elif is_known:
            text = self.words("rule outcome if", what=what, test=self.speaker.clause(node))
        else:
            text = self.when(self.speaker.clause(node), what)
        yield text if outcome is self.rule.outcomes[0] else self.words("rule otherwise", what=text)
        if outcome.degree:
            yield self.words("rule degree", number=self.speaker.noun(outcome.degree.node))
        if outcome.says and not is_known and "{" not in outcome.says:
            yield outcome.says

    def outcome_noun(self, outcome: Outcome) -> str:
        """A label is a noun: "it is a strong hit"; a name may be any word: "the outcome is hindered"."""
        if outcome.label:
            return self.words("rule outcome noun", name=self.speaker.a(outcome.label))
        return self.words("rule outcome is", name=outcome_name(self.rule, outcome.name))

    # Rounds

    def rounds(self) -> Iterator[str]:
        """Until when the rule is rolled again, and what its inputs are then."""
        rounds, speaker = self.rule.rounds, self.speaker
        if rounds is None:
            return
        if rounds.until:
            yield self.words("rule until", test=speaker.clause(rounds.until.node))
        if rounds.most:
            yield self.words("rule until most", number=speaker.noun(rounds.most.node))
        for name, formula in rounds.carry.items():
            left, right = speaker.term(speaker.label(name)), speaker.noun(formula.node)
            yield self.words("rule next round" if rounds.until else "rule afterwards", left=left, right=right)

    # Choices after the roll

    def choices(self) -> Iterator[str]:
        for entry in self.rule.declared_inputs:
            if entry.asked:
                yield self.question(entry, entry.asked)
        asked = {entry.name for entry in self.rule.inputs if entry.asked}
        for spend in self.rule.spends:
            if spend.highest or not spend.changes.keys() <= asked:
                yield self.spend(spend)

    def question(self, entry: Input, asked: Formula) -> str:
        test, label = self.speaker.clause(asked.node), lowercase_label(input_label(entry), self.words)
        if entry.form == "flag":
            return self.when(test, self.words("rule may choose", what=label))
        choices = join_alternatives(list(entry.choices), self.words)
        return self.when(test, self.words("rule choose", what=self.speaker.the(label), choices=choices))

    def spend(self, spend: Spend) -> str:
        effects = [self.effect(name, formula.node) for name, formula in spend.changes.items()]
        if spend.highest:
            kinds = join_alternatives([kind_label(self.rule, name) for name in spend.highest], self.words)
            effects.append(self.words("rule set highest", kinds=kinds))
        text = self.words(
            "rule spend", point=self.speaker.a(spend.point), effects=join_alternatives(effects, self.words, "and")
        )
        if spend.traits:
            text = self.words("rule spend traits", text=text, traits=join_alternatives(list(spend.traits), self.words))
        if spend.most == 1:
            return self.words("rule spend once", text=text)
        return self.words("rule spend most", text=text, number=spend.most) if spend.most else text

    def effect(self, name: str, node: Node) -> str:
        """What a point does to an input: "add 3 to the bonus"."""
        own = Node("name", (name,))
        entry = self.speaker.inputs[name]
        if entry.form == "flag":
            return self.words("rule opt for", what=self.speaker.label(name))
        parts = flatten("+", node)
        if parts[0] == own and len(parts) == 2:
            is_less = parts[1].op == "neg"
            amount = self.speaker.noun(parts[1].args[0] if is_less else parts[1])
            return self.words(f"rule {'subtract' if is_less else 'add'}", number=amount, name=self.speaker.noun(own))
        return self.words("rule change", name=self.speaker.noun(own), number=self.speaker.noun(node))
