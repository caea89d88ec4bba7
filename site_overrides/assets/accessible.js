// Names for what the theme leaves without one: boxes of wide tables, the search, parts of the navigation.

const TITLE = ":scope > .md-nav__title"
const watch = new ResizeObserver(boxes => boxes.forEach(({ target }) => reach(target)))

/** A box that scrolls sideways can be reached by keyboard. */
function reach(box) {
  const scrolls = box.scrollWidth > box.clientWidth
  const heads = [...box.querySelectorAll("thead th")].map(head => head.textContent.trim()).filter(Boolean)
  const named = { tabindex: "0", role: "region", "aria-label": heads.join(", ") }
  for (const [name, value] of Object.entries(named)) scrolls ? box.setAttribute(name, value) : box.removeAttribute(name)
}

/** A part of the navigation refers to a label that has no text, or that does not exist. */
function nameNavigation(nav) {
  const label = document.getElementById(nav.getAttribute("aria-labelledby"))
  if (label?.textContent.trim()) return
  nav.removeAttribute("aria-labelledby")
  nav.setAttribute("aria-label", nav.querySelector(TITLE)?.textContent.trim() ?? "")
}

/** The buttons of each piece of code are a landmark, all of the same name. */
function hideLandmarks() {
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "presentation")
}

document.querySelector(".md-search")?.setAttribute("aria-label", document.querySelector(".md-search__input").placeholder)
document.querySelectorAll("nav.md-nav[aria-labelledby]").forEach(nameNavigation)
new MutationObserver(hideLandmarks).observe(document.body, { childList: true, subtree: true })
document$.subscribe(() => {
  hideLandmarks()
  document.querySelectorAll(".md-typeset__scrollwrap").forEach(box => watch.observe(box))
})
