// Dice that are rolled at once, as members of formulas and as sources of chance: odds/walk_pools.py explains the three forms.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {DieFace, Member, Point, Pool, Rule, Source} from "../engine/parts.d.ts" */
/** @import {Unroller, Words} from "./unroll.js" */
import { faceSources } from "./elimination.js";
import { compared, leafOf, textOf, asTruth } from "./fold.js";
import { highOf, lowOf, renamed } from "./open-values.js";
import { choose } from "./sums.js";
import { sum } from "../engine/messages.js";

export const COUNTS = "counts", SORTED = "sorted", ORDERED = "ordered";
const FEW_ROLLS = 500; // ways to roll dice in one source

/** On how many sides these faces are. @param {DieFace[]} faces */
export const sidesIn = (faces) => faces.reduce((so, { weight }) => so + weight, 0);
/** What the formulas of the members of a pool depend on. @param {Pool} pool */
export const shapeOf = ({ kind, number, form, dice, faces, present, blocks, thrown, isDeck, size }) => [kind, number, form, form === COUNTS ? blocks : dice, form === COUNTS ? faces.map(({ words }) => words) : thrown ? faces[0].words.map(([name]) => name) : [], isDeck ? size : sidesIn(thrown ?? faces), present];
/** @param {Pool} pool @param {number} die */
const variablesOf = ({ number, faces }, die) => faces[0].words.map((_, place) => `d${number}_${die}_${place}`);
/** @param {Pool} pool @param {Unroller} unroller @param {T.Tree | null} present @returns {Member[]} */
export function membersOf(pool, unroller, present) {
  const { kind, form, dice, faces, since, blocks, drawn } = pool, sides = sidesIn(pool.thrown ?? faces) + drawn;
  if (form === COUNTS)
    return (blocks.length ? blocks : [0]).flatMap((size, number) => {
      const start = sum(blocks.slice(0, number)), /** @type {[number, number] | null} */ block = blocks.length ? [start, start + size] : null;
      return faces.map((face, place) => {
        const words = Object.fromEntries(face.words.map(([name, value]) => [name, leafOf(value)])), isSingle = block && blocks.length === dice;
        return { kind, words: completeWords(unroller, kind, words, sides), count: /** @type {T.Tree} */ (["leaf", counterOf(pool, place, number)]), place: isSingle ? number : null, follows: null, since, weight: face.weight, face: face.words, block };
      });
    });
  return Array.from({ length: dice }, (_, die) => {
    /** @type {Words} */
    const words = Object.fromEntries(variablesOf(pool, die).map((leaf, place) => [faces[0].words[place][0], ["leaf", leaf]]));
    const count = present === null ? 1 : compared(">", present, die), isOrdered = form === ORDERED;
    return { kind, words: completeWords(unroller, kind, words, sides), count, place: isOrdered ? die : null, follows: isOrdered ? null : words.face, since, weight: 1, face: null, block: null };
  });
}
/** All words of a die that was rolled once. @param {Unroller} unroller @param {number} kind @param {Words} words @param {number} sides @returns {Words} */
export function completeWords(unroller, kind, words, sides) {
  const { face } = words, { rule } = unroller;
  /** @type {Words} */
  const own = Object.fromEntries(Object.entries(rule.words).map(([name, value]) => [name, leafOf(value)]));
  Object.assign(own, { value: face, first: face, throw: 1, last: 0, sides }, words);
  for (const [name, { tree }] of Object.entries(rule.dice[kind].tests)) own[name] = asTruth(unroller.formula(tree, own, {}));
  return own;
}
/** The variable for how many dice show a face, of cards those in one block. @param {Pool} pool @param {number} place @param {number} block */
const counterOf = ({ number, blocks }, place, block) => `f${number}_${place}${blocks.length ? `_${block}` : ""}`;
/** @param {Pool} pool @param {(leaf: string) => number} slotOf @returns {Source[]} */
export function sourcesOf(pool, slotOf) {
  const { form, dice, faces, number, isDeck, bits } = pool, sides = pool.thrown ? 1 : sidesIn(faces), whole = isDeck ? choose(sides, Math.min(dice, sides - dice)) : sides ** dice;
  if (pool.blocks.length) return blockSources(pool, slotOf);
  const slots = form === COUNTS ? faces.map((_, place) => slotOf(`f${number}_${place}`)) : [];
  if (form === COUNTS && waysOf(faces.length, dice) <= FEW_ROLLS) return [jointSource(slots, [...countedRolls(faces, dice, isDeck)], whole, dice * (bits ?? 0))];
  if (form === COUNTS) return faceSourcesOf(pool, slotOf).map(({ source }) => source);
  if (form === SORTED) return [jointSource(Array.from({ length: dice }, (_, die) => variablesOf(pool, die)).flat().map(slotOf), [...sortedRolls(faces, dice, isDeck)], whole)];
  const points = faces.map(({ words, weight }) => /** @type {Point} */ ([words.map(([, value]) => value), weight]));
  const renamedTo = (/** @type {number} */ die) => (pool.thrown ? points.map(([values, weight]) => /** @type {Point} */ ([values.map((value) => renamed(value, `${die} `)), weight])) : points);
  return Array.from({ length: dice }, (_, die) => jointSource(variablesOf(pool, die).map(slotOf), renamedTo(die), sides, bits));
}
/** Whether each face of a pool can be a source of its own. @param {Pool} pool */
export const isByFaces = ({ form, blocks, dice }) => form === COUNTS && !blocks.length && dice > 1;
/** A source for each face, with the value of the face; words come first. @param {Pool} pool @param {(leaf: string) => number} slotOf */
export function faceSourcesOf({ dice, faces, number, isDeck, bits, thrown }, slotOf) {
  const slots = faces.map((_, place) => slotOf(`f${number}_${place}`)), sides = thrown ? 1 : sidesIn(faces), weights = faces.map(({ weight }) => weight);
  const sources = isDeck ? cardSources(dice, slots, weights, sides) : faceSources(dice, slots, weights.map((weight) => weight / sides), bits ? 2 ** bits : sides);
  return sources.map((source, place) => ({ source, value: typeof faces[place].words[0][1] === "string" ? Infinity : Number(lowOf(faces[place].words[0][1])) }));
}
/** In how many ways cards can be dealt to hands of these sizes. @param {number} cards @param {number[]} hands */
function deal(cards, hands) {
  let ways = 1, left = cards;
  for (const size of hands) {
    ways *= size > left ? 0 : choose(left, Math.min(size, left - size));
    left -= size;
  }
  return ways;
}
/** All ways to take up to so many of each. @param {number[]} most @returns {number[][]} */
const product = (most) => most.reduce((found, size) => found.flatMap((one) => Array.from({ length: size + 1 }, (_, times) => [...one, times])), /** @type {number[][]} */ ([[]]));
/** Cards in blocks as one source for each face: how many of each block show it. One number counts the cards that are left of all blocks, digit by digit.
 * @param {Pool} pool @param {(leaf: string) => number} slotOf @returns {Source[]} */
