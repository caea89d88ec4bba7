// Aims: what the choices of a rule are made for, such as `chance(success)`, `-mean(harm)` or `always`.
/** @import {Aim, Aims, Formula, Rule, Values} from "./parts.d.ts" */
import { compile, namesIn, same } from "./formula.js";

const AIM = /^(-?)\s*(chance|mean)\s*\(\s*(degree\s+of\s+)?(.*?)\s*\)$/, OR = /\s+or\s+/;
const ALWAYS = { text: "always", what: "always", formula: null };

/** What decides the choices of a rule: the aim given, otherwise that of the rule. @param {Rule} rule @param {string} text @returns {Aims} */
export function chooseAims(rule, text = "") {
  const wanted = /** @type {Aim[]} */ ([text ? readAim(rule, text) : null, ...rule.aims].filter(Boolean)), isTaking = (/** @type {Aim} */ { what }) => what === "always" || what === "never";
  const asksYesOrNo = rule.inputs.every(({ form, is_choice, goal }) => !is_choice || goal || form === "flag"); // what `always` and `never` answer
  return { answer: asksYesOrNo && wanted[0] && isTaking(wanted[0]) ? +(wanted[0].what === "always") : null, taking: wanted.find(isTaking) ?? ALWAYS, goal: wanted.find((aim) => !isTaking(aim)) ?? meanOfLast(rule) };
}
/** The aim that a text means; null if it is none. @param {Rule} rule @param {string} text @returns {Aim | null} */
export function readAim(rule, text) {
  const low = text.trim().toLowerCase();
  if (low === "always" || low === "never") return { text: low, what: low, formula: null };
  const [, sign, kind, isDegree, name] = AIM.exec(low.replace("−", "-")) ?? [];
  if (!kind) return null;
  const formula = kind === "mean" && !isDegree ? rule.steps.get(name) : (kind === "mean" ? degreeOf : eventOf)(rule, name);
  if (!formula) return null;
  return sign ? { text, what: "mean", formula: asFormula(rule, text, ["neg", formula.tree]) } : { text, what: kind, formula };
}
/** What decides where a rule has no aim. @param {Rule} rule @returns {Aim} */
function meanOfLast(rule) {
  const [name, formula] = [...rule.steps].pop() ?? ["0", asFormula(rule, "0", 0)];
  return { text: `mean(${name})`, what: "mean", formula };
}
/** @param {Rule} rule @param {string} text @param {any} tree @returns {Formula} */
const asFormula = ({ game }, text, tree) => /** @type {any} */ ({ text, tree, parts: [text], names: [...namesIn(tree)], run: compile(tree, game, text) });
/** A formula that holds for outcomes joined by "or": those before them do not happen. @param {Rule} rule @param {string} text */
function eventOf(rule, text) {
  const { outcomes } = rule, names = splitOutcomes(text, outcomes.some(({ name }) => same(name, text)));
  const chosen = new Set(names.map((name) => outcomes.findIndex((own) => same(own.name, name)))), last = Math.max(...chosen);
  if (chosen.has(-1)) return null;
  if (!last && outcomes[0].when) return outcomes[0].when;
  const tree = outcomes.slice(0, last + 1).reduceRight((so, { when }, at) => (when ? ["if", when.tree, +chosen.has(at), so] : 1), /** @type {any} */ (0));
  return asFormula(rule, outcomes.filter((_, at) => chosen.has(at)).map(({ name }) => name).join(" or "), tree);
}
/** The degree of an outcome, 0 for every other; elsewhere it may have no value. @param {Rule} rule @param {string} name */
export function degreeOf(rule, name) {
  const { outcomes } = rule, number = outcomes.findIndex((own) => same(own.name, name)), degree = outcomes[number]?.degree;
  if (!degree) return null;
  const tree = outcomes.slice(0, number + 1).reduceRight((so, { when }, at) => (when ? ["if", when.tree, ...(at === number ? [so, 0] : [0, so])] : so), degree.tree);
  return asFormula(rule, degree.text, tree);
}
/** The names in `success or critical success`; one outcome may be called `hit or miss`. @param {string} text @param {boolean} isOne */
const splitOutcomes = (text, isOne) => (isOne ? [text] : text.split(OR));
/** The aims that a text in lower case is made of, without signs: one for each outcome. @param {string} text @param {string[]} choices */
export function splitAim(text, choices) {
  const [, , kind, isDegree, name] = AIM.exec(text) ?? [];
  if (!kind) return [text];
  return splitOutcomes(name, kind !== "chance" || choices.includes(`chance(${name})`)).map((one) => `${kind}(${isDegree ? "degree of " : ""}${one})`);
}
/** A rule whose rolls choose for the aims among these values. @param {Rule} rule @param {Values} values @returns {Rule} */
export function withAims(rule, values) {
  const given = rule.aimsOfRolls.filter(({ name }) => name in values), key = ["aims", ...given.flatMap(({ name }) => [name, values[name]])].join();
  if (!given.length) return rule;
  if (!rule.memory.has(key)) rule.memory.set(key, replaceGoals(rule, new Map(given.flatMap((entry) => entry.parts.map((prefix, at) => [prefix, { text: values[entry.name], whole: /** @type {string[]} */ (entry.wholes)[at], choices: entry.choices }])))));
  return rule.memory.get(key);
}
/** @param {Rule} rule @param {Map<string, {text: string, whole: string, choices: string[]}>} aims  by the prefixes of what follows them @returns {Rule} */
function replaceGoals(rule, aims) {
  const prefixes = rule.aimsOfRolls.flatMap(({ parts }) => parts), prefixOf = (/** @type {string} */ name) => name.slice(0, Math.max(name.lastIndexOf("."), 0));
  const rollOf = (/** @type {string} */ kind) => prefixes.filter((one) => kind.startsWith(`${one}.`)).reduce((a, b) => (b.length > a.length ? b : a), "");
  const goalOf = (/** @type {string} */ roll, /** @type {any} */ old) => {
    const aim = aims.get(roll), asked = rule.inputs.filter((entry) => entry.goal && prefixOf(entry.name) === roll);
    return old && aim ? asFormula(rule, aim.text, goalTree(aim.text, aim.whole, asked, aim.choices)) : old;
  };
  const inputs = rule.inputs.map((entry) => ({ ...entry, goal: goalOf(prefixOf(entry.name), entry.goal) }));
  return Object.assign(Object.create(rule), {
    inputs, asked: new Map(inputs.filter(({ asked }) => asked).map((entry) => [entry.name, entry])), aimsOfRolls: [], memory: new Map(), last: null,
    dice: rule.dice.map((kind) => { const aim = aims.get(prefixOf(kind.name)); return kind.taken === undefined || !aim ? kind : { ...kind, taken: aim.text !== "never" }; }),
    rerolls: rule.rerolls.map((entry) => ({ ...entry, goal: goalOf(rollOf(rule.dice[entry.among[0]].name), entry.goal) })),
  });
}
/** What an aim makes the most of, in a roll whose names begin so. @param {string} text @param {string} roll @param {{name: string}[]} asked @param {string[]} choices @returns {any} */
function goalTree(text, roll, asked, choices) {
  const [, sign, kind, isDegree, name] = AIM.exec(text) ?? [], is = (/** @type {string} */ one) => ["=", ["name", `${roll}.outcome`], ["word", one]];
  const goal = !kind ? asked.map((entry) => /** @type {any} */ (["name", entry.name])).reduce((a, b) => ["+", a, b])
    : kind === "chance" ? splitOutcomes(name, choices.includes(`chance(${name})`)).map(is).reduce((a, b) => /** @type {any} */ (["or", a, b])) : isDegree ? ["if", is(name), ["name", `${roll}.degree`], 0] : ["name", `${roll}.${name}`];
  return sign || text === "never" ? ["neg", goal] : goal;
}
