/** What the parts of the engine and the roller hand to each other; whoever only uses the engine reads engine.d.ts. */
import type * as T from "./engine.d.ts";
import type { Solver } from "./solver.js";
import type { Formula } from "./formula.js";
import type { DiceRoller } from "./roll.js";
import type { Rule } from "./rule.js";
import type { OddsCalculator } from "./odds-calculator.js";
import type { Result } from "./result.js";
import type { DicePool, BoundRule } from "./bound-rule.js";
import type { StateSpace } from "./distributions.js";
import type { Rerolls } from "./reroll-odds.js";
export type { BoundRule, DicePool, DiceRoller, Formula, OddsCalculator, Rerolls, Result, Rule, Solver, StateSpace };

// a roll
export type Values = Record<string, any>;
/** A formula at work, over names and over counts of dice. */
export type Run = (v: Values, t: ArrayLike<number>) => any;
/** Parts of a rule, ready to run. */
export interface Kind {
  name: string; faces: [string, number, string?][]; count: any; sides: any; good: any; bad: any; again: any; explode: any; keep: any;
}
export interface Reroll { among: number[]; pick: string; keep: string; times: Formula; when: any }
export interface Tally { function: string; kind: number; test: any; perThrow: boolean; run: any; names: string[] }
export interface Outcome { name: string; says: string; see: string; when: Formula | null; degree: any }
/** What a face does on one throw; `hits` is what it counts for each tally. */
export interface Transition {
  face: number; good: boolean; bad: boolean; explodes: boolean; mayStop: boolean; earns: number; mayDecline: boolean; hits: number[];
}
/** A die on the table; `tries` are its throws where it was thrown anew. */
export interface Die { kind: number; throws: Transition[]; round: number; kept: boolean; tries: Transition[][] }
/** A number between two bounds, or words that it may be. */
export type ValueSet = [number, number] | string[];
/** Picks one of the dice at these places; null for none. */
export type Choose = (play: DiceRoller, dice: Die[], places: number[], number: number, left: number) => number | null;
/** Where faces and decisions come from. */
export interface FaceSource {
  begin?(pool: DicePool): void;
  face(pool: DicePool): number;
  onward(pool: DicePool): boolean;
  end?(pool: DicePool): void;
  offered(pool: DicePool): boolean;
  round?(earned: Map<number, number>): void;
  choose?: Choose;
  rethrow?(pool: DicePool, die: Die): void;
}

/** Answers of the engine, as its parts have them. */
export type Checked = Omit<T.Checked, "result"> & { result: Result | null };
export type Asking = Omit<T.Asking, "result"> & { result: Result | null };
export type Spending = Omit<T.Spending, "lay"> & { lay(result: Result): { result: Result; complaints: T.Complaint[] } };

// odds
/** A die that has come to rest. */
export interface FinalState { kind: number; value: number; hits: number[]; kids: number; weight: number }
/** n states: what they come to on each additive coordinate, the class that says the others, their weights. */
export interface Distribution { n: number; x: Int32Array[]; c: Int32Array; w: Float64Array; low: number[]; high: number[] }
/** A sum over tallies, or a highest or lowest. */
export interface Coordinate { form: Map<number, number> | null; tally: number }
export interface Plan {
  key: string; coordinates: Coordinate[]; asked: Set<number>; needs: string[]; work: (v: Values, t: number[]) => void; runs: Run[];
}
/** One die, or one round of dice, thrown anew. */
export interface Turn { entry: number; left: number; reroll: any; kinds: number[]; following: number }
/** What can be hoped for, and the die to pick for it. */
export type Hope = [number, number | null];
/** Dice that lie, by their rests. */
export interface State { ids: number[]; hopes: Hope[]; moves: Map<string, [State, number][]> }

// spends.js, traits.js
/** A point, and the dice it is spent on, if any. */
export interface Spent { spend: T.Spend; kind: string; start: number; end: number }
/** A trait with its values: numbers, dice, dice of a code, or none. */
export interface Term { name: string; start: number; end: number; values: { form: string; number: number }[]; category?: T.Category }

// the roller (roller/)
/** Outline, edges, where the number stands, its size. */
export type Shape = [string, string, number, number];
export interface Page {
  language: string; words: Record<string, string>; shapes: Record<string, Shape>; pips: Record<string, number[][]>;
  badges: Record<string, string>; strokes: Record<string, string>;
}
/** A formula in words, and the same cut where values are filled in, with the names or numbers of tallies that stand there. */
export type Explained = [string, string[]?, (string | number)[]?];
/** What readers are told of the formulas of a rule (render/cards/derivation.py): conditions and degrees of outcomes in their
 * order, names of what is yes or no. */
export interface Explanations {
  steps: Record<string, Explained>; outcomes: [Explained | null, Explained | null][]; truths: string[];
}
/** What the loader asks of a card that a reader has touched. */
export interface OpenCard { press(target: Element): void; replay(link: URLSearchParams): void }
/** What the roller's script leaves for the loader (site/loader.js). */
export interface RollerScript {
  receive(words: Page, game: string, data: any): void;
  open(host: HTMLElement): OpenCard;
  dialog(opener: HTMLElement, roll: { game: string; rule: string; inputs: string }): void;
  arrive(): void;
}
export interface Bout { side: number; answers: T.Answer[]; result: Result | null }
/** Of an input. */
export type Control = Omit<Field, "entry">;
export interface Field { entry: T.Input; element: HTMLElement; read: () => string; write: (value: string) => void }
export interface Face { kind: string; text: string; label: string; roles: string[]; sides: number; place: number }
/** A class, or attributes and listeners. */
export type Looks = string | Record<string, any>;
/** What is empty or false is left out. */
export type Child = Node | string | false | null | undefined | Child[];
