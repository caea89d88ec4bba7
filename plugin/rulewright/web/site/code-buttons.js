// Material makes a landmark of the buttons of each code block; removes the role, so that screen readers list real ones.
function hideLandmarks() {
  for (const one of document.querySelectorAll("nav.md-code__nav:not([role])")) one.setAttribute("role", "presentation");
}

hideLandmarks();
new MutationObserver(hideLandmarks).observe(document.body, { childList: true, subtree: true });
