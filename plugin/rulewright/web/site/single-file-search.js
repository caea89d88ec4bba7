// Finds words in the sections of a book in a single file; a site has the search of its host.
/**
 * @typedef {{heading: HTMLElement, title: string, trail: string, text: string}} Section
 * @typedef {Map<string, Map<number, number>>} Places  for each word the sections it is in, and how much it counts there
 */
const IN_HEADING = 6; // as much as so many words in the text

export const plain = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const words = (/** @type {string} */ text) => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** @param {Section[]} found @returns {Places} */
export function places(found) {
  /** @type {Places} */
  const known = new Map();
  const add = (/** @type {string} */ word, /** @type {number} */ number, /** @type {number} */ weight) => {
    const here = known.get(word) ?? new Map();
    known.set(word, here.set(number, (here.get(number) ?? 0) + weight));
  };
  found.forEach((section, number) => {
    for (const word of words(section.title)) add(word, number, IN_HEADING);
    for (const word of words(section.text)) add(word, number, 1);
  });
  return known;
}

/** Letters left out, added, changed or swapped, as far as there are no more than so many. @param {string} a @param {string} b @param {number} most */
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  /** @type {number[]} */
  let before = [], row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length];
}

/** The words of the book that may be meant, each with how well it fits; slips count when nothing else fits.
 * @param {string} asked @param {Places} known @returns {[string, number][]} */
function meant(asked, known) {
  /** @type {[string, number][]} */
  const fits = [];
  for (const word of known.keys()) {
    if (word === asked) fits.push([word, 1]);
    else if (word.startsWith(asked)) fits.push([word, 0.6]);
    else if (asked.length > 2 && word.includes(asked)) fits.push([word, 0.3]);
  }
  const most = asked.length > 7 ? 2 : asked.length > 3 ? 1 : 0;
  if (fits.length || !most) return fits;
  return [...known.keys()].filter((word) => distance(asked, word, most) <= most).map((word) => [word, 0.2]);
}

/** @param {string} query @param {Section[]} found @param {Places} known @returns {[Section, string[]][]} */
export function search(query, found, known) {
  const asked = words(query).slice(0, 8);
  const fits = asked.map((word) => meant(word, known));
  /** @type {Map<number, number>[]} */
  const scores = fits.map((list) => {
    const score = new Map();
    for (const [word, fit] of list)
      for (const [number, weight] of known.get(word) ?? [])
        score.set(number, Math.max(score.get(number) ?? 0, fit * (1 + Math.log2(1 + weight))));
    return score;
  });
  if (!scores.length) return [];
  const hits = [...scores[0].keys()].filter((number) => scores.every((score) => score.has(number)));
  const whole = plain(query).trim();
  const worth = (/** @type {number} */ number) => scores.reduce((sum, score) => sum + (score.get(number) ?? 0), 0)
    + (plain(found[number].title).includes(whole) ? 4 : plain(found[number].text).includes(whole) ? 2 : 0);
  const order = hits.map((number) => /** @type {const} */ ([worth(number), number])).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return order.map(([, number]) => [found[number], fits.flatMap((list) => list.map(([word]) => word))]);
}
