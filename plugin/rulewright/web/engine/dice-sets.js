// Functions over sets of dice that other dice decide: what they give is read from the table.
/** @import * as T from "./engine.d.ts" */
/** @import {BoundRule, Die, DiceSet, Rule, Run, Table, TableDie, Tally, Values} from "./parts.d.ts" */
import { compile, namesIn } from "./formula.js";
import { countGroups } from "./dice-groups.js";
import { sum } from "./messages.js";

/** @param {T.Tree | null} tree @returns {number[]} */
export const talliesIn = (tree) => (Array.isArray(tree) ? (tree[0] === "tally" ? [tree[1]] : tree.slice(1).flatMap((part) => talliesIn(/** @type {T.Tree} */ (part)))) : []);

const MOST_PICKS = 3; // steps whose dice are marked
/** Whether the dice of one kind alone decide a tally, whatever the values that are known only later.
 * @param {Rule} rule @param {Tally} tally @param {Set<string>} early */
export function isPlain(rule, { set, word, function: way, test }, early) {
  if (word || set === null || way === "groups" || (test !== null && way !== "count")) return false;
  const [kind] = kindsOf(rule, set), keep = rule.keptSets[kind];
  const names = test === null ? [] : [...namesIn(test)];
  return set === (keep ?? kind) && rule.sets[keep === null ? set : kind].op === "kind" && !talliesIn(test).length
    && names.every((name) => (name in rule.words ? name !== "first" : early.has(name)));
}
/** The kinds of dice in a set. @param {Rule} rule @param {number} set @returns {number[]} */
export function kindsOf(rule, set) {
  const { op, of } = rule.sets[set];
  return op === "kind" ? of : [...new Set((op === "without" ? of.slice(0, 1) : of).flatMap((part) => kindsOf(rule, part)))];
}
/** Whether a set is all dice of its kinds. @param {Rule} rule @param {number} set @returns {boolean} */
export function isWhole(rule, set) {
  const { op, of } = rule.sets[set];
  return op === "kind" || (op === "together" && of.every((part) => isWhole(rule, part)));
}
/** The highest or lowest dice of each kind, where these are all that the rule looks at: the number of their set.
 * @param {Rule} rule @param {Set<string>} early @returns {(number | null)[]} */
export function findKept(rule, early) {
  return rule.dice.map((_, kind) => {
    const used = new Set(rule.tallies.flatMap(({ set }) => (set !== null && kindsOf(rule, set).includes(kind) ? [set] : [])));
    const [first] = used.size ? used : rule.sets.flatMap(({ number, op }, set) => (number && op !== "kind" && kindsOf(rule, set)[0] === kind ? [set] : []));
    const own = used.size < 2 && first !== undefined ? rule.sets[first] : null;
    const isKept = own && ["highest", "lowest"].includes(own.op) && own.by === null && rule.sets[own.of[0]].op === "kind";
    return isKept && own.number && !talliesIn(own.number.tree).length && own.number.names.every((name) => early.has(name)) ? first : null;
  });
}
/** The steps that pick dice for all to see; not those where the dice that are left do not count at all.
 * @param {Rule} rule @returns {string[]} */
export function pickingSteps(rule) {
  const isPicking = (/** @type {number} */ set) => (rule.sets[set].op === "together" ? rule.sets[set].of.some(isPicking) : rule.sets[set].op !== "kind");
  return [...rule.picked].filter(([name, set]) => rule.labels.get(name) !== "" && isPicking(set) && !rule.keptSets.includes(set)).map(([name]) => name).slice(0, MOST_PICKS);
}
/** The values that a tally rests on. @param {Rule} rule @param {number} number @returns {Set<string>} */
export function tallyNames(rule, number) {
  const { set, test, word, domain } = rule.tallies[number], found = treeNames(rule, [test]);
  found.delete(word);
  for (const name of [...treeNames(rule, [domain]), ...(set === null ? [] : setNames(rule, set))]) found.add(name);
  return found;
}
/** @param {Rule} rule @param {number} set @returns {string[]} */
export function setNames(rule, set) {
  const { op, of, number, by, test } = rule.sets[set];
  return [...treeNames(rule, [number?.tree ?? null, by, test]), ...(op === "kind" ? [] : of.flatMap((part) => setNames(rule, part)))];
}
/** @param {Rule} rule @param {(T.Tree | null)[]} trees @returns {Set<string>} */
const treeNames = (rule, trees) => new Set(trees.flatMap((tree) => (tree === null ? [] : [...namesIn(tree), ...talliesIn(tree).flatMap((number) => [...tallyNames(rule, number)])])).filter((name) => !(name in rule.words)));

