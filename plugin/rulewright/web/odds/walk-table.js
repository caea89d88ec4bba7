// The best answer to a question in the middle of a roll: a walk that begins with the dice on the table. As odds/walk_table.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Aims, BoundRule, Die, DiceRoller, Frame, Member, Values} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { RollError, sum } from "../engine/messages.js";
import { NotExactError, budgetOf, ifPaid } from "./budget.js";
import { leafOf } from "./fold.js";
import { RoundsSolver } from "./rounds-odds.js";
import { Unroller } from "./unroll.js";
import { kindsBefore } from "./walk-frames.js";
import { completeWords, faceValues } from "./walk-pools.js";
import { Walk } from "./walk.js";

/** Who answers questions for a player; where the best answer cannot be found out, the plainest one.
 * @param {string} aim @returns {(play: DiceRoller, entry: T.Input) => any} */
export const answerer = (aim) => ({ bound, dice }, entry) => {
  const aims = chooseAims(bound.rule, aim);
  if (aims.answer !== null) return aims.answer;
  try {
    const budget = budgetOf(bound.rule.game), found = ifPaid(() => budget.question(() => [bestAnswer(bound, aims, dice, entry, budget)]));
    return found ? found[0] : entry.default;
  } catch (error) {
    if (error instanceof NotExactError || error instanceof RollError) return entry.default;
    throw error;
  }
};
/** @param {BoundRule} bound @param {Aims} aims @param {Die[]} dice @param {T.Input} entry @param {any} budget */
function bestAnswer(bound, aims, dice, entry, budget) {
  const [conditions, values, worth] = bound.rule.hasRounds ? new RoundsSolver(bound, aims).askNow() : [[], [/** @type {any} */ (aims.goal.formula)]];
  const walk = new Walk(bound, conditions, values, budget, new Map(), aims.taking.what !== "never", worth);
  const position = walk.setup.program.findIndex(({ what, of }) => what === "choice" && of[0] === entry.name);
  if (position < 0) return entry.default;
  const known = { ...walk.known };
  return walk.choose(layTable(walk, bound, dice, position, known), known, entry.name)[0];
}
/** What is left of a walk with these dice on the table; `known` learns what they show.
 * @param {Walk} walk @param {BoundRule} bound @param {Die[]} dice @param {number} position @param {Values} known @returns {Frame} */
function layTable(walk, bound, dice, position, known) {
  const { setup, frame } = walk, statements = new Map(frame.statements), /** @type {Map<number, Member[]>} */ tables = new Map(), domains = new Map(), bounds = { ...frame.bounds };
  for (const { what, of } of setup.program.slice(0, position))
    if (what === "choice") {
      statements.delete(of[0]);
      known[of[0]] = bound.known[of[0]];
    }
  for (const kind of kindsBefore(setup, position)) tables.set(kind, []);
  for (const kind of tables.keys()) {
    const own = dice.filter((die) => die.kind === kind);
    if (!own.length) continue;
    const copies = bound.rule.dice[kind].faces.map((_, face) => (bound.rule.dice[kind].deck.length ? bound.kinds[kind].faces.filter((one) => one === face).length : 1)), faces = walk.listFaces(kind, bound.kinds[kind].faces.length, bound.rule.dice[kind].deck.length ? copies : []), sides = sum(faces.map(({ weight }) => weight));
    const placeOf = (/** @type {number} */ face) => (copies.length ? sum(copies.slice(0, face).map((one) => +!!one)) : face - 1);
    domains.set(kind, faceValues(faces));
    const unroller = new Unroller(walk.rule, setup.constants, tables, domains, setup.eager);
    const words = faces.map((face) => completeWords(unroller, kind, Object.fromEntries(face.words.map(([name, value]) => [name, leafOf(value)])), sides));
    const since = (/** @type {Die} */ die) => setup.program.findIndex(({ what, of }) => what === (die.earned ? "earned" : "dice") && of.includes(kind));
    const shown = own.map((die) => ({ since: since(die), face: placeOf(die.throws[die.throws.length - 1].face) }));
    if (!walk.held[position].has(kind)) {
      tables.set(kind, shown.map(({ since, face }, place) => ({ kind, words: words[face], count: 1, place, follows: null, since, weight: 1, face: null, block: null })));
      continue;
    }
    tables.set(kind, [...new Set(shown.map((one) => one.since))].flatMap((since) => faces.map((face, place) => {
      const name = `TABLE_${kind}_${since}_${place}`;
      bounds[name] = [0, own.length];
      known[name] = shown.filter((one) => one.since === since && one.face === place).length;
      return { kind, words: words[place], count: /** @type {T.Tree} */ (["name", name]), place: null, follows: null, since, weight: face.weight, face: face.words, block: null };
    })));
  }
  return { ...frame, position, statements, tables, domains, bounds, found: new Map() };
}
