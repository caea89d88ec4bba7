// Picks the die to reroll from which most can be expected, for rolls that nobody plays by hand.
/** @import {BoundRule, Choose, Die} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { valueOf } from "../engine/bound-rule.js";
import { worstFirst } from "../engine/random-roll.js";
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
  /** Dice that are picked together. @type {number[]} */
  let picked = [];
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
    return search.finals.state(kind, valueOf(throws), hits, search.machine.earnedBy(rolled).filter(([earned]) => search.finals.relevant.has(earned)));
  };
  /** @type {Choose} */
  const walk = (play, dice, places, number, left) => {
    const worst = worstFirst(bound)(play, dice, places, number, left), found = hasNoBudget ? null : askWalk(play.bound, () => [picks.best(play.bound, dice, number, left)]);
    hasNoBudget = !found;
    picked = found?.[0] ?? [];
    return found?.[0] ? places.find((place) => picked.includes(place)) ?? null : worst;
  };
  const isWalk = needsWalk();
  return (play, dice, places, number, left) => {
    if (play.taken.length) return places.find((place) => picked.includes(place)) ?? null;
    if (isWalk || bound.rule.rerolls[number].goal) return walk(play, dice, places, number, left);
    const found = hasNoBudget ? null : ifPaid(() => {
      const own = (rerolls ??= prepare()), lying = dice.map((die) => finalState(own, die)), picked = own.pick(lying, number, left);
      if (own.search.budget.hasRefused) throw tooMuch(); // what was left out is not quite the same in both engines
      return [picked && (places.find((place) => lying[place] === picked) ?? null)];
    });
    hasNoBudget = !found;
    return found ? found[0] : worstFirst(bound)(play, dice, places, number, left);
  };
}
