(function () {
  "use strict";
  var banner = document.querySelector(".cookie-banner");
  if (!banner) { return; }
  banner.querySelector("button").addEventListener("click", function () {
    banner.remove();
    document.cookie = "tide=accepted; path=/; max-age=31536000; SameSite=Lax";
  });
  document.querySelectorAll("time").forEach(function (t) {
    t.title = new Date(t.getAttribute("datetime")).toLocaleString();
  });
})();