function blockSources(pool, slotOf) {
  const { blocks, faces, number } = pool, steps = blocks.map((_, at) => blocks.slice(at + 1).reduce((so, size) => so * (size + 1), 1)), every = product(blocks);
  const names = faces.map((_, place) => slotOf(`b${number}_${place}`));
  let cards = sidesIn(faces);
  return faces.map(({ weight }, place) => {
    const all = cards, after = (cards -= weight);
    const points = every.map((left) => product(left.map((size) => Math.min(size, weight))).filter((taken) => sum(taken) <= weight && sum(left) - sum(taken) <= after).map((taken) => {
      const others = left.map((size, at) => size - taken[at]);
      return /** @type {Point} */ ([[sum(taken.map((times, at) => times * steps[at])), ...taken], (deal(weight, taken) * deal(after, others)) / deal(all, left)]);
    }));
    const counters = blocks.map((_, block) => slotOf(counterOf(pool, place, block))), sample = points[points.length - 1].map(([[, ...taken]]) => deal(weight, taken));
    const ranges = new Map(counters.map((slot, at) => [slot, /** @type {[number, number]} */ ([0, Math.min(blocks[at], weight)])]));
    ranges.set(names[place], [0, every.length - 1]);
    const later = faces.slice(place + 1).flatMap((_, at) => blocks.map((_, block) => slotOf(counterOf(pool, place + 1 + at, block))));
    const bits = sample.length ? Math.max(...[0, sample.length - 1, sample.length >> 1].map((at) => Math.floor(Math.log2(sample[at]) + 1e-9) + 1)) : 0;
    return { slots: [names[place], ...counters], points: place ? points : points[points.length - 1], perLeft: place > 0, ranges, rest: [...names.slice(place + 1), ...later], pool: names[0], bits };
  });
}
/** @param {number[]} slots @param {Point[]} points @param {number} whole @param {number} more  bits of the weights in Python @returns {Source} */
function jointSource(slots, points, whole, more = 0) {
  const ranges = new Map(slots.map((slot, place) => {
    const own = points.map(([values]) => values[place]);
    return [slot, /** @type {[number, number]} */ (typeof lowOf(own[0]) === "number" ? [Math.min(...own.map(lowOf)), Math.max(...own.map(highOf))] : [0, 0])];
  }));
  const bits = Math.max(...[0, points.length - 1, points.length >> 1].map((at) => Math.max(Math.floor(Math.log2(points[at][1]) + more) + 1, 0)));
  return { slots, points: points.map(([values, weight]) => [values, weight / whole]), ranges, perLeft: false, bits };
}
/** In how many ways so many of these dice, or of the cards of a deck, show a face. @param {DieFace} face @param {number} times @param {number} dice @param {boolean} isDeck */
const waysToShow = ({ weight }, times, dice, isDeck) => (!isDeck ? choose(dice, Math.min(times, dice - times)) * weight ** times : times > weight ? 0 : choose(weight, Math.min(times, weight - times)));
/** All rolls of equal dice, each with its faces in the order given, and its weight. @param {DieFace[]} faces @param {number} dice @param {boolean} isDeck @returns {Generator<Point>} */
function* sortedRolls(faces, dice, isDeck) {
  if (!dice) yield [[], 1];
  if (!dice || !faces.length) return;
  const [face, ...others] = faces, values = face.words.map(([, value]) => value);
  for (let times = dice; times >= 0; times--) {
    const share = waysToShow(face, times, dice, isDeck);
    if (share) for (const [rest, weight] of sortedRolls(others, dice - times, isDeck)) yield [[...Array(times).fill(values).flat(), ...rest], share * weight];
  }
}
/** In how many ways dice show some faces. @param {number} faces @param {number} dice */
const waysOf = (faces, dice) => choose(faces + dice - 1, Math.min(dice, faces - 1));
/** How many of some dice show each face, in all ways, with weights. @param {DieFace[]} faces @param {number} dice @param {boolean} isDeck @returns {Generator<Point>} */
function* countedRolls([face, ...others], dice, isDeck) {
  if (!others.length) {
    const share = waysToShow(face, dice, dice, isDeck);
    if (share) yield [[dice], share];
  } else for (let times = dice; times >= 0; times--) {
    const share = waysToShow(face, times, dice, isDeck);
    if (share) for (const [rest, weight] of countedRolls(others, dice - times, isDeck)) yield [[times, ...rest], share * weight];
  }
}
/** Cards as one source for each face: how many of those drawn show it; the chances of a face are those among the cards that are left.
 * The range of the first source says how many are drawn.
 * @param {number} dice @param {number[]} slots @param {number[]} copies @param {number} whole @returns {Source[]} */
