// What only a page asks of the engine: questions step by step, choices, chance itself. Each a name and a check.
import assert from "node:assert/strict";
import * as engine from "../../plugin/rulewright/web/engine/engine.js";
import { read } from "./conformance.mjs";

export const page = [];
const test = (name, check) => page.push([name, check]);

test("the generator gives the numbers that every language gives", () => {
  const { numbers, below } = read("generator.json");
  for (const { seed, numbers: expected } of numbers) {
    const next = engine.generator(seed);
    assert.deepEqual(expected.map(() => next()), expected);
  }
  for (const { seed, sides, values } of below) {
    const next = engine.generator(seed);
    assert.deepEqual(values.map(() => engine.below(next, sides)), values);
  }
});
test("numbers that nobody can foresee are whole and differ", () => {
  const next = engine.chance(), numbers = Array.from({ length: 600 }, next);
  assert(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32));
  assert(new Set(numbers).size > 590);
});

const rules = Object.fromEntries(["maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"]
  .map((name) => [name, engine.load(read(`${name}.json`).game).rules]));
/** Questions and answers until the roll is over. */
function asked(rule, inputs, reply) {
  const answers = [], questions = [];
  for (;;) {
    const { question, result, complaints } = engine.ask(rule, inputs, answers);
    assert.deepEqual(complaints, []);
    if (result) return { result, questions, answers };
    questions.push(question);
    answers.push(reply(question, questions.length - 1));
  }
}
const inTurn = (...faces) => (_, number) => faces[number];

