// This file only handles keys: every page works without it. "/" goes to the search box and Escape leaves it. The keys
// j and k go from result to result, and so do the arrows once a result has the focus. Keys of one letter can be turned
// off at the bottom of the page (WCAG 2.1.4).
(() => {
  const off = () => localStorage.getItem("keys") === "off";
  const typing = (e) => e.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(e.tagName);

  addEventListener("keydown", (event) => {
    if (off() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const box = document.getElementById("q");
    const here = document.activeElement;
    if (event.key === "Escape" && here === box) { box.blur(); return; }
    if (typing(here)) return;
    if (event.key === "/" && box) {
      event.preventDefault();
      box.focus();
      box.select();
      return;
    }
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    const results = [...document.querySelectorAll("[data-keys] :is(h3, tbody th, li) > a")];
    const at = results.indexOf(here);
    if (!step || !results.length || (at < 0 && event.key.length > 1)) return; // arrows scroll until a result has the focus
    event.preventDefault();
    results[Math.max(0, Math.min(results.length - 1, at + step))].focus();
  });

  // The switch is made here, since without scripts no keys need turning off.
  const foot = document.querySelector("footer");
  if (foot) {
    const button = document.createElement("button");
    button.className = "quiet";
    const say = () => { button.textContent = off() ? "Keys are off" : "Keys are on: / j k Esc"; };
    button.addEventListener("click", () => { localStorage.setItem("keys", off() ? "on" : "off"); say(); });
    say();
    foot.append(button);
  }
})();
