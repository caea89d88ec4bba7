// Dice that lie and are rolled again, as entries of the rule say. As odds/walk_again.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {DieFace, Frame, Member, Rule, Values} from "../engine/parts.d.ts" */
/** @import {Setup} from "./walk-frames.js" */
import { sum } from "../engine/messages.js";
import { NotExactError } from "./budget.js";
import { leafOf, substitute } from "./fold.js";
import { opOf } from "./plan.js";
import { entryKinds } from "./rule-facts.js";
import { choose } from "./sums.js";
import { Unroller } from "./unroll.js";
import { completeWords } from "./walk-pools.js";

/** @typedef {{name: string, kind: number, group: string, value: number, meets: boolean, weight: number, turn: number | null}} Class  dice that show one face */

/** The dice that an entry of the rule may roll again; those that a set picks are told for one pick only. @param {Setup} setup @param {Frame} frame @param {Values} known @param {any} entry @returns {[Class[], ((counts: number[]) => number[]) | null]} */
export function findDice({ rule, constants, eager }, frame, known, entry) {
  const unroller = new Unroller(rule, constants, frame.tables, frame.domains, eager), classes = findClasses(rule, entry, frame.tables, known, unroller);
  return [classes, entry.read ? findAble(rule, entry, classes, known, unroller) : null];
}
/** How many dice of each class are in the set of an entry, by how many there are. @param {Rule} rule @param {any} entry @param {Class[]} classes @param {Values} known @param {Unroller} unroller @returns {(counts: number[]) => number[]} */
function findAble(rule, entry, classes, known, unroller) {
  const sizes = new Map(unroller.sizes(unroller.dice(entry.of, {})).map(([number, size]) => [/** @type {any} */ (unroller.members[number].count)[1], size]));
  return (counts) => {
    const values = { ...known, ...Object.fromEntries(classes.map(({ name }, place) => [name, counts[place]])) };
    return classes.map(({ name }) => {
      const found = substitute(sizes.get(name) ?? 0, values, rule.game);
      if (typeof found !== "number") throw new NotExactError();
      return found;
    });
  };
}
/** The faces of a die that entries roll again, each so many times, with weights.
 * @param {Rule} rule @param {number} kind @param {DieFace[]} faces @param {[any, number][]} entries @param {Unroller} unroller @returns {DieFace[]} */
export function settleFaces(rule, kind, faces, entries, unroller) {
  const sides = sum(faces.map(({ weight }) => weight)), words = faces.map((face) => completeWords(unroller, kind, Object.fromEntries(face.words.map(([name, value]) => [name, leafOf(value)])), sides));
  let weights = faces.map(({ weight }) => weight);
  for (const [{ when }, times] of entries) {
    const meets = words.map((own) => substitute(unroller.formula(when ? when.tree : 1, own, {}), {}, rule.game));
    if (meets.some((own) => typeof own !== "number")) throw new NotExactError();
    for (let left = times; left; left--) {
      const again = sum(weights.filter((_, place) => meets[place]));
      weights = weights.map((weight, place) => (meets[place] ? 0 : weight * sides) + again * faces[place].weight);
    }
  }
  const common = weights.reduce(divisor);
  return faces.map((face, place) => ({ words: [...face.words, ["sides", sides]], weight: weights[place] / common }));
}
/** @type {(a: number, b: number) => number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : a);
/** @param {Rule} rule @param {any} entry @param {Map<number, Member[]>} tables @param {Values} known @param {Unroller} unroller @returns {Class[]} */
function findClasses(rule, entry, tables, known, unroller) {
  return entryKinds(rule, entry).flatMap((kind) => (tables.get(kind) ?? []).map((member) => {
    if (opOf(member.count) !== "name") throw new NotExactError();
    const [meets, turn] = [entry.when, entry.turn].map((asked) => substitute(unroller.formula(asked ? asked.tree : 1, member.words, {}), known, rule.game)), { value } = member.words;
    if (typeof meets !== "number" || typeof turn !== "number" || typeof value !== "number") throw new NotExactError();
    return { turn: entry.turn ? turn : null, name: /** @type {any} */ (member.count)[1], kind, group: `${kind} ${member.since}`, value, meets: !!meets, weight: member.weight };
  }));
}
/** How many of some dice fall on each class. @param {number} dice @param {number[]} shares @returns {[number[], number][]} */
export function spread(dice, [share, ...others]) {
  if (!others.length) return share || !dice ? [[[dice], share ** dice]] : [];
  return Array.from({ length: share ? dice + 1 : 1 }, (_, first) => first).flatMap((first) => {
    const weight = choose(dice, Math.min(first, dice - first)) * share ** first;
    return spread(dice - first, others).map(([rest, part]) => /** @type {[number[], number]} */ ([[first, ...rest], weight * part]));
  });
}
