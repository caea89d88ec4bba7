"""A rule in the words of players, as paragraphs: the dice, what they come to, the outcomes, the choices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...game.formula import DICE_FUNCTIONS, DICE_OPERATIONS, SET_OPERATIONS, Node
from ...game.model import Formula, Input, Outcome, Rule, Spend, Step
from ..number_format import join_alternatives
from ..strings import Words
from .rolled_dice import RolledDiceWriter
from .sentences import capitalize, is_action
from .throw_tests import ZERO, flatten
from .wording import input_label, kind_label, kind_of, lowercase_label, outcome_name, reader_name

_SPARE_COMMA = re.compile(r",+(?=\s*[,.;:)!?]|\s*$)")
_NOT_A_NOUN = re.compile(  # a label that is no noun: "at the top", "got away"
    r"(?:you|he|she|it|they|we|nobody|somebody|at|in|on|off|out|back|up|down|over|under|by|with|without|no|not|got|gone|still|almost|too|very|all|both)\b"
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
    found = next((own for own in writer.rule.steps if own.name == step.name), None)
    return " ".join(map(_end, writer.step(found))) if found else ""


def _end(sentence: str) -> str:
    """A sentence with its capital letter and its full stop; clauses that end with a comma may come last."""
    sentence = _SPARE_COMMA.sub("", sentence)
    return capitalize(sentence) + ("" if sentence[-1:] in ".!?" else ".")


class _RuleWriter(RolledDiceWriter):
    """Writes the sentences of one rule."""

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
        if node.op in SET_OPERATIONS:
            form = "rule value" if speaker.is_one_die(node) else "rule dice are"
            yield self.words(form, left=speaker.the(label), right=speaker.dice_set(node))
            return
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
        known = (
            *self.speaker.inputs,
            *self.speaker.steps,
            *(name for roll in self.rule.rolls for name in roll.functions),
        )
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
        if node.op not in (*DICE_OPERATIONS, *SET_OPERATIONS):
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
        counted = [own for part in parts if part.op == "count" and (own := self.speaker.counts_alike(part))]
        tests = {self.speaker.throw_test(kind, test) for kind, test in counted}
        if len(counted) < len(parts) or len(tests) != 1:
            return ""
        found = tests.pop()
        if condition and found.condition:
            return ""
        kinds = [kind for kind, _ in counted]
        dice = self.words("rule dice that show", dice=self.speaker.dice_of(kinds), faces=found.faces)
        return self.when(
            condition or found.condition, self.words("rule count as", dice=dice, name=self.speaker.bare(label))
        )

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
        if outcome.label and not _NOT_A_NOUN.match(outcome.label):
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
            yield self.words("rule until most", number=speaker.subject(rounds.most.node))
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
            return self.when(
                test, self.words(f"rule may {'act' if is_action(label, self.words) else 'choose'}", what=label)
            )
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
            label = self.speaker.label(name)
            return label if is_action(label, self.words) else self.words("rule opt for", what=label)
        parts = flatten("+", node)
        if parts[0] == own and len(parts) == 2:
            is_less = parts[1].op == "neg"
            amount = self.speaker.noun(parts[1].args[0] if is_less else parts[1])
            return self.words(f"rule {'subtract' if is_less else 'add'}", number=amount, name=self.speaker.noun(own))
        return self.words("rule change", name=self.speaker.noun(own), number=self.speaker.noun(node))
