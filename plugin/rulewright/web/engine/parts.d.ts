/** What the parts of the engine and the roller hand to each other; whoever only uses the engine reads engine.d.ts. */
import type * as T from "./engine.d.ts";
import type { Formula } from "./formula.js";
import type { DiceRoller } from "./roll.js";
import type { Rule } from "./rule.js";
import type { Result } from "./result.js";
import type { DicePool, BoundRule } from "./bound-rule.js";
export type { BoundRule, DicePool, DiceRoller, Formula, Result, Rule };

// a roll
export type Values = Record<string, any>;
/** A formula at work, over names and over counts of dice. */
export type Run = (v: Values, t: ArrayLike<number>) => any;
/** Parts of a rule, ready to run. */
export interface Kind {
  name: string; faces: Face[]; count: any; sides: any; tests: Record<string, Formula>; deck: Formula[]; deck_of?: number; keep: any;
  /** What a throw leads to; whether a die may add up, or be rerolled at once; and the kinds of the dice that it may earn. */
  taken?: boolean; again: ThrowAgain[]; explodes: boolean; rerolls: boolean; earnedKinds: number[];
}
export interface ThrowAgain { roll: "explode" | "reroll" | number; when: Formula; count: Formula; optional: Formula }
/** A face as it is recorded, its value, what readers call it, what tests may ask of it, and how many sides show it. */
export interface Face { mark: string; value: number; label: string | null; words: Values; copies: number }
/** What choices are made for: `always`, `never`, or the most of a formula: its `mean`, or the `chance` that it holds. */
export interface Aim { text: string; what: string; formula: Formula | null }
/** What decides on optional dice, which dice are picked, and the answer to all questions where there is one. */
export interface Aims { taking: Aim; goal: Aim; answer: number | null }
/** Dice that are rolled again: of whole kinds `among` all, or those that `read` picks of set `of`. */
export interface Reroll { roll: "reroll" | "turn" | number; turn?: Formula | null; choosesFace: boolean; of: number; among: number[]; read: any; pick: string; keep: string; chooses: boolean; times: Formula; when: any; goal?: Formula | null }
/** A set of dice: `of` has its kind, or earlier sets. */
export interface DiceSet { op: string; of: number[]; number: Formula | null; by: T.Tree | null; test: T.Tree | null }
export interface Tally { function: string; set: number | null; word: string; domain: any; kind: number; test: any; perThrow: boolean; run: any; names: string[] }
/** A die on the table as functions over sets see it: the words of each throw, and those of the whole die. */
export interface TableDie { place: number; kind: number; value: number; throws: Transition[]; rows: Values[]; whole: Values }
export interface Table { dice: TableDie[][]; faces: (kind: number, part: string) => any[]; known: Values }
export interface Outcome { name: string; says: string; see: string; when: Formula | null; degree: any }
/** What a face does on one throw; `hits` is what it counts for each tally. Whether the same die is rolled on, or rerolled: 0 no,
 * 1 yes, 2 if the player wants that. The dice it earns: kind, number, whether they may be declined. */
export interface Transition {
  face: number; value: number; good: boolean; bad: boolean; explodes: number; rerolls: number; earned: [number, number, boolean][]; hits: number[];
  isReplaced?: boolean;
}
/** A die on the table: its throws that stand, all that were rolled at once, and those of all `tries` where it was thrown anew. */
export interface Die { kind: number; throws: Transition[]; rolled: Transition[]; round: number; earned: boolean; kept: boolean; tries: Transition[][] }
/** A number between two bounds, or words that it may be. */
export type ValueSet = [number, number] | string[];
/** Picks one of the dice at these places; null for none. */
export type Choose = ((play: DiceRoller, dice: Die[], places: number[], number: number, left: number) => number | null) & {
  /** To which face a die is turned. */
  turnDie?(play: DiceRoller, place: number, number: number, left: number): number;
};
/** Whether a new die takes the place of the old one, for an entry that keeps the better. */
export type Judge = (play: DiceRoller, place: number, made: Die, number: number, left: number) => boolean;
/** Where faces and decisions come from. */
export interface FaceSource {
  begin?(pool: DicePool): void;
  face(pool: DicePool, way: string): number;
  onward(pool: DicePool, way: string): boolean;
  end?(pool: DicePool): void;
  offered(pool: DicePool): boolean;
  round?(earned: Map<number, number>): void;
  choose?: Choose;
  prefers?: Judge;
  rethrow?(pool: DicePool, die: Die): void;
  /** The face to which a die is turned; `face` unless the player chooses it. */
  turnDie?(play: DiceRoller, place: number, number: number, left: number, face: number | null): number;
  answer?(play: DiceRoller, entry: T.Input): any;
  /** Whether the round with this number is rolled yet. */
  goesOn?(number: number): boolean;
}