test("a reader is asked for the dice that the dice earn", () => {
  const { result, questions } = asked(rules.maelstrom.action, { pool: 3, specialty: true }, inTurn(1, 10, 7, "4", 10, 1, 1));
  assert.deepEqual(questions.map(({ kind, left, round }) => [kind, left, round]),
    [["regular", 3, 1], ["regular", 2, 1], ["regular", 1, 1], ["bonus", 2, 2], ["bonus", 1, 2], ["bonus", 2, 3], ["bonus", 1, 3]]);
  assert.equal(result.dice, "regular 1 10 7 | bonus 4 10 | bonus 1 1");
  assert.deepEqual(questions.at(-1).dice.at(-1), { kind: "bonus", round: 3, value: 1, text: "1" });
  const { values, ...first } = questions[0];
  assert.deepEqual(first, { what: "face", kind: "regular", left: 3, sides: 10, labels: [], anew: false, earned: false, number: 1, round: 1, dice: [] });
  assert.equal(values.pool, 3);
});
test("a face that is not on the die is refused in plain words", () => {
  for (const [face, message] of [["11", "no regular die shows \"11\": its faces go from 1 to 10"], ["", "no regular die shows \"?\": its faces go from 1 to 10"]]) {
    const { question, result, complaints } = engine.ask(rules.maelstrom.action, { pool: 2 }, [3, face]);
    assert.deepEqual([question, result, complaints], [null, null, [{ part: "dice", message, start: 0, end: 0 }]]);
  }
  assert.match(engine.ask(rules.maelstrom.action, { pool: "many" }, []).complaints[0].message, /^pool is a number/);
});
test("optional dice are a yes or a no", () => {
  const rule = rules["maelstrom-first-edition"].action, inputs = { pool: 1, specialty: true };
  const reply = (yes) => ({ what }) => (what === "face" ? 10 : yes.shift());
  const { result, questions } = asked(rule, inputs, reply([true, false]));
  assert.deepEqual(questions.map(({ what, left }) => [what, left]), [["face", 1], ["offered", 1], ["face", 1], ["offered", 1]]);
  assert.deepEqual([result.dice, result.declined], ["regular 10 | added 10", 1]);
  const step = asked(rules["step-dice"].check, { die: "d6" }, inTurn(6, true, 6, false));
  assert.deepEqual(step.questions.map(({ what }) => what), ["face", "onward", "face", "onward"]);
  assert.deepEqual([step.result.dice, step.result.declined, step.result.steps.total], ["6+6", 1, 12]);
});
test("a reader picks the die to throw anew, or none", () => {
  const inputs = { attribute: "d6", skill: "d8", advantage: 2, luck: false };
  const { result, questions } = asked(rules.ingenuity.test, inputs, inTurn(2, 3, 1, 7, null));
  assert.deepEqual(questions.map(({ what }) => what), ["face", "face", "pick", "face", "pick"]);
  assert.deepEqual([questions[2].places, questions[2].left, questions[2].keep], [[0, 1], 2, "higher"]);
  assert.deepEqual([questions[3].anew, questions[3].kind, questions[3].left], [true, "skill", 1]);
  assert.equal(result.rerolled, "skill 3 -> 7");
});
test("a choice that arises after the dice is named by the result", () => {
  const rule = rules["wild-die"].check, fumbled = asked(rule, { code: "2D", difficulty: "Easy" }, inTurn(5, 1));
  assert.deepEqual([fumbled.result.asks, fumbled.result.unasked], [["fumble"], []]);
  const again = engine.ask(rule, { code: "2D", difficulty: "Easy", fumble: "cancel highest" }, fumbled.answers);
  assert.deepEqual([fumbled.result.steps.total, again.result.steps.total], [6, 1]);
  const other = asked(rule, { code: "2D", difficulty: "Easy" }, inTurn(5, 2)).result;
  assert.deepEqual([other.asks, other.unasked], [[], ["fumble"]]);
});
test("what was asked and answered is what would have been rolled", () => {
  for (const [game, name, inputs] of [["maelstrom", "action", { pool: 6, specialty: true }], ["step-dice", "check", { die: "d4" }]])
    for (let seed = 0; seed < 50; seed++) {
      const next = engine.generator(seed), rule = rules[game][name], rolled = engine.roll(rule, inputs, seed).result;
      const { result } = asked(rule, inputs, ({ what, sides }) => what !== "face" || engine.below(next, sides) + 1);
      assert.deepEqual([result.dice, result.steps], [rolled.dice, rolled.steps]);
    }
});
test("choices while rolling are those of whoever is asked", () => {
  const first = rules["maelstrom-first-edition"].action, seen = [];
  const take = (kind) => void seen.push(kind) || false;
  const results = Array.from({ length: 40 }, (_, seed) => engine.roll(first, { pool: 9, specialty: true }, seed, { take }).result);
  assert(results.some(({ declined }) => declined) && !results.some(({ dice }) => dice.includes("added")));
  assert.deepEqual([...new Set(seen)], ["added"]);
  const inputs = { attribute: "d6", skill: "d6", advantage: 1, luck: false };
  assert.equal(engine.roll(rules.ingenuity.test, inputs, 1, { pick: () => null }).result.rerolled, "");
  const places = [];
  engine.roll(rules.ingenuity.test, inputs, 1, { pick: (dice, own) => (places.push(own, dice.length), own[1]) });
  assert.deepEqual(places, [[0, 1], 2]);
});
test("who wins a contest", () => {
  const at = (code, dice) => engine.check(rules["wild-die"].check, { code }, dice).result, rule = rules["wild-die"].opposed;
  assert.equal(engine.winner(rule, at("1D", "wild 5"), at("1D", "wild 4")), "first");
  assert.equal(engine.winner(rule, at("1D", "wild 3"), at("1D", "wild 4")), "second");
  assert.equal(engine.winner(rule, at("1D", "wild 3"), at("1D", "wild 3")), "first");
  assert.equal(engine.winner(rules["step-dice"].contest, ...[3, 3].map((dice) => engine.check(rules["step-dice"].check, { die: "d8" }, `${dice}`).result)), "again");
  const unknown = engine.check(rules["step-dice"].check, { die: "d8" }, "3").result;
  for (const [one, other] of [[unknown, unknown], [unknown, { steps: { none: 1 } }], [{ steps: { none: 1 } }, unknown]])
    assert.equal(engine.winner({ contest: { compare: "none", ties: "first" } }, one, other), null);
  assert.deepEqual(rule.sides.map(({ name }) => name), ["check", "check"]);
});
test("inputs are described for whoever draws them", () => {
  const [, , , difficulty] = rules["wild-die"].check.inputs;
  assert.deepEqual(difficulty.named.slice(0, 3), [["Automatic", 0], ["Very Easy", 1], ["Easy", 6]]);
  assert.deepEqual(rules.ingenuity.test.inputs.map((entry) => engine.shown(entry, entry.default)).slice(1, 3), ["none", "0"]);
  assert.equal(engine.shown(rules["wild-die"].check.inputs[0], [4, 2]), "4D+2");
  assert.equal(engine.shown(rules["wild-die"].check.inputs[0], [4, 0]), "4D");
});
const NODES = [["tally", 0], ["number", 9], [">", 0, 1], ["number", 1], ["=", 3, 3]];
const game = (kinds, again = [], set = { op: "kind", of: [0], number: null, by: null, test: null }) => ({ version: 2, folder: "", title: "", tables: {}, register: {}, nodes: [], rules: { roll: {
    label: "", inputs: [], kinds, again, nodes: NODES, sets: set.op === "kind" ? [set] : [{ op: "kind", of: [0], number: null, by: null, test: null }, set],
    order: [{ what: "dice", of: [0] }, { what: "again", of: again.map((_, at) => at) }, { what: "values", of: ["total"] }],
    steps: [{ name: "total", formula: { node: 0, text: ["", ["sum(d)", 0], ""] }, set: null, label: null }],
    tallies: [{ function: "sum", set: set.op === "kind" ? 0 : 1, body: null, every_throw: false, word: "", domain: null }], marks: {}, aims: [], spends: [], traits: null, contest: null,
    outcomes: [{ name: "much", label: null, when: { node: 2, text: ["", ["sum(d)", 0], " > 9"] }, degree: null, says: "", see: "" }],
  } } });
