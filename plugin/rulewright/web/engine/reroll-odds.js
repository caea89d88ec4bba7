// The odds of rerolls: the best die to pick in each turn, and where every choice leads.
/** @import {Solver, Hope, DicePool, OddsCalculator, FinalState, BoundRule, StateSpace, State, Turn} from "./parts.d.ts" */
import { keepsOld } from "./rerolls.js";
import { stateKey, finalStates, addState } from "./final-states.js";
import { tooMuch } from "./distributions.js";
import { add, best, cachedIn } from "./messages.js";

const ALIKE = 1e-12; // hopes that differ by less are the same, as in Python

/** @param {BoundRule} bound @param {number[]} thrown */
export function turnsOf(bound, thrown) {
  /** @type {Turn[]} */
  const turns = [];
  bound.rule.rerolls.forEach((reroll, entry) => {
    const kinds = reroll.among.filter((kind) => thrown.includes(kind)), times = kinds.length ? Math.max(bound.of(reroll.times), 0) : 0;
    const following = turns.length + times;
    if (following > 100) throw tooMuch();
    for (let left = times; left; left--) turns.push({ entry, left, reroll, kinds, following });
  });
  return turns;
}
/** What a die may be after a round. @param {BoundRule} bound @param {any} reroll @param {FinalState} old @param {FinalState[]} fresh @returns {[FinalState, number][]} */
const rerollStates = (bound, reroll, old, fresh) =>
  reroll.pick !== "all" || bound.meets(reroll, old.kind, old.value)
    ? fresh.map((rest) => [keepsOld(reroll.keep, old.value, rest.value) ? old : rest, rest.weight]) : [[old, 1]];
/** One die after rounds in which all dice of some faces are thrown anew. @param {Solver} answer @param {DicePool} pool @param {Turn[]} turns */
export function rerollAll(answer, pool, turns) {
  const fresh = answer.rests(pool);
  let rests = fresh;
  for (const { reroll, kinds } of turns) {
    if (!kinds.includes(pool.number)) continue;
    const after = new Map();
    for (const old of rests)
      for (const [rest, share] of rerollStates(answer.bound, reroll, old, fresh)) addState(after, { ...rest, weight: old.weight * share });
    rests = [...after.values()];
  }
  return rests;
}
/** Dice of which some are picked and thrown anew. @param {Solver} answer @param {number[]} kinds @param {Turn[]} turns */
export function rerollPicked(answer, kinds, turns) {
  const { calculator, space } = answer, by = new Map();
  const rerolls = (calculator.rerolls ??= new Rerolls(calculator, new Set(calculator.rule.tallies.keys()), kinds, turns, space));
  rerolls.space = space;
  for (const [{ ids }, weight] of rerolls.finalTables()) {
    const rests = ids.map((id) => rerolls.rests[id]);
    cachedIn(by, kidsOf(rests).join(), () => []).push([answer.tableState(rests, weight), 1, rests]);
  }
  return space.plus([...by.values()].map((parts) => [answer.withEarned(space.plus(parts.map((/** @type {any} */ [part]) => [part, 1])), parts[0][2]), 1]));
}
/** How many dice of each kind these have earned. @param {FinalState[]} rests */
function kidsOf(rests) {
  /** @type {number[]} */
  const found = [];
  for (const { kind, kids } of rests) found[kind] = (found[kind] ?? 0) + kids;
  return found;
}

