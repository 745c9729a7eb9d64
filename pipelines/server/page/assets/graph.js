// This file only moves and scales the picture of a graph. Without it, the picture stands still, and the table has the
// same hosts.
(() => {
  const whole = [0, 0, 1000, 640];
  let held = null, moved = false;
  const boxOf = (svg) => svg.getAttribute("viewBox").split(" ").map(Number);
  const set = (svg, box) => svg.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
  const scale = (svg, by, x = .5, y = .5) => {
    const [left, top, width, height] = boxOf(svg);
    const w = Math.min(2000, Math.max(50, width * by)), h = w * whole[3] / whole[2];
    set(svg, [left + (width - w) * x, top + (height - h) * y, w, h]);
  };

  const start = () => document.querySelectorAll("svg[data-graph]:not(.live)").forEach((svg) => {
    svg.classList.add("live");
    const bar = document.createElement("p");
    for (const [text, label, act] of [
      ["+", "Larger", () => scale(svg, 1 / 1.4)], ["−", "Smaller", () => scale(svg, 1.4)], ["Reset", "", () => set(svg, whole)],
    ]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = text;
      if (label) button.setAttribute("aria-label", label);
      button.addEventListener("click", act);
      bar.append(button, " ");
    }
    svg.before(bar);
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      const at = svg.getBoundingClientRect();
      scale(svg, event.deltaY > 0 ? 1.2 : 1 / 1.2, (event.clientX - at.left) / at.width, (event.clientY - at.top) / at.height);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      moved = false;
      if (event.button === 0) held = { svg, x: event.clientX, y: event.clientY, box: boxOf(svg) };
    });
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const x = event.clientX - held.x, y = event.clientY - held.y;
    moved = moved || Math.hypot(x, y) > 4;
    const by = held.box[2] / held.svg.getBoundingClientRect().width;
    set(held.svg, [held.box[0] - x * by, held.box[1] - y * by, held.box[2], held.box[3]]);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { held = null; });
  document.addEventListener("htmx:after:swap", start);
  start();
})();
