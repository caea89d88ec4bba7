// The theme puts wide tables into boxes that move sideways. Such a box can be reached by keyboard, and has a name.

const watch = new ResizeObserver(boxes => boxes.forEach(({ target }) => reach(target)))

function reach(box) {
  const moves = box.scrollWidth > box.clientWidth
  const heads = [...box.querySelectorAll("thead th")].map(head => head.textContent.trim()).filter(Boolean)
  const named = { tabindex: "0", role: "region", "aria-label": heads.join(", ") }
  for (const [name, value] of Object.entries(named)) moves ? box.setAttribute(name, value) : box.removeAttribute(name)
}

document$.subscribe(() => document.querySelectorAll(".md-typeset__scrollwrap").forEach(box => watch.observe(box)))
