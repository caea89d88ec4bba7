// Picks the die to reroll from which most can be expected, for rolls that nobody plays by hand.
/** @import {BoundRule, Choose, Die, DiceRoller} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { valueOf } from "../engine/bound-rule.js";
import { turnHighest, worstFirst } from "../engine/random-roll.js";
import { ifPaid, tooMuch } from "./budget.js";
import { askWalk, picker } from "./walk-table.js";
import { WalkSolver, makeSolver } from "./walk-solver.js";
import { Rerolls } from "./reroll-odds.js";
import { Solver } from "./solve.js";
import { StateSearch } from "./state-search.js";

/** One player for one roll. @param {BoundRule} bound @param {string} aim @returns {Choose} */
export function adviser(bound, aim) {
  const aims = chooseAims(bound.rule, aim);
  /** @type {Rerolls | undefined} */
  let rerolls, hasNoBudget = false; // used up once, for the rest of this roll, in both engines
  /** Dice that are picked together, with the faces that they are turned to. @type {Map<number, number | null>} */
  let picked = new Map();
  /** The pick whose dice are turned. @type {any[]} */
  let turning = [];
  const picks = picker(aims);
  const needsWalk = () => {
    const solver = makeSolver(bound, aims), { formula } = aims.goal;
    return solver instanceof WalkSolver && !(formula && solver.isKnown([formula]));
  };
  const prepare = () => {
    const solver = new Solver(bound, aims);
    solver.budget.fill();
    const number = solver.groups.findIndex((group) => group.some((kind) => bound.kinds[kind].count));
    return new Rerolls(new StateSearch(solver.machine, []), solver.score(number), null);
  };
  /** A die on the table as the odds see it. @param {Rerolls} own @param {Die} die */
  const finalState = ({ search }, { kind, throws, rolled }) => {
    const hits = throws.map((landing) => landing.hits).reduce((a, b) => a.map((hit, tally) => hit + b[tally]));
    return search.finals.state(kind, valueOf(throws), hits, search.machine.earnedBy(kind, rolled).filter(([earned]) => search.finals.relevant.has(earned)));
  };
  /** What is best done next; nothing where nobody knows. @param {DiceRoller} play @param {number} number @param {number} left */
  const findBest = ({ bound, dice }, number, left) => {
    const found = hasNoBudget ? null : askWalk(bound, () => [picks.best(bound, dice, number, left)]);
    hasNoBudget = !found;
    turning = [bound, number, left];
    picked = found?.[0] ?? new Map();
    return found?.[0];
  };
  /** @type {Choose} */
  const walk = (play, dice, places, number, left) =>
    findBest(play, number, left) ? places.find((place) => picked.has(place)) ?? null : worstFirst(bound)(play, dice, places, number, left);
  const isWalk = needsWalk();
  /** @type {NonNullable<Choose["turnDie"]>} */
  const turnDie = (play, place, number, left) => {
    if ([play.bound, number, left].some((own, at) => own !== turning[at])) findBest(play, number, left);
    return picked.get(place) ?? turnHighest(play, place, number, left);
  };
  /** @type {Choose} */
  const choose = (play, dice, places, number, left) => {
    if (play.taken.length) return places.find((place) => picked.has(place)) ?? null;
    if (isWalk || bound.rule.rerolls[number].goal || bound.rule.rerolls[number].roll === "turn") return walk(play, dice, places, number, left);
    const found = hasNoBudget ? null : ifPaid(() => {
      const own = (rerolls ??= prepare()), lying = dice.map((die) => finalState(own, die)), picked = own.pick(lying, number, left);
      if (own.search.budget.hasRefused) throw tooMuch(); // what was left out is not quite the same in both engines
      return [picked && (places.find((place) => lying[place] === picked) ?? null)];
    });
    hasNoBudget = !found;
    return found ? found[0] : worstFirst(bound)(play, dice, places, number, left);
  };
  return Object.assign(choose, { turnDie });
}