function cardSources(dice, slots, copies, whole) {
  let cards = whole;
  return slots.map((slot, number) => {
    const own = copies[number], after = cards - own, all = cards;
    cards = after;
    const points = Array.from({ length: dice + 1 }, (_, left) => {
      const least = Math.max(left - after, 0), most = Math.min(left, own);
      return Array.from({ length: Math.max(most - least + 1, 0) }, (_, place) => {
        const times = least + place;
        return /** @type {Point} */ ([[times], (choose(own, Math.min(times, own - times)) * choose(after, Math.min(left - times, after - left + times))) / choose(all, Math.min(left, all - left))]);
      });
    });
    const sample = points[dice], bits = sample.length ? Math.max(...[0, sample.length - 1, sample.length >> 1].map((at) => Math.floor(Math.log2(choose(own, Math.min(sample[at][0][0], own - sample[at][0][0]))) + 1e-9) + 1)) : 0;
    return { slots: [slot], points: number ? points : points[dice], perLeft: number > 0, ranges: new Map([[slot, /** @type {[number, number]} */ ([0, number ? Math.min(dice, own) : dice])]]), rest: slots.slice(number + 1), pool: slots[0], bits };
  });
}
/** Faces that nothing tells apart become one; `unroller` knows what is asked about these kinds, which have them. @param {Unroller} unroller @param {number[]} kinds @param {DieFace[]} faces @returns {DieFace[]} */
export function mergeFaces(unroller, kinds, faces) {
  const sides = sidesIn(faces), /** @type {Map<string, DieFace>} */ merged = new Map();
  for (const face of faces) {
    const own = Object.fromEntries(face.words.map(([name, value]) => [name, leafOf(value)]));
    const key = JSON.stringify(kinds.flatMap((kind) => {
      const words = completeWords(unroller, kind, own, sides);
      return [...(unroller.asked.get(kind)?.values() ?? [])].map((asked) => textOf(unroller.formula(asked, words, {})));
    })), old = merged.get(key);
    merged.set(key, old ? { words: face.words, weight: face.weight + old.weight } : face);
  }
  return [...merged.values()];
}
/** The form that has the fewest states. @param {number} dice @param {DieFace[]} faces @param {DieFace[]} merged */
export function chooseForm(dice, faces, merged) {
  if (faces.some(({ words }) => words.length > 1)) return COUNTS;
  if (dice <= 1) return ORDERED;
  return 2 * dice <= merged.length && waysOf(faces.length, dice) <= FEW_ROLLS ? SORTED : COUNTS;
}
/** The highest first, so that what is picked is known early. @param {DieFace[]} faces @returns {DieFace[]} */
export const orderFaces = (faces) => [...faces].sort((a, b) => {
  for (let place = 0; place < a.words.length; place++) {
    const [one, other] = [b.words[place][1], a.words[place][1]];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
});
/** The values that faces can show, by word. @param {DieFace[]} faces @returns {Record<string, any[]>} */
export function faceValues(faces) {
  /** @type {Record<string, any[]>} */
  const found = {};
  for (const { words } of faces) for (const [name, value] of words) if (!(found[name] ??= []).includes(value)) found[name].push(value);
  return found;
}
