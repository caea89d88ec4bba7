/**
 * The engine in the browser: it rolls, checks, explains and works out every rule of every game, from one JSON text a game.
 *
 *     const game = load(data);                                  // the core of a game, parsed
 *     const rule = game.rules.action, inputs = { pool: 5, difficulty: "Hard", specialty: true };
 *     roll(rule, inputs, chance())                              // thrown fairly; a number instead of chance() is a seed
 *     check(rule, inputs, "1 4 7 10 2 | 1 10 | 4 8")            // dice that somebody wrote down
 *     odds(rule, inputs).odds?.chances                          // { success: 0.86…, botch: 0.04…, failure: 0.08… }
 *
 * Inputs are given as people write them: 5, "5", "Hard", "d8", "4D+2", true, "yes". Nobody is ever answered with an
 * exception: what is wrong comes back as complaints, in the words that speak() was given, each with the part it is about
 * (an input, "dice", "rerolled", "turned", "declined", "spends", "traits", "aim" or "rule") and, in dice, with its place in the text.
 *
 * **Step by step.** `ask(rule, inputs, answers)` plays the answers that are there and says what comes next; a roller keeps
 * the list and appends to it, so taking something back is dropping the last answers:
 *
 *     ask(rule, inputs, [])            // { question: { what: "face", kind: "regular", left: 5, sides: 10, … } }
 *     ask(rule, inputs, [1, 4, 7, 10, 2])      // { question: { what: "face", kind: "bonus", left: 2, … } }: the 10 earned two
 *     ask(rule, inputs, [1, 4, 7, 10, 2, 1, 3])                  // { result: … }
 *
 * A question is `face` (answer: a face as it is marked), `onward` (is this die thrown on? yes or no), `reroll` (is it
 * rerolled at once? yes or no), `offered` (is this die thrown at all? yes or no), `pick` (which die is thrown anew, or taken for the
 * step `name`? a place in `dice`, null for none; `more` have been picked to go with it), `keep` (of this `pair`, does the new die stay? yes or no)
 * or `turn` (to which face is a die turned, one of `labels`, that shows `text`?). Where a
 * choice arises only once the dice lie, the result names the inputs under `asks`: show them as buttons, and call again
 * with the input set; the answers stay as they are.
 *
 * **Parts.** engine.js opens everything. A page that wants to stay small imports what it needs (rule.js loads, random-roll.js
 * rolls, ask-dice.js asks, explain.js explains) and opens odds.js and check-record.js when a reader wants odds or writes dice.
 */

export function load(data: GameData): Game;
/** The words in which complaints and explanations are told: the phrases of a catalogue in render/catalogue/. */
export function speak(words: Record<string, string>): void;
/** Dice that were written down; optional throws that were not taken are counted in `declined`. Of the points that were
 * spent, some are kept for rolls of certain traits: `traits` are those that are rolled, where that is known. */
export function check(rule: Rule, inputs: Inputs, dice?: string, declined?: number, rerolled?: string, spends?: string,
  traits?: string[] | null, turned?: string): Checked;
/** What points such as "point bonus, fate luck" do to a roll: the inputs that they leave, and `lay`, which sets the dice
 * that they set once these lie. */
export function spend(rule: Rule, inputs: Inputs, spends: string, traits?: string[] | null): Spending;
/** The inputs that a sum of traits gives, such as "Precision 3 + Firearms 1"; `stated` are those that stand beside it. */
export function gather(rule: Rule, traits: string, stated?: Inputs): Gathered;
/** Throws the dice. `source` is a seed, or gives whole numbers below 2 ** 32. */
export function roll(rule: Rule, inputs: Inputs, source: number | (() => number), choices?: Choices): Checked;
export function ask(rule: Rule, inputs: Inputs, answers: Answer[]): Asking;
export function explain(result: Result): Explanation;
/** Chances in doubles, right to 1e-9; where they would cost too much, in Python as here, a complaint says so. Inputs of a contest are
 * written first.die and second.die. */
export function odds(rule: Rule, inputs: Inputs, aim?: string, isEstimating?: boolean): { odds: Odds | null; complaints: Complaint[] };
/** Of two results of a contest: "first", "second" or "none"; "again" where both throw again; null where it is not known. */
export function winner(rule: Rule, first: Result, second: Result): string | null;
/** The seeded generator: the same numbers for the same seed in every language of this project. */
export function generator(seed: number): () => number;
/** Numbers that nobody can foresee, from the browser's own source. */
export function chance(): () => number;
/** From 0 to sides - 1, each as likely as any other. */
export function below(next: () => number, sides: number): number;
/** A value of an input as an author would write it. */
export function shown(entry: Input, value: unknown): string;

