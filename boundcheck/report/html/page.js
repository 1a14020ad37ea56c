// Filters, order, keys, theme and copying. Without this script every claim is still there and opens.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const claims = all(".claim"), list = document.querySelector(".claims"), nothing = document.querySelector(".nothing");
  const search = byId("search"), paper = byId("paper"), kind = byId("kind"), order = byId("order");
  const shown = document.querySelector(".shown"), toggles = all(".toggle");
  const root = document.documentElement, outcomes = JSON.parse(root.dataset.outcomes);
  const outcome = (c) => outcomes[c.dataset.outcome];
  all("[hidden]").filter((e) => !e.matches(".nothing")).forEach((e) => { e.hidden = false; });

  const texts = new Map(claims.map((c) => [c, all("summary, .meta, .reason, .instance, .remark", c).map((e) => e.textContent).join(" ").toLowerCase()]));
  const visible = () => claims.filter((c) => !c.hidden);

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(toggles.filter((t) => t.getAttribute("aria-pressed") === "true").map((t) => t.dataset.outcome));
    for (const c of claims) {
      c.hidden = !(wanted.has(c.dataset.outcome) && (!paper.value || c.dataset.paper === paper.value)
        && (!kind.value || c.dataset.kind === kind.value) && words.every((w) => texts.get(c).includes(w)));
    }
    const count = visible().length;
    shown.textContent = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
    nothing.hidden = count > 0 || claims.length === 0;
  }

  function reset() {
    search.value = paper.value = kind.value = "";
    toggles.forEach((t) => t.setAttribute("aria-pressed", "true"));
    filter();
  }

  function sort() {
    const place = new Map(claims.map((c, k) => [c, k]));
    const tightness = (c, missing) => (c.dataset.tightness === "" || outcome(c).refutes ? missing : Number(c.dataset.tightness));
    const compare = {
      "": () => 0,
      outcome: (a, b) => outcome(a).rank - outcome(b).rank,
      tight: (a, b) => tightness(b, -1) - tightness(a, -1),
      loose: (a, b) => tightness(a, 2) - tightness(b, 2),
    }[order.value];
    [...claims].sort((a, b) => compare(a, b) || place.get(a) - place.get(b)).forEach((c) => list.insertBefore(c, nothing));
  }

  function open(c) {
    if (c.hidden) reset();
    c.open = true;
    c.scrollIntoView({ block: "start" });
    // Later, because following a link to a fragment takes the focus away.
    setTimeout(() => c.querySelector("summary").focus({ preventScroll: true }), 30);
  }

  function openHash() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { return; }
    const c = byId(id);
    if (c && c.matches(".claim")) open(c);
  }

  function step(direction) {
    const there = visible(), now = document.activeElement && document.activeElement.closest(".claim");
    const ordered = all(".claim", list).filter((c) => there.includes(c));
    const next = ordered[now ? ordered.indexOf(now) + direction : direction > 0 ? 0 : ordered.length - 1];
    if (next) {
      next.querySelector("summary").focus();
      next.scrollIntoView({ block: "nearest" });
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && event.target === search) { search.value = ""; filter(); search.blur(); return; }
    if (typing) return;
    const c = event.target.closest && event.target.closest(".claim");
    if (event.key === "/") { event.preventDefault(); search.focus(); search.scrollIntoView({ block: "center" }); }
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "Escape" && c) { c.open = false; c.querySelector("summary").focus(); }
  });

  // A group of squares is one stop of the Tab key; arrows move inside it.
  for (const group of all("[data-roving]")) {
    const chips = all(".chip", group);
    chips.forEach((chip, k) => { chip.tabIndex = k ? -1 : 0; });
    group.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = move && chips[chips.indexOf(document.activeElement) + move];
      if (!next) return;
      event.preventDefault();
      chips.forEach((chip) => { chip.tabIndex = -1; });
      next.tabIndex = 0;
      next.focus();
    });
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = byId("theme");
  const remembered = () => { try { return localStorage.getItem("boundcheck-theme"); } catch { return null; } };
  if (remembered()) root.dataset.theme = remembered();
  theme.addEventListener("click", () => {
    root.dataset.theme = (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
    try { localStorage.setItem("boundcheck-theme", root.dataset.theme); } catch { /* a page from a file may have no store */ }
  });

  for (const button of all(".copy")) {
    const code = button.previousElementSibling;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(code.textContent); button.textContent = "Copied"; }
      catch { getSelection().selectAllChildren(code); button.textContent = "Selected"; }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  let printed = [];
  addEventListener("beforeprint", () => { printed = visible().filter((c) => !c.open && outcome(c).refutes); printed.forEach((c) => { c.open = true; }); });
  addEventListener("afterprint", () => printed.forEach((c) => { c.open = false; }));
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", filter);
  [paper, kind].forEach((select) => select.addEventListener("change", filter));
  order.addEventListener("change", sort);
  byId("reset").addEventListener("click", reset);
  toggles.forEach((t) => t.addEventListener("click", () => { t.setAttribute("aria-pressed", String(t.getAttribute("aria-pressed") !== "true")); filter(); }));
  addEventListener("hashchange", openHash);
  filter();
  openHash();
})();
