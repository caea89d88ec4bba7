// Dice that a player picks in a walk: of each class so many, as is best for the aim. As odds/walk_picks.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Frame, Rule, Values} from "../engine/parts.d.ts" */
/** @import {Walk, Walked} from "./walk.js" */
import { RollError, cachedIn, say } from "../engine/messages.js";
import { NotExactError } from "./budget.js";
import { eliminate } from "./elimination.js";
import { subtract } from "./fold.js";
import { opOf } from "./plan.js";
import { kindsOf } from "./rule-facts.js";
import { Unroller } from "./unroll.js";
import { isBetter, listPicks, pickBest } from "./walk-choices.js";
import { SegmentPlan, layPools, plainMapped } from "./walk-frames.js";

const OPTION_COST = 8; // what an option costs where the walk goes on, in steps; what is new there costs more
const MOST_PICKED = 10_000;
const OPTION = "OPTION";

/** What must be known where dice are picked: how many at most, and of which. @param {Rule} rule @param {any} stage @param {number} position @returns {Map<string, T.Tree>} */
export function pickParameters(rule, { what, of }, position) {
  const own = what === "choice" ? rule.picks.get(of[0]) : null;
  return new Map(own ? [[`amount ${position}`, /** @type {any} */ (own.number).tree], [`able ${position}`, ["dice", own.of[0]]]] : []);
}
/** The best dice to pick, and where that leads to; of equal choices the first.
 * @param {Walk} walk @param {Frame} frame @param {Values} known @param {T.Input} entry @returns {[Values, Walked]} */
export function pickDice(walk, frame, known, entry) {
  const { name } = entry, worth = walk.worthFor(entry);
  if (name in walk.bound.values) throw new RollError(say("wrong pick early", { name }));
  const { found, position } = frame, most = walk.workOut(frame, known, /** @type {T.Tree} */ (frame.parameters.get(`amount ${position}`)));
  const able = cachedIn(found, "able", () => pickClasses(walk, frame, name));
  const sizes = able.map((/** @type {any} */ { size }) => (opOf(size) === "name" ? known[size[1]] : walk.workOut(frame, known, size)));
  if (![most, ...sizes].every((one) => typeof one === "number")) throw new NotExactError();
  /** @type {string[]} */
  const numbers = able.map((/** @type {any} */ own) => own.name), options = [...listPicks(sizes, /** @type {number} */ (most), [...sizes.keys()])];
  const named = (/** @type {number[]} */ counts) => ({ ...Object.fromEntries(numbers.map((one, place) => [one, counts[place]])), [name]: counts.join(" ") });
  const after = cachedIn(found, "after", () => afterPick(walk, frame, name, numbers));
  if (after.position === walk.setup.program.length) {
    const [best, walked] = pickLast(worth, cachedIn(found, "last", () => planLast(walk, after, numbers)), numbers, known, options);
    return [named(best), walked];
  }
  walk.budget.spend(OPTION_COST * options.length);
  return pickBest(options.map(named).map((picked) => [picked, () => walk.follow(after, { ...known, ...picked })]), worth);
}
/** The frame behind a pick. @param {Walk} walk @param {Frame} frame @param {string} name @param {string[]} numbers @returns {Frame} */
function afterPick(walk, frame, name, numbers) {
  const parameters = new Map(frame.parameters);
  for (const key of ["amount", "able"]) parameters.delete(`${key} ${frame.position}`);
  const bounds = { ...frame.bounds, ...Object.fromEntries(numbers.map((one) => [one, [0, MOST_PICKED]])) };
  return /** @type {any} */ ({ ...walk.afterStage(frame), parameters, bounds, statements: new Map([...frame.statements].filter(([own]) => own !== name)) });
}
/** The dice that can be picked; of all others of these kinds none. The first kind comes first, then the lowest. @param {Walk} walk @param {Frame} frame @param {string} name */
function pickClasses({ rule, setup }, frame, name) {
  const [of] = /** @type {any} */ (rule.picks.get(name)).of, unroller = new Unroller(rule, setup.constants, frame.tables, frame.domains, setup.eager);
  const kinds = kindsOf(rule, of), able = unroller.dice(of, {});
  return unroller.members.flatMap(({ kind, count, words: { value } }, number) => {
    if (!kinds.includes(kind)) return [];
    if (typeof value !== "number") throw new NotExactError();
    const [low, high] = able.get(number) ?? [count, count];
    return [{ name: unroller.takenName(name, number), size: subtract(high, low), kind: kinds.indexOf(kind), value }];
  }).sort((a, b) => a.kind - b.kind || a.value - b.value);
}
/** What is picked where nothing is rolled after that: all ways are worked out at once, as if by chance. @param {Walk} walk @param {Frame} frame @param {string[]} numbers */
function planLast({ setup }, frame, numbers) {
  const { unroller } = layPools(setup, frame, frame.position, []);
  const seat = (/** @type {any} */ tree) => /** @type {T.Tree} */ (opOf(tree) === "name" && numbers.includes(tree[1]) ? ["leaf", tree[1]] : plainMapped(tree, seat));
  const texts = [...setup.conditions, ...setup.values].map(({ text }) => text), own = (/** @type {T.Tree} */ tree) => seat(unroller.unroll(tree));
  const targets = [...frame.targets.map((tree, place) => ({ tree: own(tree), text: texts[place] })), { tree: /** @type {any} */ (["leaf", OPTION]), text: "" }];
  return new SegmentPlan(setup, setup.conditions.length, new Map([...frame.statements].map(([name, tree]) => [name, own(tree)])), targets, frame.bounds);
}
/** @param {import("./walk-choices.js").Worth} worth @param {SegmentPlan} plan @param {string[]} numbers @param {Values} known @param {number[][]} options @returns {[number[], Walked]} */
function pickLast(worth, plan, numbers, known, options) {
  const slots = [...numbers, OPTION].map((leaf) => plan.slotOf(leaf)), points = options.map((counts, place) => [[...counts, place], 1]);
  const ranges = new Map(slots.map((slot, at) => [slot, [0, 1].map((end) => points.map(([values]) => /** @type {any} */ (values)[at]).reduce(end ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b)))]));
  const ways = eliminate(/** @type {any} */ (plan), [/** @type {any} */ ({ slots, points, ranges, bits: 0 })], known, true);
  let best = /** @type {any} */ (null), most = 0;
  for (const { key } of ways.sort((a, b) => a.key[a.key.length - 1] - b.key[b.key.length - 1])) {
    const option = key.pop(), value = worth(key);
    if (!best || isBetter(value, most)) [best, most] = [[options[option], new Map([[JSON.stringify(key), { key, weight: 1 }]])], value];
  }
  return best;
}