/** @typedef {(v: Values, t: any) => TableDie[]} ReadDice */
const byPlace = (/** @type {TableDie} */ a, /** @type {TableDie} */ b) => a.place - b.place;
/** What a function gives over these numbers; 0 where there are none. @param {string} way @param {number[]} found */
function foldValues(way, found) {
  if (way === "sum" || way === "count" || !found.length) return sum(found);
  return way === "highest" || way === "max" ? Math.max(...found) : Math.min(...found);
}
/** @param {Values} v @param {Values} words @returns {Values} */
const withWords = (v, words) => Object.assign(Object.create(v), words);

/** The function that reads a tally from the table. @param {Rule} rule @param {Tally} tally @param {T.Tables} game @returns {Run} */
export function tallyReader(rule, { function: way, set, test, word, domain, perThrow }, game) {
  const body = compile(test ?? 0, game, "");
  if (word) {
    const values = domainReader(domain, game);
    return (v, t) => foldValues(way, values(v, t).map((value) => body(withWords(v, { [word]: value }), t)));
  }
  const read = setReader(rule, /** @type {number} */ (set), game);
  if (way === "groups") return (v, t) => countGroups(read(v, t).map(({ value }) => value), body(v, t));
  if (test === null) return (v, t) => foldValues(way, read(v, t).map(({ value }) => (way === "count" ? 1 : value)));
  return (v, t) => foldValues(way, read(v, t).flatMap((die) => (perThrow ? die.rows : [die.whole]).map((words) => +body(withWords(v, words), t))));
}
/** @param {any[]} domain @param {T.Tables} game @returns {(v: Values, t: any) => number[]} */
function domainReader([op, ...rest], game) {
  const /** @type {any[]} */ args = rest;
  if (op === "faces") return (_, t) => [...new Set(/** @type {number[]} */ (args.slice(1).flatMap((/** @type {number} */ kind) => t.table.faces(kind, args[0]))))];
  const [low, high] = args.map((arg) => compile(arg, game, ""));
  return (v, t) => Array.from({ length: Math.max(high(v, t) - low(v, t) + 1, 0) }, (_, place) => low(v, t) + place);
}
/** @param {Rule} rule @param {number} set @param {T.Tables} game @returns {ReadDice} */
export function setReader(rule, set, game) {
  const { op, of, number, by, test } = rule.sets[set];
  if (op === "kind") return (_, t) => t.table.dice[of[0]];
  const parts = of.map((part) => setReader(rule, part, game)), [read] = parts;
  if (op === "together") return (v, t) => [...new Set(parts.flatMap((part) => part(v, t)))].sort(byPlace);
  if (op === "without") return (v, t) => read(v, t).filter((die) => !parts[1](v, t).includes(die));
  if (op === "any") return (v, t) => read(v, t).filter(({ place }) => v[/** @type {any} */ (by)[1]].split(" ").includes(String(place)));
  const ask = compile(test ?? by ?? ["name", "value"], game, ""), asked = (/** @type {Values} */ v, /** @type {any} */ t) => (/** @type {TableDie} */ die) => ask(withWords(v, die.whole), t);
  if (op === "where") return (v, t) => read(v, t).filter(asked(v, t));
  const most = (/** @type {Values} */ v, /** @type {any} */ t) => Math.max(/** @type {any} */ (number).run(v, t), 0);
  if (op === "first") return (v, t) => read(v, t).slice(0, most(v, t));
  const sign = op === "highest" ? -1 : 1;
  return (v, t) => {
    const ranked = read(v, t).map((die) => ({ die, key: sign * asked(v, t)(die) }));
    return ranked.sort((a, b) => a.key - b.key || a.die.kind - b.die.kind || byPlace(a.die, b.die)).slice(0, most(v, t)).map(({ die }) => die).sort(byPlace);
  };
}
/** The dice on the table as functions over sets see them. @param {BoundRule} bound @param {Die[]} dice @returns {Table} */
export function layOut(bound, dice) {
  const { rule, known } = bound, found = dice.map((die, place) => layDie(bound, die, place));
  return {
    dice: rule.dice.map((_, kind) => found.filter((die) => die.kind === kind)),
    faces: (kind, part) => (found.some((die) => die.kind === kind) ? [...new Set(bound.kinds[kind].faces)].flatMap((face) => rule.wordsOn(kind, face)[part || "face"] ?? []) : []),
    known,
  };
}
/** @param {BoundRule} bound @param {Die} die @param {number} place @returns {TableDie} */
function layDie({ rule, kinds, known }, { kind, throws }, place) {
  const value = sum(throws.map((one) => one.value)), { tests } = rule.dice[kind];
  const rows = throws.map((one, at) => {
    const /** @type {Values} */ words = { ...rule.words, last: at ? throws[at - 1].value : 0, first: throws[0].value, throw: at + 1, sides: kinds[kind].faces.length, value, ...rule.wordsOn(kind, one.face) };
    for (const name in tests) words[name] = +!!tests[name].run({ ...known, ...words }, []);
    return words;
  });
  return { place, kind, value, throws, rows, whole: { ...rows[rows.length - 1], face: value } };
}