export type Inputs = Record<string, string | number | boolean>;
export interface Complaint { part: string; message: string; start: number; end: number }
export interface Checked { result: Result | null; complaints: Complaint[] }
export interface Gathered { inputs: Inputs; complaints: Complaint[]; names: string[] }
export interface Spending { inputs: Inputs; complaints: Complaint[]; lay(result: Result): { result: Result; complaints: Complaint[] } }

export interface Game { title: string; folder: string; alone: boolean; rules: Record<string, Rule> }
export interface Rule {
  readonly name: string;
  readonly label: string;
  readonly inputs: Input[];
  /** The kinds of dice; empty where a rule only works something out. */
  readonly dice: { name: string }[];
  readonly contest: ContestData | null;
  /** The two rules of a contest. */
  readonly sides: Rule[];
  readonly spends: Spend[];
  /** Where a sum of traits goes; null where the rule takes none. */
  readonly traits: Sum | null;
}
export interface Sum { into: string[]; most: number | null; one_of: string[] }
/** A category of traits, such as skills; `untrained` are inputs that change without dots, null where none is not allowed. */
export interface Category {
  name: string;
  names: string[];
  least: number | null;
  most: number | null;
  aliases: Record<string, string[]>;
  /** Each with its kind and the trait it belongs to. */
  specialties: [string, string, string][];
  untrained: Record<string, any> | null;
}
/** A point that changes a roll: inputs, or one die of some kinds, set to its highest face. */
export interface Spend {
  name: string;
  label: string;
  /** What is spent, and how many of these one roll takes; null for any number. */
  point: string;
  most: number | null;
  /** Kept for rolls of these traits; empty where any will do. */
  traits: string[];
  highest: string[];
  changes: Record<string, any>;
}
export interface Input {
  name: string;
  /** `dice`: those that a player picks for the step of this name, written with their faces; `aim`: what a roll chooses for. */
  form: "number" | "flag" | "choice" | "die" | "code" | "dice" | "aim";
  label: string;
  least: number;
  most: number;
  choices: string[];
  dice: number[];
  /** The two names by which formulas know a die code; of an aim, what the names of the parts that follow it begin with. */
  parts: string[];
  default: any;
  /** Whether it may be unknown at the table. */
  open: boolean;
  /** The question under which a choice arises at all. */
  asked: { text: string } | null;
  /** Of a choice of a rule that is rolled: what it is made for. */
  goal?: any;
  /** Of an aim: what the results of the parts begin with, which differs for rules with rounds. */
  wholes?: string[];
  /** Whether it is decided during the roll, where the question arises; elsewhere it has its default. */
  is_choice: boolean;
  /** Names that stand for numbers: ["Hard", 9]. */
  named: [string, number][];
}

/** What came of a roll. A step, the outcome or the degree that cannot be told, because an input is unknown, is null. */
export interface Result {
  readonly rule: Rule;
  readonly inputs: Record<string, any>;
  readonly steps: Record<string, number | string | null>;
  readonly outcome: { name: string; says: string; see: string } | null;
  readonly degree: number | null;
  /** Every die with all its faces, in the order thrown. */
  readonly faces: Shown[][];
  /** The dice and the rerolls as they are written in a book. */
  readonly dice: string;
  readonly rerolled: string;
  readonly turned: string;
  /** How many throws that were offered were not taken. */
  readonly declined: number;
  /** Of a rule that is rolled again and again, the rounds before this one; and whether this is the last, null where that is not known. */
  readonly before: Result[];
  readonly isOver: boolean | null;
  /** Inputs whose question arises now, and those whose question does not. */
  readonly asks: string[];
  readonly unasked: string[];
  readonly marks: Record<string, number>;
}
/** One face; roles are earned, dropped, rerolled, good, bad, removed, cancelled, thrown on. */
export interface Shown { kind: string; text: string; round: number; roles: string[] }
export interface Explanation {
  /** "successes 3, botches 1, kept 3, net 2: success, degree 2" */
  line: string;
  /** One line a step: "net: kept - botches → 3 - 1 → 2" */
  derivation: string[];
  dice: string;
  /** What the outcome means. */
  says: string;
  inputs: string;
}

