// Formulas become MathML, which browsers show by themselves. What does it is fetched by the first page that has one.

const program = new URL("temml/temml.min.js", document.currentScript.src).href

function fetched() {
  return new Promise((done, failed) => {
    if (window.temml) return done()
    const script = Object.assign(document.createElement("script"), { src: program, onload: done, onerror: failed })
    document.head.append(script)
  })
}

function set(place) {
  const displayMode = place.tagName === "DIV"
  const source = place.textContent.trim().replace(/^\\[([]|\\[)\]]$/g, "")
  window.temml.render(source, place, { displayMode, throwOnError: false })
}

document$.subscribe(async () => {
  const places = document.querySelectorAll(".arithmatex:not(:has(math))")
  if (!places.length) return
  await fetched()
  places.forEach(set)
})
