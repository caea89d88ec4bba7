// Dice notation in running text, and tables with a die in the header: rolls them in place.
import { below, chance } from "../engine/random.js";

(() => {
  const label = document.currentScript?.dataset.label ?? "{dice}", naming = (/** @type {string} */ dice) => label.replace("{dice}", dice);
  const DICE = /(?<![\w.,/#-])(\d{0,2})[dD](\d{1,4}|%)(?:\s?([-+−])\s?(\d{1,3})(?!\w))?(?![\w/])/g;
  const APART = "a, button, code, pre, kbd, script, style, template, svg, textarea, h1, h2, h3, h4, h5, h6, th, abbr, label, summary, "
    + "rule-card, rulewright-mistakes, [data-roll], [data-search-exclude], [role=status]";
  const next = chance();

  /** @typedef {{count: number, sides: number, more: number}} Dice */
  /** @param {RegExpMatchArray} found @returns {Dice | null} */
  function diceOf([, count, sides, sign, more]) {
    const own = { count: Number(count || 1), sides: sides === "%" ? 100 : Number(sides), more: Number(more ?? 0) * (sign && sign !== "+" ? -1 : 1) };
    return own.count > 0 && own.sides > 1 ? own : null;
  }
  /** @param {Dice} dice @returns {[number, string]} the total, and how it came about */
  function thrown({ count, sides, more }) {
    const faces = Array.from({ length: count }, () => below(next, sides) + 1), total = faces.reduce((a, b) => a + b, more);
    const parts = [faces.join(" + "), ...(more ? [more < 0 ? ` − ${-more}` : ` + ${more}`] : [])].join("");
    return [total, parts === String(total) ? parts : `${parts} = ${total}`.replaceAll("= -", "= −")];
  }
  /** @param {string} name @param {string} text @param {(said: HTMLElement) => void} roll @returns {HTMLElement[]} */
  function button(name, text, roll) {
    const made = document.createElement("button"), said = document.createElement("span");
    Object.assign(made, { type: "button", className: name, textContent: text });
    said.className = "rw-said";
    said.setAttribute("role", "status");
    made.addEventListener("click", () => roll(said));
    return [made, said];
  }

  /** Every text that is read as a sentence. @param {Element} article */
  function sentences(article) {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
      node instanceof Element && node.matches(APART) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    /** @type {Text[]} */
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text && /d[\d%]/i.test(node.data)) found.push(node);
    return found;
  }
  /** @param {Text} text */
  function mark(text) {
    const parts = [...text.data.matchAll(DICE)].flatMap((found) => {
      const dice = found[1] || found[3] ? diceOf(found) : null; // "a d6" is a word for a die, not a roll
      return dice ? [{ dice, start: found.index, end: found.index + found[0].length }] : [];
    });
    for (const { dice, start, end } of parts.reverse()) {
      const own = text.splitText(start);
      own.splitText(end - start);
      const [made, said] = button("rw-link rw-plain", own.data, (place) => (place.textContent = ` (${thrown(dice)[1]})`));
      made.setAttribute("aria-label", naming(own.data));
      own.replaceWith(made, said);
    }
  }

  /** The results a cell stands for: "4", "2–3", "96–00", "20+". @param {string} text @param {Dice} dice @returns {[number, number] | null} */
  function span(text, { count, sides, more }) {
    const found = /^(\d+)\s*(?:(\+)|(?:-|–|—|to)\s*(\d+))?$/.exec(text.trim());
    if (!found) return null;
    const number = (/** @type {string} */ one) => (/^0+$/.test(one) && one.length > 1 ? 10 ** one.length : Number(one));
    return [number(found[1]), found[2] ? count * sides + more : number(found[3] ?? found[1])];
  }
  /** @param {HTMLTableElement} table */
  function rollable(table) {
    const head = table.tHead?.rows[0]?.cells[0], found = [...(head?.textContent ?? "").trim().matchAll(DICE)][0];
    const dice = found && found[0] === head?.textContent?.trim() ? diceOf(found) : null;
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    if (!head || !dice || head.querySelector("button") || !rows.some((row) => span(row.cells[0]?.textContent ?? "", dice))) return;
    const name = head.textContent ?? "";
    const [made, said] = button("rw-link rw-plain", name.trim(), (place) => {
      const [total, text] = thrown(dice);
      let hit = "";
      for (const row of rows) {
        const range = span(row.cells[0]?.textContent ?? "", dice), here = !!range && range[0] <= total && total <= range[1];
        row.classList.toggle("rw-hit", here);
        if (here) hit = [...row.cells].slice(1).map((cell) => cell.textContent?.trim()).join(", ");
      }
      place.textContent = ` ${text}`;
      place.setAttribute("aria-label", hit ? `${text}: ${hit}` : text);
      table.querySelector(".rw-hit")?.scrollIntoView({ block: "nearest" });
    });
    made.setAttribute("aria-label", naming(name.trim()));
    head.replaceChildren(made, said);
  }

  for (const article of document.querySelectorAll("article, main")) {
    for (const table of article.querySelectorAll("table")) if (!table.closest(APART)) rollable(table);
    if (!article.querySelector("article")) sentences(article).forEach(mark);
  }
})();
