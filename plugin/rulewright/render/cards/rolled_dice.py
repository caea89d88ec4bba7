"""What a rule rolls, in the words of players: its dice, which of them roll on, are rolled again, or count."""

from __future__ import annotations

from collections.abc import Iterator

from ...game.core import EXPLODE, REROLL, ROLLS_AGAIN, TURN
from ...game.formula import Node, walk
from ...game.inputs import format_value
from ...game.model import DiceKind, Formula, Input, Roll, Rule, RuleAgain, ThrowAgain
from ..number_format import join_alternatives, localize
from ..strings import Words
from .plain_rule import find_kept, make_plain
from .sentences import Speaker, find_article
from .throw_tests import ONE, ZERO, ThrowTest
from .wording import format_name, has_verbs, kind_label, reader_name


class RolledDiceWriter:
    """Writes the sentences about the dice of one rule."""

    def __init__(self, rule: Rule, words: Words) -> None:
        self.counting = find_kept(rule)
        self.rule = make_plain(rule, self.counting)
        self.words, self.speaker = words, Speaker(self.rule, words)

    def when(self, test: str, what: str) -> str:
        """A sentence that holds under a condition, which may be empty."""
        return self.words("rule when", test=test, what=what) if test else what

    def dice(self) -> Iterator[str]:
        if self.rule.contest:
            yield from self.contest()
        yield from self.traits()
        yield from (self.often(roll) for roll in self.rule.rolls if len(roll.prefixes) > 1)
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

    def often(self, roll: Roll) -> str:
        """How often a rule is rolled whose dice follow."""
        text, times = self.words("rule make roll", roll=roll.label), roll.times
        if roll.rounds:
            text, times = self.words("rule round after round", text=text, number=roll.rounds), roll.times
            if len(roll.prefixes) == roll.rounds:
                return text
        if times is None or times.node.op == "number":
            return self.words("rule often", text=text, number=len(roll.prefixes) // max(roll.rounds, 1))
        return self.words("rule so often", text=text, number=self.speaker.noun(times.node))

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
        if kind.deck_of:
            cards = self.words("rule draw left", deck=kind_label(self.rule, kind.deck_of))
        else:
            cards = join_alternatives(list(self.list_cards(kind)), self.words, "and")
        number, count = self.speaker.noun(kind.count.node), kind.count.node
        is_only = sum(bool(own.deck) for own in self.rule.dice) == 1
        deck = self.words("rule lone deck") if is_only else kind_label(self.rule, kind.name)
        is_named = count.op == "number" or (count.op == "name" and number.endswith(("cards", "Karten", "Cards")))
        form = "number" if count.op == "number" else "named" if is_named else "so many"
        form = "one" if count == ONE else form
        return self.words(f"rule draw {form}", number=number, deck=deck, cards=cards)

    def list_cards(self, kind: DiceKind) -> Iterator[str]:
        """What is in a deck: the cards with parts, and how many there are of each other."""
        with_parts = [face for face in kind.faces if set(kind.parts) <= face.words.keys()] if kind.parts else []
        if with_parts:
            values = {name: list(dict.fromkeys(face.words[name] for face in with_parts)) for name in kind.parts}
            lists = [f"{format_name(name)} {self.listed_values(own)}" for name, own in values.items()]
            yield self.words("rule every card", parts=join_alternatives(lists, self.words, "and"))
        for face, copies in zip(kind.faces, kind.deck, strict=True):
            if face not in with_parts:
                yield f"{self.speaker.noun(copies.node, within=True)} × {self.speaker.tests.face_name(face)}"

    def listed_values(self, values: list[int | str]) -> str:
        if len(values) > 2 and all(isinstance(value, int) for value in values):
            return self.words("rule faces between", low=values[0], high=values[-1])
        return join_alternatives(list(map(str, values)), self.words)

    def called(self, kind: DiceKind, text: str) -> str:
        """Dice with the name of their kind in parentheses, if several kinds are rolled."""
        name = self.speaker.plain_name(kind.name)
        if (name and text.endswith(name)) or len([one for one in self.rule.dice if one.count.node != ZERO]) == 1:
            return text
        name = (
            self.speaker.the_die(kind.name)
            if kind.name in self.speaker.single
            else self.speaker.the(self.words("rule kind dice", kind=kind_label(self.rule, kind.name)))
        )
        return self.words("rule called", dice=text, name=name)

    def counted(self, kind: DiceKind, count: Node, is_rest: bool = False) -> tuple[str, bool]:
        """A number of dice of a kind, and whether the text names the kind, which `is_rest` leaves to others."""
        count = self.speaker.as_number(count)
        if count.op == "if":
            test, then, other = count.args
            text, has_name = self.counted(kind, then)
            if other == ZERO and (is_owned := self.needs_die(kind, test)):
                return self.words("rule if any", dice=text), is_owned
            if other == ZERO and test == Node("name", (kind.name,)) and kind.name in self.speaker.inputs:
                name = self.words("rule if there is one", name=self.speaker.the_die(kind.name))
                return self.words("rule called", dice=text, name=name), True
            if other == ZERO:
                text = text if has_name or is_rest else self.called(kind, text)
                return self.words("rule case alone", what=text, test=self.speaker.clause(test)), True
            text = text if has_name or is_rest or then.op == "if" else self.called(kind, text)
            rest = self.counted(kind, other, is_rest=True)[0]
            return self.words("rule dice cases", dice=text, test=self.speaker.clause(test), rest=rest), True
        if count.op == "number":
            return self.fixed_number(kind, count.args[0])
        number = self.speaker.noun(count)
        if count.op == "name" and number.endswith(("dice", "Würfel")):
            text = self.words("rule faces", faces=self.listed_faces(kind)) if kind.faces else self.die_name(kind, True)
            return self.words("rule called", dice=number, name=text), True
        return self.words("rule so many", dice=self.die_name(kind, is_many=True), number=number), False

    def needs_die(self, kind: DiceKind, test: Node) -> bool:
        """Whether a test asks only whether there is a die: "skill > 0" for the skill die."""
        return bool(kind.sides) and test == Node(">", (kind.sides.node if kind.sides else ZERO, ZERO))

    def fixed_number(self, kind: DiceKind, number: int) -> tuple[str, bool]:
        if kind.faces:
            dice = self.words("rule kind dice", kind=kind_label(self.rule, kind.name))
            if number == 1:
                dice = self.a_die(self.speaker.die_of(kind.name))
            elif name := self.speaker.plain_name(kind.name):
                dice = self.words("rule number", number=number, die=name)
            else:
                dice = self.words("rule number of dice", number=number, dice=dice)
            return self.words("rule with faces", dice=dice, faces=self.listed_faces(kind)), True
        if number != 1 and (kind.sides is None or kind.sides.node.op != "number"):
            return self.words("rule number of dice", number=number, dice=self.die_name(kind, True)), self.is_named(kind)
        name = self.die_name(kind)
        if number != 1:
            return self.words("rule number", number=number, die=name), False
        if self.speaker.has_article(name):
            return name, self.is_named(kind)
        die = self.words("rule roll the", die=name) if self.has_input_die(kind) else self.a_die(name)
        return die, self.is_named(kind)

    def a_die(self, name: str) -> str:
        return self.words(f"rule roll {find_article(name)}", die=name)

    def listed_faces(self, kind: DiceKind) -> str:
        """What is on the faces: "−, 0 and +", "blank, 2 × hit and edge"."""
        names = [self.speaker.tests.face_name(face) for face in kind.faces]
        times = (f"{face.copies} × " if face.copies > 1 else "" for face in kind.faces)
        return join_alternatives([often + name for often, name in zip(times, names, strict=True)], self.words, "and")

    def is_named(self, kind: DiceKind) -> bool:
        """Whether dice of an input are called like their kind: "the skill die"."""
        return self.has_input_die(kind) and self.die_name(kind).lower() == self.speaker.die_of(kind.name).lower()

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
        test, is_more = self.speaker.throw_test(kind.name, entry.when.node), entry.roll == kind.name
        target = "" if is_more and kind.count.node != ZERO else kind_label(self.rule, entry.roll)
        gain = self.gain(entry, target, is_more)
        yield self.when(test.condition, self.words("rule earns all", dice=self.matching(kind, test), gain=gain))
        if not is_more or kind.count.node != ZERO:
            yield from self.declined(kind, entry.optional, "rule may decline")

    def gain(self, entry: ThrowAgain | RuleAgain, target: str, is_more: bool = False) -> str:
        """What dice earn, of a kind that is called so: "two bonus dice"."""
        times, cards = entry.count.node, bool(self.speaker.kinds[entry.roll].deck)
        which = ("card" if cards else "die") if times == ONE else ("cards" if cards else "dice")
        dice = self.words(f"rule kind {which}", kind=target) if target else self.words(f"rule lone {which}")
        if times.op == "number":
            number = "many" if times != ONE else "card" if cards else "one"
            amount = f"rule {'more' if is_more else 'gain'} {number}"
            return self.words(amount, dice=dice, number=times.args[0])
        return self.words("rule gain so many", dice=dice, number=self.speaker.noun(times))

    def kept(self, kind: DiceKind) -> Iterator[str]:
        kept = self.counting.get(kind.name)
        if kept and kept.number:
            number, dice = kept.number.node, self.speaker.dice_of([kind.name])
            if number == ONE:
                yield self.words(
                    "rule keep one",
                    die=self.words(
                        f"rule {kept.op} {self.speaker.piece([kind.name])}", die=self.speaker.die_of(kind.name)
                    ),
                )
            else:
                form = "keep" if number.op == "number" else "keep so many"
                yield self.words(f"rule {form} {kept.op}", dice=dice, number=self.speaker.noun(number))

    def reroll(self, reroll: RuleAgain) -> str:
        times, test = self.speaker.as_number(reroll.times.node), ""
        if times.op == "if" and times.args[2] == ZERO:
            test, times = self.speaker.clause(times.args[0]), times.args[1]
        is_earning, verb = reroll.roll not in (REROLL, TURN), "turn" if reroll.roll == TURN else "reroll"
        face = self.face_turned_to(reroll) if reroll.roll == TURN else ""
        if reroll.pick == "all" or reroll.when or is_earning:
            groups: dict[str, list[str]] = {}
            for kind in reroll.of:
                own = self.first_kind(kind)
                when = reroll.when if reroll.when and reroll.when.node != ONE else None
                found = self.speaker.throw_test(own, when.node) if when else ThrowTest("")
                groups.setdefault(found.faces, []).append(kind)
            dice = [
                self.words("rule dice that show", dice=own, faces=faces) if faces else own
                for faces, kinds in groups.items()
                for own in [self.speaker.dice_of(kinds)]
            ]
            form = "all" if reroll.pick == "all" else f"{reroll.pick} of"
            gain = self.gain(reroll, kind_label(self.rule, reroll.roll)) if is_earning else ""
            does = f"earns {form}" if is_earning else f"{verb} {form}"
            text = self.words(f"rule {does}", dice=join_alternatives(dice, self.words, "and"), gain=gain, face=face)
        else:
            kinds = [kind_label(self.rule, name) for name in reroll.of]
            text = self.words(f"rule {verb} {reroll.pick}", kinds=join_alternatives(kinds, self.words), face=face)
        if times != ONE:
            text = self.words("rule so often", text=text, number=self.speaker.noun(times))
        return self.when(test, self.words(f"rule then {reroll.keep}", text=text) if reroll.roll == REROLL else text)

    def face_turned_to(self, entry: RuleAgain) -> str:
        """The face that dice are turned to: "any face", "6"."""
        if entry.turn is None:
            return self.words("rule any face")
        is_highest = entry.turn.node == Node("name", ("sides",))
        return self.words("rule highest face") if is_highest else self.speaker.noun(entry.turn.node)

    def first_kind(self, name: str) -> str:
        """The first kind of dice in a set."""
        while name not in self.speaker.kinds:
            node = next(step.formula.node for step in self.rule.steps if step.name == name)
            name = next(inner.args[0] for inner in walk(node) if inner.op == "set")
        return name

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
            name = self.speaker.the(self.speaker.label(entry.name))
            return self.words("rule usual verb", name=name, value=entry.default)
        value = localize(format_value(entry, entry.default), self.words)
        label = self.speaker.label(entry.name)
        name = self.speaker.term(label) if entry.form == "number" else self.speaker.the(label)
        return self.words("rule usual value", name=name, value=value)