/** Answers of the engine, as its parts have them. */
export type Checked = Omit<T.Checked, "result"> & { result: Result | null };
/** `play` is the roll in progress, while there is a question. */
export type Asking = Omit<T.Asking, "result"> & { result: Result | null; play?: DiceRoller };
export type Spending = Omit<T.Spending, "lay"> & { lay(result: Result): { result: Result; complaints: T.Complaint[] } };

// odds
/** A die about to be rolled, and what its faces do. */
export interface Place { id: number; kind: number; last: number; turn: number; attempt: [number, number] | null; branches?: Branch[] }
export interface Branch { share: number; landing: Transition; next: Place | null; earned: [Place, number][] }
/** What some faces of a die add to coordinates, and the dice that they lead to. */
export interface Effect { share: number; adds: number[]; children: [Place, number][] }
/** How a die has come to rest; `earned` are the dice that it earned, by kind. */
export interface FinalState { key: string; kind: number; value: number; counts: number[]; earned: [number, number][] }
/** The same, reduced to what matters for a question. */
export interface Reduced { kind: number; values: number[]; kept: FinalState | null; earned: [number, number][] }
/** Dice kept so far, by kind and rank; dice to be rolled, the last one first; and what counts so far. */
export type Kept = [number, number, FinalState][];
export type Waiting = [number, Place, number][];
export interface RollState { values: number[]; kept: Kept; waiting: Waiting }
/** One die of a pool in order. */
export interface DieResult { value: number; adds: number[]; weight: number }
/** A sparse distribution of packed sums, in order. */
export interface Sums { keys: number[]; weights: number[] }
/** Values of coordinates with their chance. */
export type Point = [number[], number];
/** What came of some rolls. */
export type Sample = { steps: Values; outcome: string | null; degree: number | null }[];
export interface Group {
  isEndless: boolean; missing: number; isWhole: boolean; leastEnd: number; hasLines: boolean;
  ranges(): [number, number][];
  /** How long the whole is in Python, of which the chances before an end are parts. */
  bits(end: number): number;
  points(end: number): Point[];
  tailCases(slots: number[], end: number, byClass: boolean): TailCase[];
  hasClasses(): boolean;
  closedPoints(end: number, byClass: boolean, withMeans: boolean): Point[];
}
/** By class: its values, its chance, and the mean of the axis times that. */
export type Moments = Map<string, [number[], number, number]>;
/** A source of chance: its slots, and their values; of a face such values for each number of dice that are left; about how long
 * their weights are in Python. */
export interface Source { slots: number[]; points: any[]; ranges: Map<number, [number, number]>; perLeft?: boolean; rest?: number[]; pool?: number; bits: number }
/** A number that the dice of a group decide: a sum of tallies with factors, or a highest or lowest. */
export interface Coordinate { slot: number; form: [number, number][]; extreme: string }
/** A step, or a question, that is more than a sum of tallies. */
export interface Statement { name: string; slot: number; text: string; tree: T.Tree; isWord: boolean; isGiven: boolean }
/** Tallies with their factors, and terms without dice as JSON. */
export interface LinearSum { factors: Map<number, number>; rest: Map<string, number> }
/** A number between bounds; where its terms are known, it is their sum and a fixed number. */
export interface Interval { low: number; high: number; terms: Map<string, number> | null; fixed: number }
/** A value that a formula may take, and how it follows what moves. */
export interface Option { value: Interval; follows: number }
/** What a formula does: it takes one of its options, by a choice that stays as it is. Where they are compared with each other, the
 * choice may change if the value is kinked. */