const many = (count, sides) => ({ name: "d", label: null, count, sides, faces: [], deck: [], tests: {}, again: [] });
test("where there is too much to weigh up the worst die is thrown anew", () => {
  for (const [keep, worst] of [["higher", Math.min], ["lower", Math.max]]) {
    const { rules } = engine.load(game([many(30, 100)], [{ of: 0, roll: "reroll", pick: "any", keep, times: 3, when: null }]));
    const { dice, rerolled } = engine.roll(rules.roll, {}, 7).result;
    assert.equal(rerolled.split(" -> ")[0], `d ${worst(...dice.split(" ").map(Number))}`);
  }
});
const marked = (mark, value) => ({ mark, value, label: null, words: {}, copies: 1 });
const huge = { ...many(1, 0), faces: [marked("nothing", 0), marked("much", 3e9)] };
test("odds that would take too long are refused", () => {
  const before = performance.now(), { odds, complaints } = engine.odds(engine.load(game([many(10000, 10000)])).rules.roll, {});
  assert.equal(odds, null);
  assert.equal(complaints[0].message, "an exact answer would need too many states; ask for less at once, such as fewer dice");
  assert(performance.now() - before < 2000);
});
test("faces that are far apart are no reason to refuse odds", () => {
  assert.equal(engine.odds(engine.load(game([huge])).rules.roll, {}).odds.chances.much, 0.5);
});
test("large faces and many kept dice are no reason to refuse odds", () => {
  for (const own of [game([{ ...huge, faces: [marked("much", 3e9)] }]), game([many(5000, 6)], [], { op: "highest", of: [0], number: 3, by: null, test: null })])
    assert(Math.abs(engine.odds(engine.load(own).rules.roll, {}).odds.chances.much - 1) < 1e-9);
});
test("dice that cannot be thrown are refused in plain words", () => {
  const on = { roll: "explode", when: { node: 4, text: ["1 = 1"] }, count: 1, optional: 0 };
  for (const [die, message] of [
    [many(20000, 6), "20,000 dice are more than the 10,000 that can be rolled at once"],
    [many(1, 0), "a d die would have 0 sides ()"], [many(1, 20000), "a d die would have 20000 sides ()"],
    [{ ...many(1, 6), again: [on] }, "this roll needs more than 10,000 throws"],
  ])
    assert.deepEqual(engine.roll(engine.load(game([die])).rules.roll, {}, 1).complaints.map((one) => one.message), [message]);
});
