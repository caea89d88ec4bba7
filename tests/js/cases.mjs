// The cases of a file in tests/conformance/: each a name and a check of an engine in JavaScript against what Python says.
import assert from "node:assert/strict";

const close = (low, high, found) =>
  low - 1e-12 * Math.max(1, Math.abs(low)) <= found && found <= high + 1e-12 * Math.max(1, Math.abs(high));

/** In the games of the house everything is told; in others some answers may take too long. */
function likeOdds(expected, found, strict) {
  const trimmed = (complaints) => complaints.map((one) => ({ ...one, message: one.message.trim() }));
  assert.deepEqual(trimmed(found.complaints), trimmed(expected.complaints));
  if (!expected.odds) return assert.equal(found.odds, null);
  const { aim, chances, means = {}, degrees = {}, spreads = {} } = expected.odds;
  assert.equal(found.odds.aim, aim);
  for (const [name, [low, high]] of Object.entries(chances)) assert(close(low, high, found.odds.chances[name]), name);
  for (const [part, values] of Object.entries({ means, degrees }))
    for (const [name, value] of Object.entries(values))
      if (value !== null && (strict || found.odds[part][name] !== null)) assert(close(value, value, found.odds[part][name]), `${part} ${name}`);
  for (const [step, spread] of Object.entries(spreads)) {
    if (!strict && !found.odds.spreads[step]) continue;
    const told = new Map(found.odds.spreads[step]);
    for (const [value, chance] of spread?.values ?? [])
      assert(close(chance, chance + spread.others, told.get(value) ?? 0), `${step} ${value}`);
  }
}

/** `answer` puts questions to an engine, whose rules `load` makes of a game. */
export function* casesOf(file, { game, cases }, load, answer) {
  const { rules } = load(game);
  const changed = (rule, changes) => load({ ...game, rules: { [rule]: { ...game.rules[rule], ...changes } } }).rules[rule];
  for (const [number, { rule, changes, answer: expected, ...question }] of cases.entries())
    yield [`${file} ${number + 1}: ${question.door} ${rule}`, () => {
      const found = answer(changes ? changed(rule, changes) : rules[rule], question);
      if (question.door === "odds") likeOdds(expected, found, rule !== "roll" && file !== "dice.json");
      else assert.deepEqual(found, expected);
    }];
}
