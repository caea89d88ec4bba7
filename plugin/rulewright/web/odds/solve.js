// Solves questions about a bound rule: selects a method for each group of dice, then adds up their distributions group by
// group. Where dice without end stop to matter, their tails become points (settle.js). Where they never do, they are followed
// to where hardly anything is left; nearer, with bounds, if that costs too much.
/** @import {Aims, BoundRule, Coordinate, Cutoff, FinalState, Formula, Group, Point} from "../engine/parts.d.ts" */
import { cachedIn, say, sum } from "../engine/messages.js";
import { Automaton } from "./automaton.js";
import { BudgetError, MOST_MISSING, NotExactError, ifPaid, budgetOf, tooMuch } from "./budget.js";
import { eliminate, faceSources } from "./elimination.js";
import { Family } from "./family.js";
import { PoolGroup, StateGroup, addsTo } from "./groups.js";
import { OrderedGroup } from "./ordered.js";
import { Plan } from "./plan.js";
import { Rerolls, turnsOf } from "./reroll-odds.js";
import { isOneWave } from "./rule-facts.js";
import { Follower, IN_LINE, SOMEHOW, STAYS, findEnd } from "./settle.js";
import { StateSearch } from "./state-search.js";
import { choose } from "./sums.js";

const NEGLIGIBLE = 1e-13;
const FARTHEST = 4096;
const MANY_STATES = 20_000; // of a pool with several coordinates: from here on a walk over its faces is shorter
const MOST_REMEMBERED = 200; // what questions about a rule share
/** @typedef {{key: any[], weight: number}[]} Weights  by outcome, or by outcome and values */
/** @typedef {{weights: Weights, unknown: number, isExact: boolean, isWhole: boolean}} Answer  is it exact but for rounding, and is nothing at all missing */

