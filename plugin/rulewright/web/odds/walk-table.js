// The best answer to a question in the middle of a roll: a walk that begins with the dice on the table. As odds/walk_table.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Aims, BoundRule, Die, DiceRoller, Frame, Member, Values} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { RollError, sum } from "../engine/messages.js";
import { findPickable, writePicked } from "../engine/picked-dice.js";
import { NotExactError, budgetOf, ifPaid } from "./budget.js";
import { leafOf } from "./fold.js";
import { RoundsSolver } from "./rounds-odds.js";
import { tallyKinds } from "./rule-facts.js";
import { Unroller, goesOn, takenName } from "./unroll.js";
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
    if (found) return found[0];
  } catch (error) {
    if (!(error instanceof NotExactError || error instanceof RollError)) throw error;
  }
  if (entry.form !== "dice") return entry.default;
  const [able, most] = findPickable(bound, entry.name), highest = [...able].sort((a, b) => b.value - a.value).slice(0, most);
  return writePicked(bound.rule, able.filter((die) => highest.includes(die)));
};
/** @param {BoundRule} bound @param {Aims} aims @param {Die[]} dice @param {T.Input} entry @param {any} budget */
function bestAnswer(bound, aims, dice, entry, budget) {
  const [conditions, values, worth] = bound.rule.hasRounds ? new RoundsSolver(bound, aims).askNow() : [[], [/** @type {any} */ (aims.goal.formula)]];
  const walk = new Walk(bound, conditions, values, budget, new Map(), aims.taking.what !== "never", worth);
  const position = walk.setup.program.findIndex(({ what, of }) => what === "choice" && of[0] === entry.name);
  if (position < 0) return entry.default;
  const known = { ...walk.known }, /** @type {Map<number, number[][]>} */ places = new Map(), frame = layTable(walk, bound, dice, position, known, places);
  const [best] = walk.choose(frame, known, entry.name);
  if (entry.form !== "dice") return best;
  const chosen = [...places].flatMap(([kind, members]) => members.flatMap((own, place) => own.slice(0, best[takenName(entry.name, kind, place)] ?? 0)));
  return writePicked(bound.rule, findPickable(bound, entry.name)[0].filter(({ place }) => chosen.includes(place)));
}
/** What is left of a walk with these dice on the table; `known` learns what they show, `places` the dice of each member by kind.
 * @param {Walk} walk @param {BoundRule} bound @param {Die[]} dice @param {number} position @param {Values} known @param {Map<number, number[][]>} places @returns {Frame} */
function layTable(walk, bound, dice, position, known, places) {
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
    if (goesOn(walk.rule, kind)) {
      const isAsked = walk.rule.tallies.some(({ perThrow }, number) => perThrow && tallyKinds(walk.rule, number).has(kind));
      if (walk.held[position].has(kind) || (isAsked && own.some(({ throws }) => throws.length > 1))) throw new NotExactError();
      tables.set(kind, own.map((die, place) => {
        const { throws } = die, words = { face: sum(throws.map(({ value }) => value)), first: throws[0].value, last: throws.at(-2)?.value ?? 0, throw: throws.length };
        const shown = completeWords(unroller, kind, words, sides);
        return { kind, words: shown, count: 1, place, follows: null, since: since(die), weight: 1, face: null, block: null };
      }));
      continue;
    }
    const shown = own.map((die) => ({ since: since(die), face: placeOf(die.throws[die.throws.length - 1].face) }));
    const lying = own.map((die) => dice.indexOf(die)), /** @type {number[][]} */ members = [];
    places.set(kind, members);
    if (!walk.held[position].has(kind)) {
      members.push(...lying.map((place) => [place]));
      tables.set(kind, shown.map(({ since, face }, place) => ({ kind, words: words[face], count: 1, place, follows: null, since, weight: 1, face: null, block: null })));
      continue;
    }
    tables.set(kind, [...new Set(shown.map((one) => one.since))].flatMap((since) => faces.map((face, place) => {
      const name = `TABLE_${kind}_${since}_${place}`;
      bounds[name] = [0, own.length];
      members.push(lying.filter((_, at) => shown[at].since === since && shown[at].face === place));
      known[name] = members[members.length - 1].length;
      return { kind, words: words[place], count: /** @type {T.Tree} */ (["name", name]), place: null, follows: null, since, weight: face.weight, face: face.words, block: null };
    })));
  }
  for (const { what, of } of setup.program.slice(0, position))
    if (what === "choice" && bound.rule.picks.has(of[0])) {
      const picked = known[of[0]].split(" ").filter(Boolean).map(Number);
      for (const [kind, members] of places) members.forEach((own, place) => {
        const name = takenName(of[0], kind, place);
        bounds[name] = [0, dice.length];
        known[name] = own.filter((one) => picked.includes(one)).length;
      });
    }
  return { ...frame, position, statements, tables, domains, bounds, found: new Map() };
}