/** How choices are made while rolling; what is left out follows the aim, as odds do. */
export interface Choices {
  aim?: string;
  /** Whether an optional throw of such a die is taken. */
  take?(kind: string): boolean;
  /** Which die is thrown anew, of those at `places`; `keep` says which of the two faces stays. */
  pick?(dice: TableDie[], places: number[], keep: string): number | null;
  /** Whether a new die takes the place of the old one, where the better of the two stays. */
  prefers?: any;
  /** The answer to a question of the rule. */
  answer?(play: any, entry: Input): any;
  /** Who picks and answers where `pick` and `answer` do not: advise.js and walk-table.js. engine.js sets them. */
  advise?: any;
  answers?: any;
  judge?: any;
}
export interface TableDie { kind: string; round: number; value: number; text: string }
export type Answer = number | string | boolean | null;
/** `missing` are inputs that the dice turned out to need. */
export interface Asking { question: Question | null; result: Result | null; complaints: Complaint[]; missing?: string[] }
export type Question = { number: number; round: number; dice: TableDie[]; values: Record<string, any> } & (
  | { what: "face"; kind: string; left: number; sides: number; labels: string[]; anew: boolean; earned: boolean }
  | { what: "onward" | "reroll" | "offered"; kind: string; left: number }
  | { what: "choice"; name: string }
  | { what: "pick"; places: number[]; left: number; keep?: string; more?: number; name?: string }
  | { what: "keep"; kind: string; pair: string[] }
  | { what: "turn"; kind: string; text: string; labels: string[] }
);

export interface Odds {
  /** How choices were made; empty where none arises. */
  aim: string;
  chances: Record<string, number>;
  /** Where the budget does not allow to follow all dice: chances are the middle of bounds that lie so far apart; else 0. */
  unknown: number;
  /** From how many rolls the chances are estimated, which is asked for with `isEstimating`; then `unknown` is 1. Else 0. */
  rolls: number;
  /** How likely each value of a step is; null where that would take too long. Not for contests, like those below. */
  spread(step: string): Map<number | string, number> | null;
  mean(step: string): number | null;
  /** The mean degree of an outcome, all others counted as 0. */
  meanDegree(outcome: string): number | null;
}

// The core of a game, which `rulewright export core` writes (game/core.schema.json). Every key is always there; what does
// not apply is null, 0 or empty.

/** Numbers as they are; ["name", n], ["word", w], ["tally", number], ["lookup", table, row, column], [operation, …]. */
export type Tree = number | [string, ...any[]];
/** The same with numbers of earlier nodes in place of trees; ["number", n]. */
export type NodeData = [string, ...(string | number)[]];
/** A number alone, or the number of a node with the text; at odd places of the text stands what explanations fill in: how
 * it is written, and the name or the number of the tally that it means. */
export type FormulaData = number | { node: number; text: (string | [string, string | number[]])[] };
export interface GameData {
  version: 2;
  folder: string;
  alone: boolean;
  title: string;
  tables: Record<string, TableData>;
  register: Record<string, CategoryData>;
  rules: Record<string, RuleData>;
  nodes: NodeData[];
}
/** `reads` are functions over sets of dice that other dice decide. */
export type Tables = Pick<GameData, "tables"> & { reads?: (((v: any, t: any) => any) | undefined)[]; functions?: Record<string, (runs: any[]) => any> };
/** A game whose categories are ready. */
export type Loaded = Omit<GameData, "register"> & { register: Record<string, Category> };
export interface CategoryData extends Omit<Category, "specialties" | "untrained"> {
  /** By trait and kind. */
  specialties: Record<string, Record<string, string[]>>;
  untrained: Record<string, FormulaData> | null;
}
export interface TableData {
  columns: string[];
  rows: Record<string, any[]>;
  ranges: [number | null, number | null, any[]][];
}
/** The dice of a kind (`of` has its number), of several sets together, or the highest or lowest of a set. */
export interface SetData { op: string; of: number[]; number: FormulaData | null; by: number | null; test: number | null }
export interface RuleData {
  label: string;
  inputs: any[];
  /** `again` says what a throw leads to: "explode", "reroll", or dice of the kind with this number. */
  kinds: any[];
  sets: SetData[];
  /** A function over a set; those with a body ask it of every throw, or once a die. */
  tallies: { function: string; set: number | null; body: number | null; every_throw: boolean; word: string; domain: number | null }[];
  /** Rerolls of dice of a set. */
  again: any[];
  /** What happens, in order: values (steps and questions) are worked out, kinds of dice rolled, entries of `again` applied. */
  order: { what: "values" | "dice" | "again" | "earned"; of: (string | number)[] }[];
  /** An empty label hides the step from readers. */
  steps: { name: string; formula: FormulaData; label: string | null; set: number | null }[];
  marks: Record<string, FormulaData>;
  outcomes: any[];
  aims: { text: string; what: string; formula: FormulaData | null }[];
  /** Aims that may be set for the rules that it rolls. */
  aims_of_rolls?: Input[];
  spends: (Spend & { changes: Record<string, FormulaData> })[];
  traits: Sum | null;
  contest: ContestData | null;
  rounds: RoundsData | null;
  nodes: NodeData[];
}
/** What inputs are after a round; until when, and how often at most, the rule is rolled again. */
export interface RoundsData { carry: Record<string, FormulaData>; until: FormulaData | null; most: FormulaData | null }
export interface ContestData { of: string[]; compare: string; ties: "first" | "second" | "again" | "none" }