export class Rerolls {
  /** @param {OddsCalculator} calculator @param {Set<number>} asked @param {number[]} kinds @param {Turn[]} turns @param {StateSpace} space */
  constructor(calculator, asked, kinds, turns, space) {
    const { bound } = calculator, choosing = turns.some(({ reroll }) => reroll.pick === "any");
    this.bound = bound;
    this.space = space;
    this.turns = turns;
    this.score = choosing ? calculator.scorer() : null;
    this.asked = new Set([...asked, ...(this.score?.plan.asked ?? [])]);
    this.kinds = kinds.map((kind) => ({ kind, fresh: finalStates(bound.kinds[kind], this.asked, space, calculator.eager) }));
    this.rests = this.kinds.flatMap(({ fresh }) => fresh);
    this.ids = new Map(this.rests.map((rest, id) => [stateKey(rest), id]));
    const values = new Set(this.rests.map(({ kind, value }) => `${kind} ${value}`));
    this.ordered = this.rests.length > values.size; // equal dice may count differently, and the first is meant
    /** @type {Map<string, State>} */
    this.states = new Map();
    /** @type {Map<string, [number, number][]>} */
    this.branches = new Map();
  }
  /** Dice that lie; unless it matters who was first, in the order of how they came to rest. @param {number[]} ids @returns {State} */
  state(ids) {
    const own = this.ordered ? ids : [...ids].sort((a, b) => a - b);
    return cachedIn(this.states, String(own), () => {
      this.space.spend(500);
      return { ids: own, hopes: [], moves: new Map() };
    });
  }
  /** How all dice lie when the last turn is over. */
  finalTables() {
    let states = new Map([[this.state([]), 1]]);
    const gather = (/** @type {(state: State) => [State, number][]} */ moves) => {
      const found = new Map();
      for (const [before, weight] of states) {
        const after = moves(before);
        this.space.spend(20 * after.length);
        for (const [state, share] of after) add(found, state, weight * share);
      }
      states = found;
    };
    for (const { kind, fresh } of this.kinds)
      for (let left = this.bound.kinds[kind].count; left; left--)
        gather(({ ids }) => fresh.map((rest) => [this.state([...ids, this.id(rest)]), rest.weight]));
    this.turns.forEach((_, number) => gather((state) => this.moves(state, number, this.pick(state, number))));
    return states;
  }
  /** @param {FinalState} rest */
  id(rest) {
    return /** @type {number} */ (this.ids.get(stateKey(rest)));
  }
  /** Where a turn leads; `picked` is the die to throw anew. @param {State} state @param {number} number @param {number | null} picked
   * @returns {[State, number][]} */
  moves(state, number, picked) {
    const { reroll, entry } = this.turns[number];
    if (reroll.pick !== "all" && picked === null) return [[state, 1]];
    return cachedIn(state.moves, `${entry} ${picked}`, () => {
      const made = picked === null ? this.every(state.ids, number)
        : this.ways(number, picked).map(([id, share]) => /** @type {[State, number]} */ ([this.state(state.ids.with(state.ids.indexOf(picked), id)), share]));
      this.space.spend(50 * made.length);
      return made;
    });
  }
  /** A round over every die that shows what is thrown anew. @param {number[]} ids @param {number} number @returns {[State, number][]} */
  every(ids, number) {
    /** @type {[number[], number][]} */
    let found = [[[], 1]];
    for (const id of ids) {
      const ways = this.turns[number].kinds.includes(this.rests[id].kind) ? this.ways(number, id) : [[id, 1]];
      this.space.spend(50 * found.length * ways.length);
      found = found.flatMap(([dice, weight]) => ways.map(([made, share]) => /** @type {[number[], number]} */ ([[...dice, made], weight * share])));
    }
    return found.map(([dice, weight]) => [this.state(dice), weight]);
  }
  /** What becomes of a die that is thrown anew. @param {number} number @param {number} id @returns {[number, number][]} */
  ways(number, id) {
    const { reroll, entry } = this.turns[number], old = this.rests[id];
    return cachedIn(this.branches, `${entry} ${id}`, () => {
      const fresh = this.kinds.find(({ kind }) => kind === old.kind)?.fresh ?? [], found = new Map();
      for (const [rest, share] of rerollStates(this.bound, reroll, old, fresh)) add(found, this.id(rest), share);
      return [...found];
    });
  }
  /** The dice that may be picked; of equally good ones the first is meant: by kind, then by value. @param {State} state @param {number} number */
  candidates({ ids }, number) {
    const { rests } = this, ordered = [...ids].sort((a, b) => rests[a].value - rests[b].value);
    return this.turns[number].kinds.flatMap((kind) => ordered.filter((id) => rests[id].kind === kind));
  }
  /** @param {State} state @param {number} number */
  pick(state, number) {
    const { pick } = this.turns[number].reroll;
    if (pick === "all") return null;
    if (pick === "any") return this.value(state, number)[1];
    return best(this.candidates(state, number), (id) => (pick === "highest" ? 1 : -1) * this.rests[id].value);
  }
  /** The best that can still be made of dice, and the die to pick for it. @param {State} state @param {number} number @returns {Hope} */
  value(state, number) {
    return (state.hopes[number] ??= this.findBest(state, number));
  }
  /** @param {State} state @param {number} number @returns {Hope} */
  findBest(state, number) {
    const turn = this.turns[number], { score } = this;
    if (!turn) return [score ? score.of(state.ids.map((id) => this.rests[id])) : 0, null];
    const mean = (/** @type {number | null} */ picked) => {
      let found = 0;
      for (const [after, share] of this.moves(state, number, picked)) found += share * this.value(after, number + 1)[0];
      return found;
    };
    if (turn.reroll.pick !== "any") return [mean(this.pick(state, number)), null];
    let [hope] = this.value(state, turn.following), chosen = null;
    for (const picked of new Set(this.candidates(state, number))) {
      const found = mean(picked), gain = (found - hope) / Math.max(1, Math.abs(hope)) / ALIKE, near = Math.abs(gain);
      if (near > 0.9 && near < 1.1) throw tooMuch(); // doubles do not tell on which side it is
      if (gain > 1) [hope, chosen] = [found, picked];
      else if (gain > -1) chosen ??= picked;
    }
    return [hope, chosen];
  }
}