export interface Followed { options: Option[]; kinked: boolean; words: string[] | null }
/** What a tail can be: some variables within bounds, coordinates as sums of them, and which of them move. */
export interface TailCase { variables: [string, [number, number]][]; coordinates: [number, [string, number][]][]; moving: string[] }
/** Where tails begin; whether they are known by class; whether values follow in a line there, or not at all. */
export interface Cutoff { end: number; byClass: boolean; inLine: boolean; stays: boolean }
/** One die, or one round of dice, thrown anew. */
export interface Turn { entry: number; left: number; reroll: any; kinds: number[]; following: number }

/** A face that formulas tell apart: its words, and on how many sides it is. */
export interface DieFace { words: [string, any][]; weight: number }
/** Dice of a kind that are rolled at once; `present` says how many of them there are after all. */
export interface Pool { kind: number; number: number; dice: number; form: string; faces: DieFace[]; since: number; present: T.Tree | null; isDeck: boolean; drawn: number; blocks: number[]; size: number; thrown?: DieFace[]; bits?: number; leavesOut?: boolean }
/** Dice of a kind that no formula tells apart: their properties, how many they are, and where they are in the order rolled. */
export interface Member {
  kind: number; words: Record<string, T.Tree>; count: T.Tree; place: number | null; follows: T.Tree | null; since: number; weight: number; face: [string, any][] | null; block: [number, number] | null;
}
/** What is left of a question before a stage of a walk. */
export interface Frame {
  position: number; statements: Map<string, T.Tree>; targets: T.Tree[]; parameters: Map<string, T.Tree>; tables: Map<number, Member[]>;
  domains: Map<number, Record<string, any[]>>; bounds: Record<string, ValueSet>; found: Map<string, any>;
}

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
  badges: Record<string, string>; strokes: Record<string, string>; suits: Record<string, string>;
}
/** A formula in words, and the same cut where values are filled in, with the names or numbers of tallies that stand there. */
export type Explained = [string, string[]?, (string | number[])[]?];
/** A row of an explanation: what it is, its name, kinds of dice, rows that it unfolds, steps that are its result, labels of outcomes. */
export type ExplainedRow = [string, string, number[]?, ExplainedRow[]?, string[]?, Record<string, string>?];
/** What readers are told of the formulas of a rule (render/cards/derivation.py): conditions and degrees of outcomes in their
 * order, names of what is yes or no. */
export interface Explanations {
  steps: Record<string, Explained>; outcomes: [Explained | null, Explained | null][]; truths: string[]; rows: ExplainedRow[];
  words?: string[]; // inputs and steps that are called like a word of an example
}
/** What the loader asks of a card that a reader has touched. */
export interface OpenCard { press(target: Element): void; replay(link: URLSearchParams): void }
/** What the script of odds has for cards and rolls (roller/after-roll.js). */
export interface AfterRoll {
  showOdds(card: any): void;
  explain(card: any, roll: any): void;
  replay(card: any, link: URLSearchParams): void;
  spendButtons(card: any, roll: any): HTMLElement | false;
  applySpent(roll: any): Spending;
  pointLabels(roll: any): string[];
  copyExample(card: any): void;
  copyLink(card: any): void;
}
/** What the roller's script leaves for the loader (site/loader.js). */
export interface RollerScript {
  /** What the script for odds takes from this one (render/scripts.py). */
  parts?: any;
  receive(words: Page, game: string, data: any, fetchMore: () => Promise<AfterRoll>): void;
  open(host: HTMLElement): OpenCard;
  dialog(opener: HTMLElement, roll: { game: string; rule: string; inputs: string }): void;
  arrive(): void;
}
export interface Bout { side: number; answers: T.Answer[]; result: Result | null }
/** Of an input. */
export type Control = Omit<Field, "entry">;
export interface Field { entry: T.Input; element: HTMLElement; read: () => string; write: (value: string) => void }
export interface DrawnFace { kind: string; text: string; label: string; roles: string[]; sides: number; place: number; rule: Rule }
/** A class, or attributes and listeners. */
export type Looks = string | Record<string, any>;
/** What is empty or false is left out. */
export type Child = Node | string | false | null | undefined | Child[];
