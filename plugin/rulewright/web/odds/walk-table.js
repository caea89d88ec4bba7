// The best answer to a question in the middle of a roll: a walk that begins with the dice on the table. As odds/walk_table.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Aims, BoundRule, Die, DiceRoller, Formula, Frame, Judge, Member, Values} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { RollError, sum } from "../engine/messages.js";
import { findPickable, writePicked } from "../engine/picked-dice.js";
import { higher } from "../engine/random-roll.js";
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
  if (aims.answer !== null && !entry.goal) return aims.answer;
  const found = askWalk(bound, () => [bestAnswer(bound, aims, dice, entry)]);
  if (found) return found[0];
  if (entry.form !== "dice") return entry.default;
  const [able, most] = findPickable(bound, entry.name), highest = [...able].sort((a, b) => b.value - a.value).slice(0, most);
  return writePicked(bound.rule, able.filter((die) => highest.includes(die)));
};
/** What a walk answers; null where it cannot. @template X @param {BoundRule} bound @param {() => X} ask @returns {X | null} */
export function askWalk(bound, ask) {
  try {
    return ifPaid(() => budgetOf(bound.rule.game).question(ask));
  } catch (error) {
    if (error instanceof NotExactError || error instanceof RollError) return null;
    throw error;
  }
}
/** @typedef {{walk: Walk, frame: Frame, known: Values, places: Map<number, number[][]>}} Table  a walk that begins with the dice on the table */
/** A walk that begins with these dice before a stage; null if nothing depends on what is chosen there.
 * @param {BoundRule} bound @param {Aims} aims @param {Die[]} dice @param {string} what @param {any} of
 * @param {Formula | null} [goal]  of a choice that does not follow the aim @returns {Table | null} */
function openTable(bound, aims, dice, what, of, goal) {
  const [conditions, values, worth] = goal ? [[], [goal]] : bound.rule.hasRounds ? new RoundsSolver(bound, aims).askNow() : [[], [/** @type {any} */ (aims.goal.formula)]];
  const walk = new Walk(bound, conditions, values, budgetOf(bound.rule.game), new Map(), aims.taking.what !== "never", worth);
  const position = walk.setup.program.findIndex((stage) => stage.what === what && stage.of[0] === of);
  if (position < 0) return null;
  const known = { ...walk.known }, places = new Map();
  return { walk, known, places, frame: layTable(walk, bound, dice, position, known, places) };
}
/** One player's picks for one roll: the best dice, and the better of two. @param {Aims} aims */
export function picker(aims) {
  /** @type {[BoundRule | null, number, Table | null]} the same for all picks of an entry */
  let laid = [null, -1, null];
  const lay = (/** @type {BoundRule} */ bound, /** @type {Die[]} */ dice, /** @type {number} */ number) => {
    if (laid[0] !== bound || laid[1] !== number) laid = [bound, number, openTable(bound, aims, dice, "again", number, bound.rule.rerolls[number].goal)];
    return laid[2];
  };
  const nameOf = (/** @type {Table} */ { walk }, /** @type {Die} */ { kind, earned, throws }) => {
    const since = walk.setup.program.findIndex(({ what, of }) => what === (earned ? "earned" : "dice") && of.includes(kind));
    return `TABLE_${kind}_${since}_${throws[throws.length - 1].face - (walk.rule.dice[kind].faces.length ? 0 : 1)}`;
  };
  const planOf = (/** @type {Table} */ table, /** @type {Die[]} */ dice, /** @type {number} */ number, /** @type {number} */ left) => {
    const plan = table.walk.findPlan(table.frame, table.known, table.walk.rule.rerolls[number], left), shown = dice.map((die) => nameOf(table, die));
    return { plan, shown, counts: plan.classes.map(({ name }) => shown.filter((one) => one === name).length) };
  };
  return {
    /** The places of the dice that are best picked next, each with the face that it is turned to, if that is chosen; null where that does not matter.
     * @param {BoundRule} bound @param {Die[]} dice @param {number} number @param {number} left @returns {Map<number, number | null> | null} */
    best(bound, dice, number, left) {
      const table = lay(bound, dice, number);
      if (!table) return null;
      const { plan, shown, counts } = planOf(table, dice, number, left), move = plan.best(left, counts)[0], wanted = new Map(plan.classes.map(({ name }, place) => [name, move?.taken[place] ?? 0]));
      const faces = plan.classes.flatMap(({ name, kind, value }, place) => {
        const group = name.slice(0, name.lastIndexOf("_") + 1), face = Number(name.slice(group.length)) + (table.walk.rule.dice[kind].faces.length ? 0 : 1);
        return Array(move?.turned?.[place] ?? 0).fill({ group, face, value });
      }).sort((a, b) => a.value - b.value); // of dice turned together the first show the lowest
      return new Map(shown.flatMap((name, place) => {
        const more = wanted.get(name) ?? 0, at = faces.findIndex(({ group }) => name.startsWith(group));
        wanted.set(name, more - 1);
        return more > 0 ? [[place, at < 0 ? null : faces.splice(at, 1)[0].face]] : [];
      }));
    },
    /** Whether a new die is at least as good in its place as the old one; null where that does not matter. @param {BoundRule} bound @param {Die[]} dice @param {number} place @param {Die} made @param {number} number @param {number} left @returns {boolean | null} */
    prefers(bound, dice, place, made, number, left) {
      const table = lay(bound, dice, number);
      if (!table) return null;
      const { plan, shown, counts } = planOf(table, dice, number, left), next = nameOf(table, made);
      const after = counts.map((count, at) => count + +(plan.classes[at].name === next) - +(plan.classes[at].name === shown[place]));
      return plan.better(left - 1, after, counts)[0] === after;
    },
  };
}
/** Says which of two dice is better for an aim; where that cannot be found out, the higher one. @param {string} aim @returns {Judge} */
export function judge(aim) {
  /** @type {ReturnType<typeof picker> | undefined} */
  let own;
  return (play, place, made, number, left) => {
    const picks = (own ??= picker(chooseAims(play.bound.rule, aim)));
    return askWalk(play.bound, () => picks.prefers(play.bound, play.dice, place, made, number, left)) ?? higher(play, place, made, number, left);
  };
}
/** @param {BoundRule} bound @param {Aims} aims @param {Die[]} dice @param {T.Input} entry */
function bestAnswer(bound, aims, dice, entry) {
  const table = openTable(bound, aims, dice, "choice", entry.name, entry.goal);
  if (!table) return entry.default;
  const { walk, frame, known, places } = table;
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