export class Solver {
  /** @param {BoundRule} bound @param {Aims} aims */
  constructor(bound, aims) {
    if (!isOneWave(bound.rule)) throw new BudgetError(say("wrong waves"));
    if (bound.rule.dice.some(({ deck }) => deck.length)) throw new BudgetError(say("wrong draws"));
    this.bound = bound;
    this.rule = bound.rule;
    this.budget = budgetOf(bound.rule.game);
    this.aims = aims;
    this.eager = aims.taking.what !== "never";
    this.machine = new Automaton(bound, this.eager);
    this.groups = findGroups(bound);
    this.known = { ...bound.known };
    for (const [name, entry] of this.rule.asked) this.known[`given ${name}`] = bound.values[name] ?? entry.default;
    this.switches = Object.fromEntries(this.rule.inputs.filter(({ form, asked, name }) => (form === "flag" || form === "choice") && !asked && name in bound.known).map(({ name }) => [name, bound.known[name]]));
    /** @type {Map<string, any>} */
    this.rerolled = new Map();
    /** @type {Map<string, StateGroup>} */
    this.searched = new Map();
  }
  /** What is the same for all inputs that matter here. @template X @param {any[]} key @param {() => X} make @returns {X} */
  remembered(key, make) {
    const { memory } = this.rule, text = JSON.stringify(key);
    if (memory.size > MOST_REMEMBERED) memory.clear();
    return cachedIn(memory, text, make);
  }
  /** @param {Formula[]} conditions @param {Formula[]} values */
  plan(conditions, values) {
    const plan = this.remembered(["plan", this.switches, this.groups, [...conditions, null, ...values].map((one) => one && [one.text, one.tree])], () => new Plan(this.rule, this.switches, conditions, values, this.groups));
    this.bound.demand(plan.needs);
    return plan;
  }
  /** The distribution of one group of dice, by the method that suits it. @param {Plan} plan @param {number} number @returns {Group} */
  group(plan, number) {
    const { bound, machine, rule } = this, kinds = plan.groups[number], coordinates = plan.coordinates[number], thrown = kinds.filter((kind) => bound.kinds[kind].count);
    if (!thrown.length) return new StateGroup([[coordinates.map(() => 0), 1]]);
    if (this.needsSearch(kinds)) return this.search(plan, number);
    const isOrdered = coordinates.some(({ extreme }) => extreme) || kinds.some((kind) => this.dropsDice(kind) || this.needsValue(coordinates, kind));
    if (isOrdered && (kinds.length > 1 || rule.dice[kinds[0]].earnedKinds.length)) return this.search(plan, number);
    const [kind] = kinds, { count, keep } = bound.kinds[kind], key = [machine.eager, coordinates, thrown, this.diceValues()];
    if (isOrdered && keep === 0) return new StateGroup([[coordinates.map(() => 0), 1]]);
    if (isOrdered) return this.remembered(["ordered", ...key, count, keep], () => new OrderedGroup(machine, kind, coordinates, count, keep));
    const starts = thrown.map((one) => machine.start(one));
    const { family, memory } = this.remembered(["pool", ...key], () => ({ family: new Family(machine, starts, coordinates.length, addsTo(machine, coordinates)), memory: new Map() }));
    return new PoolGroup(family, thrown.map((one) => [family.machine.start(one), bound.kinds[one].count]), memory);
  }
  /** The values on which single dice rest, not how many of them there are. */
  diceValues() {
    const { bound, rule } = this, names = new Set(bound.kinds.flatMap((pool) => [...pool.names, ...pool.valueNames, ...(pool.kind.sides?.names ?? [])]));
    for (const { times, when } of rule.rerolls) for (const formula of [times, when]) formula?.names.forEach((/** @type {string} */ name) => names.add(name));
    return [...names].map((name) => bound.known[name] ?? null);
  }
  /** Whether a reroll picks among these dice, or keeps the better of two dice that explode. @param {number[]} kinds */
  needsSearch(kinds) {
    return this.rule.rerolls.some(({ among, times, pick, keep }) => {
      const own = among.filter((kind) => kinds.includes(kind));
      return own.length && this.bound.of(times) > 0 && (pick !== "all" || (keep !== "new" && own.some((kind) => this.machine.rollsOn(kind))));
    });
  }
  /** Whether not all dice of a kind are kept. Dice that are earned may change how many there are. @param {number} kind */
  dropsDice(kind) {
    const { keep, count } = this.bound.kinds[kind];
    return keep !== null && (keep < count || this.rule.dice.some(({ earnedKinds }) => earnedKinds.includes(kind)));
  }
  /** Whether a question uses the value of a die that explodes. @param {Coordinate[]} coordinates @param {number} kind */
  needsValue(coordinates, kind) {
    const { dice, tallies } = this.rule;
    return dice[kind].explodes && coordinates.some(({ form }) => form.some(([tally]) => tallies[tally].kind === kind && tallies[tally].run && !tallies[tally].perThrow));
  }
  /** A group of dice state by state, which several questions share; a search without end takes all it gets. @param {Plan} plan @param {number} number */
  search(plan, number) {
    const key = JSON.stringify([number, plan.coordinates[number].map(({ form, extreme }) => [form, extreme])]);
    return cachedIn(this.searched, key, () => this.budget.keeping(() => this.searchAnew(plan, number)));
  }
  /** First all rerolls, if dice are picked for them, then all earned dice. @param {Plan} plan @param {number} number */
  searchAnew(plan, number) {
    const { bound, machine } = this, kinds = plan.groups[number], coordinates = plan.coordinates[number], turns = turnsOf(bound, kinds.filter((kind) => bound.kinds[kind].count));
    let needed = plan.tallies(number);
    if (turns.every(({ reroll }) => reroll.pick === "all")) return new StateSearch(machine, coordinates, needed).rollKinds(kinds);
    const isChoosing = turns.some(({ reroll }) => reroll.pick === "any"), followed = new Set(isChoosing ? kinds : turns.flatMap((turn) => turn.kinds));
    if (isChoosing) needed = new Set([...needed, ...this.scorePlan().tallies(number)]);
    const key = [number, [...needed].sort((a, b) => a - b), [...followed]].join(";");
    const { parts, isLossy } = cachedIn(this.rerolled, key, () => {
      const search = new StateSearch(machine, [], needed), rerolls = new Rerolls(search, this.score(number), followed);
      return { parts: rerolls.allParts(), isLossy: search.finals.isLossy };
    });
    const search = new StateSearch(machine, coordinates, needed);
    search.isWhole = !isLossy;
    return search.continueFrom(parts, kinds.filter((kind) => !followed.has(kind)));
  }
  get maximizesChance() {
    return this.aims.goal.what === "chance";
  }
  /** What choices maximize. */
  scorePlan() {
    const formulas = [/** @type {Formula} */ (this.aims.goal.formula)];
    return this.maximizesChance ? this.plan(formulas, []) : this.plan([], formulas);
  }
  /** The expected result of given dice. No other group has dice: a player who picks has seen all of them. @param {number} number */
  score(number) {
    const plan = this.scorePlan(), search = new StateSearch(this.machine, plan.coordinates[number]), /** @type {Map<string, number>} */ known = new Map();
    return (/** @type {FinalState[]} */ dice) => {
      const state = search.stateOf(dice), key = JSON.stringify([state.values, state.kept.map(([, , { key: own }]) => own), state.waiting.map(([, { id }, left]) => [id, left])]);
      return cachedIn(known, key, () => {
        const own = search.finish([[state, 1]]), groups = plan.active.map((active) => (active === number ? own : this.group(plan, active)));
        const weights = this.addUp(plan, groups, groups.map((group) => group.points(0)), !this.maximizesChance);
        return sum(weights.map(({ key: [outcome, value], weight }) => (this.maximizesChance ? +(outcome === 0) : typeof value === "number" ? value : 0) * weight));
      });
    };
  }
  /** @param {Plan} plan @param {Group[]} groups @param {Point[][]} points @param {boolean} gathering @returns {Weights} */
  addUp(plan, groups, points, gathering, end = 0) {
    const sources = groups.map((group, at) => {
      const slots = plan.coordinates[plan.active[at]].map(({ slot }) => slot), ranges = groups.length > 1 ? group.ranges() : [];
      return { slots, points: points[at], ranges: new Map(ranges.map((ends, d) => [slots[d], ends])), bits: bitsOf(points[at], group.bits(end)) };
    });
    return eliminate(plan, sources, this.known, gathering);
  }
  /** The same by a walk over the faces of a pool, if the question is about one with too many states.
   * @param {Plan} plan @param {Group[]} groups @param {boolean} gathering @returns {Weights | null} */
  addUpFaces(plan, groups, gathering) {
    const [group] = groups, coordinates = plan.coordinates[plan.active[0]];
    if (groups.length !== 1 || coordinates.length < 3 || !(group instanceof PoolGroup) || group.isEndless || group.starts.length !== 1) return null;
    const [[place, dice]] = group.starts, effects = group.family.effects.get(place) ?? [];
    if (effects.some(({ children }) => children.length) || choose(dice + effects.length - 1, Math.min(dice, effects.length - 1)) < MANY_STATES) return null;
    const slots = effects.map((_, face) => plan.slots + face);
    const replaced = new Map(coordinates.map(({ slot }, d) => {
      const terms = effects.flatMap(({ adds }, face) => (adds[d] ? [adds[d] === 1 ? ["tally", slots[face]] : ["*", adds[d], ["tally", slots[face]]]] : []));
      return [slot, /** @type {any} */ (terms.length > 1 ? ["+", ...terms] : terms[0] ?? 0)];
    }));
    return eliminate(plan, faceSources(dice, slots, effects.map(({ share }) => share), 2 ** group.family.bits(place)[0]), this.known, gathering, replaced);
  }
  /** The nearest end from which on nothing changes the outcome, for each group without end; null if there is none, or values follow in
   * no line. @param {Plan} plan @param {Group[]} groups @returns {Cutoff | null} */
  cutoff(plan, groups) {
    const endless = groups.filter(({ isEndless }) => isEndless), slots = plan.active.map((group) => plan.coordinates[group].map(({ slot }) => slot));
    if (!endless.length) return null;
    const ranges = groups.map((group) => group.ranges()), key = JSON.stringify([[...plan.needs].map((name) => [this.known[name], this.known[`given ${name}`]]), ranges.map(String), groups.map((group) => [group.constructor.name, group.leastEnd])]);
    return cachedIn(plan.cutoffs, key, () => {
      const others = groups.map((_, at) => ({ moving: [], variables: slots[at].map((slot, d) => /** @type {[string, [number, number]]} */ ([String(slot), ranges[at][d]])),
        coordinates: slots[at].map((slot) => /** @type {[number, [string, number][]]} */ ([slot, [[String(slot), 1]]])) }));
      for (const most of plan.targets.length > plan.conditions ? [STAYS, IN_LINE, SOMEHOW] : [SOMEHOW])
        for (const byClass of [false, true]) {
          if (byClass && !endless.every((group) => group.hasClasses())) continue;
          const ends = endless.map((group) => {
            const at = groups.indexOf(group), limit = most === IN_LINE && !group.hasLines ? STAYS : most;
            return findEnd((end) => group.tailCases(slots[at], end, byClass).every((tail) => {
              const answer = new Follower(plan, this.known, [...others.filter((_, other) => other !== at), tail]).answer();
              return answer.stays && answer.follows <= limit;
            }), group.leastEnd, plan.hint);
          });
          if (ends.includes(null)) continue;
          plan.hint = Math.max(.../** @type {number[]} */ (ends));
          return { end: plan.hint, byClass, inLine: most < SOMEHOW, stays: most === STAYS || plan.targets.length === plan.conditions };
        }
      return false;
    }) || null;
  }
  /** The groups that a plan needs, and where their tails begin. @param {Plan} plan @returns {[Group[], Cutoff | null]} */
  groupsOf(plan) {
    try {
      const groups = plan.active.map((number) => this.group(plan, number));
      return [groups, this.cutoff(plan, groups)];
    } catch (error) {
      if (!(error instanceof NotExactError)) throw error;
      return [plan.active.map((number) => this.search(plan, number)), null];
    }
  }
  /** The weights of a question, by outcome or by outcome and values; what is missing from 1 is unknown. Tails of dice without end
   * become points, where the outcome and all values stay as they are; else dice are followed to where hardly anything is left.
   * With `forMean`, values may also follow in a line. @param {Formula[]} conditions @param {Formula[]} values @returns {Answer} */
  solve(conditions, values, forMean = false) {
    return this.budget.question(() => this.answer(conditions, values, forMean));
  }
  /** @param {Formula[]} conditions @param {Formula[]} values @param {boolean} forMean @returns {Answer} */
  answer(conditions, values, forMean) {
    const { budget } = this, plan = this.plan(conditions, values), gathering = values.length > 0, [groups, cutoff] = this.groupsOf(plan), walked = this.addUpFaces(plan, groups, gathering);
    if (walked) return { weights: walked, unknown: 0, isExact: true, isWhole: true };
    const isLossy = groups.some(({ missing }) => missing), isEndless = groups.some((group) => group.isEndless);
    const compute = (/** @type {Point[][]} */ points, end = 0, isExact = false) => {
      const weights = this.addUp(plan, groups, points, gathering, end), rest = 1 - sum(weights.map(({ weight }) => weight));
      return { weights, unknown: rest > NEGLIGIBLE ? rest : 0, isExact, isWhole: isExact && groups.every(({ isWhole }) => isWhole) };
    };
    const before = (/** @type {number} */ end) => compute(groups.map((group) => group.points(end)), end);
    const closed = ({ end, byClass } = /** @type {Cutoff} */ (cutoff)) => compute(groups.map((group) => group.closedPoints(end, byClass, forMean)), end, !isLossy);
    if (!isEndless) return compute(groups.map((group) => group.points(0)), 0, !isLossy);
    if (forMean) return cutoff?.inLine && !isLossy ? closed() : { weights: [], unknown: 1, isExact: false, isWhole: false };
    const end = cutoff?.end ?? practicalEnd(groups);
    if (!gathering) return ifPaid(() => budget.keeping(() => (cutoff ? closed() : before(end)))) ?? this.withinBudget(before, end);
    const listed = ifPaid(() => budget.keeping(() => {
      const { left } = budget, found = before(end), cost = left - budget.left;
      if (!cutoff || isLossy || !found.unknown) return found;
      budget.spend(cutoff.inLine ? cost : 0); // Python also lists the tail, near and far
      if (cutoff.stays) return closed();
      budget.spend(cost);
      return found;
    }));
    if (!listed) return this.withinBudget(before, end);
    const farther = () => {
      const far = practicalEnd(groups);
      return ifPaid(() => budget.keeping(() => before(far))) ?? this.withinBudget(before, far);
    };
    return (listed.unknown && cutoff && ifPaid(farther)) || listed;
  }
  /** Dice without end are cut off nearer than at an end that costs too much. What fails has cost most of its price. So the nearest ends
   * come first. @param {(end: number) => Answer} compute @param {number} farthest */
  withinBudget(compute, farthest) {
    let found = /** @type {Answer | null} */ (null);
    const ends = [farthest];
    while (ends[0] > 1) ends.unshift(Math.floor((ends[0] * 3) / 4));
    ifPaid(() => ends.slice(0, -1).forEach((end) => (found = compute(end))));
    if (!found || /** @type {Answer} */ (found).unknown > MOST_MISSING) throw tooMuch();
    return found;
  }
}
/** About how long the weights of points are in Python. @param {Point[]} points @param {number} whole */
function bitsOf(points, whole) {
  return points.length ? Math.max(1, whole + Math.log2(Math.max(...[0, points.length >> 1, points.length - 1].map((at) => points[at][1])))) : 0;
}
/** Where hardly anything is left, or the budget is used up. @param {Group[]} groups */
function practicalEnd(groups) {
  const isFar = (/** @type {number} */ end) => groups.every((group) => !group.isEndless || 1 - sum(group.points(end).map(([, weight]) => weight)) <= NEGLIGIBLE);
  for (let end = 16; end < FARTHEST; end *= 2) {
    const found = ifPaid(() => isFar(end));
    if (found !== false) return found ? end : end >> 1;
  }
  return FARTHEST;
}
/** Groups of kinds that depend on each other: through dice they earn, or rerolls over several kinds. @param {BoundRule} bound */
function findGroups(bound) {
  const { rule, kinds } = bound, active = rule.rerolls.filter(({ pick, times }) => pick !== "all" && bound.of(times) > 0);
  const links = [...rule.dice.flatMap(({ earnedKinds }, kind) => (earnedKinds.length ? [[kind, ...earnedKinds]] : [])), ...active.map(({ among }) => among)];
  if (active.some(({ pick }) => pick === "any")) links.push(kinds.filter(({ count }) => count).map(({ number }) => number)); // a player who picks a die has seen all of them
  let groups = rule.dice.map((_, kind) => [kind]);
  for (const link of links) {
    const touched = groups.filter((group) => group.some((kind) => link.includes(kind)));
    if (touched.length > 1) groups = [...groups.filter((group) => !touched.includes(group)), touched.flat().sort((a, b) => a - b)];
  }
  return groups;
}
