// This file only handles drags over charts of time: a drag leads to the page of that span. Without it, the fields "From"
// and "To" do the same.
(() => {
  let chart = null, from = 0, to = 0, dragged = false;
  const spots = () => [...chart.querySelectorAll("[data-at]")];
  const place = (event) => {
    const list = spots();
    const i = list.findIndex((spot) => event.clientX <= spot.getBoundingClientRect().right);
    return i < 0 ? list.length - 1 : i;
  };
  const show = () => spots().forEach((spot, i) =>
    spot.classList.toggle("brushed", from !== to && i >= Math.min(from, to) && i <= Math.max(from, to)));

  addEventListener("pointerdown", (event) => {
    dragged = false;
    chart = event.button === 0 && event.target.closest ? event.target.closest("svg[data-brush]") : null;
    if (chart) from = to = place(event);
  });
  addEventListener("pointermove", (event) => {
    if (!chart) return;
    to = place(event);
    show();
  });
  addEventListener("pointercancel", () => {
    if (chart) { to = from; show(); }
    chart = null;
  });
  addEventListener("pointerup", () => {
    if (!chart) return;
    const list = spots(), link = chart.dataset.brush;
    dragged = from !== to;
    chart = null;
    if (!dragged) return; // a click, which the link answers
    const label = (i) => encodeURIComponent(list[i].dataset.at);
    location.href = link.replace("{from}", label(Math.min(from, to))).replace("{to}", label(Math.max(from, to)));
  });
  addEventListener("click", (event) => { if (dragged) event.preventDefault(); }, true);
  addEventListener("dragstart", (event) => { if (chart) event.preventDefault(); }); // of a column's link
})();
