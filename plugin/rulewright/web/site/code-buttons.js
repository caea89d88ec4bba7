// The theme puts a landmark around the buttons of each piece of code; so many of one name help nobody who looks for places.
function mend() {
  for (const one of document.querySelectorAll("nav.md-code__nav:not([role])")) one.setAttribute("role", "presentation");
}

mend();
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
