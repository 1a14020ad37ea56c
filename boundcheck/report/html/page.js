// Filters, order, the address, keys, theme and copying. Without this script every claim is still there and opens.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const claims = all(".claim"), groups = all(".group"), list = document.querySelector(".claims"), nothing = document.querySelector(".nothing");
  const search = byId("search"), selects = ["paper", "kind", "order"].map(byId), [paper, kind, order] = selects;
  const shown = document.querySelector(".shown"), toggles = all(".toggle");
  const root = document.documentElement;
  all("[hidden]").filter((e) => !e.matches(".nothing")).forEach((e) => { e.hidden = false; });
  all(".chip").forEach((e) => { e.title = e.textContent; });

  // filters and order

  const texts = new Map();
  const text = (c) => {
    if (!texts.has(c)) texts.set(c, all("summary, .meta, .reason, .instance, .remark", c).map((e) => e.textContent).join(" ").toLowerCase());
    return texts.get(c);
  };
  const visible = () => all(".claim", list).filter((c) => !c.hidden);
  const wanted = () => toggles.filter((t) => t.getAttribute("aria-pressed") === "true").map((t) => t.dataset.outcome);
  const want = (names) => toggles.forEach((t) => t.setAttribute("aria-pressed", String(names.includes(t.dataset.outcome))));
  const every = toggles.map((t) => t.dataset.outcome);

  // A label, with or without its paper, stands first where it is what is searched for.
  let leading = null;
  function lead() {
    const label = search.value.trim().toLowerCase();
    const exact = claims.find((c) => [c.id, c.id.slice(c.id.indexOf(".") + 1)].some((name) => name.toLowerCase() === label)) || null;
    if (leading && leading !== exact) sort();
    if (exact) list.insertBefore(exact, list.firstChild);
    leading = exact;
  }

  function filter() {
    lead();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), verdicts = wanted();
    for (const c of claims) {
      c.hidden = !(verdicts.includes(c.dataset.outcome) && (!paper.value || c.id.split(".")[0] === paper.value)
        && (!kind.value || c.dataset.kind === kind.value) && words.every((w) => text(c).includes(w)));
    }
    const there = visible(), count = there.length;
    groups.forEach((g) => { g.hidden = order.value !== "" || !there.some((c) => c.dataset.outcome === g.id); });
    shown.textContent = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
    nothing.hidden = count > 0 || claims.length === 0;
  }

  function sort() {
    const place = new Map(claims.map((c, k) => [c, k]));
    const used = (c, missing) => { const e = c.querySelector(".tight"); return e ? Number(e.lastChild.textContent) : missing; };
    const compare = {
      "": () => 0,
      name: (a, b) => (a.id < b.id ? -1 : 1),
      tight: (a, b) => used(b, -1) - used(a, -1),
      loose: (a, b) => used(a, 2) - used(b, 2),
    }[order.value] || (() => 0);
    const ordered = [...claims].sort((a, b) => compare(a, b) || place.get(a) - place.get(b));
    ordered.forEach((c) => list.insertBefore(c, nothing));
    if (!order.value) groups.forEach((g) => list.insertBefore(g, ordered.find((c) => c.dataset.outcome === g.id)));
  }

  // The address is #claim?verdict=...&q=...; #REFUTED alone shows the refuted.

  let current = "", written = location.hash;

  function address() {
    const query = new URLSearchParams();
    if (wanted().length < every.length) query.set("verdict", wanted().join(" "));
    if (search.value) query.set("q", search.value);
    selects.filter((s) => s.value).forEach((s) => query.set(s.id, s.value));
    return (current ? `#${encodeURIComponent(current)}` : "") + (`${query}` ? `${current ? "" : "#"}?${query}` : "");
  }

  function write(push) {
    const next = address();
    if (next === written) return;
    written = next;
    try { history[push ? "pushState" : "replaceState"](null, "", next || location.pathname + location.search); } catch { /* a page in a frame may have no history */ }
  }

  function changed(push = true) { filter(); write(push); }

  function read() {
    const [target, query] = location.hash.slice(1).split("?", 2);
    let id = target;
    try { id = decodeURIComponent(target); } catch { /* not one of ours */ }
    const asked = new URLSearchParams(query || ""), e = byId(id), c = e && e.matches(".claim") ? e : null;
    written = location.hash;
    if (!c && !every.includes(id) && query === undefined && target) {
      const around = e && e.closest("details:not([open])");
      if (around) { around.open = true; e.scrollIntoView({ block: "center" }); }
      return;
    }
    want(every.includes(id) ? [id] : asked.has("verdict") ? asked.get("verdict").split(" ") : every);
    search.value = asked.get("q") || "";
    selects.forEach((s) => { const value = asked.get(s.id) || ""; if (s.value !== value) { s.value = value; if (s === order) sort(); } });
    filter();
    if (!c && current && byId(current)) byId(current).open = false;
    current = c ? id : "";
    if (c) open(c);
    else if (every.includes(id)) byId("claims").scrollIntoView();
  }

  function open(c) {
    if (c.hidden) { want(every); search.value = paper.value = kind.value = ""; filter(); }
    c.open = true;
    c.scrollIntoView({ block: "start" });
    // Later, because following a link to a fragment takes the focus away.
    setTimeout(() => c.querySelector("summary").focus({ preventScroll: true }), 30);
  }

  list.addEventListener("toggle", (event) => {
    const c = event.target;
    if (!c.matches(".claim")) return;
    if (c.open) { dress(c); current = c.id; } else if (current === c.id) current = "";
    write(c.open);
  }, true);

  // Beside a reference to another claim stand, once it is read, that claim's sentence and statement.
  function borrow(link, c) {
    const other = byId(decodeURIComponent(link.hash.slice(1)));
    if (!other || other === c || link.matches(".full")) return;
    link.classList.add("full");
    const parts = all(link.closest(".steps") ? ".sentence" : ".sentence, .typeset", other).slice(0, 2);
    link.after(...parts.map((e) => e.cloneNode(true)));
  }

  // What an open claim gets: buttons that copy, and formulas that fit the width.
  function dress(c) {
    for (const link of all(".beside .ref, .steps .ref", c)) borrow(link, c);
    for (const formula of all(".typeset dd", c)) {
      const share = formula.clientWidth / formula.scrollWidth;
      if (share < 1) formula.style.fontSize = `${Math.max(0.62, share * 0.98)}em`;
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    }
    for (const command of all(".command:not(:has(button))", c)) {
      const button = document.createElement("button"), code = command.firstChild;
      Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
      button.addEventListener("click", async () => {
        try { await navigator.clipboard.writeText(code.textContent); button.textContent = "Copied"; }
        catch { getSelection().selectAllChildren(code); button.textContent = "Selected"; }
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      command.append(button);
    }
  }

  // keys

  const keys = byId("keys");
  function step(direction) {
    const there = visible(), now = document.activeElement && document.activeElement.closest(".claim");
    const next = there[now ? there.indexOf(now) + direction : direction > 0 ? 0 : there.length - 1];
    if (next) {
      next.querySelector("summary").focus();
      next.scrollIntoView({ block: "nearest" });
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && event.target === search) { search.value = ""; changed(); search.blur(); return; }
    if (typing) return;
    if (event.key === "?" && !keys.open) { keys.showModal(); return; }
    const c = event.target.closest && event.target.closest(".claim");
    if (event.key === "/") { event.preventDefault(); search.focus(); search.scrollIntoView({ block: "center" }); }
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "Escape" && c) { c.open = false; c.querySelector("summary").focus(); }
  });

  // A group of squares, or the graph of a paper, is one stop of the Tab key; arrows move inside it.
  function roving(group, selector, move) {
    const stops = all(selector, group);
    stops.forEach((stop, k) => { stop.tabIndex = k ? -1 : 0; });
    group.addEventListener("focusin", (event) => stops.forEach((stop) => { stop.tabIndex = stop === event.target ? 0 : -1; }));
    group.addEventListener("keydown", (event) => {
      const next = stops.includes(event.target) && move(event.target, event.key, stops);
      if (next) { event.preventDefault(); next.focus(); }
    });
  }
  const neighbour = (stop, key, stops) => stops[stops.indexOf(stop) + ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key] || NaN)];
  const node = (li) => li && li.querySelector(".node");
  const along = (stop, key, stops) => ({
    ArrowRight: () => node(stop.parentElement.querySelector("ul")),
    ArrowLeft: () => node(stop.parentElement.parentElement.closest("li")),
    ArrowDown: () => stops[stops.indexOf(stop) + 1],
    ArrowUp: () => stops[stops.indexOf(stop) - 1],
  }[key] || (() => null))();
  all("[data-roving]").forEach((group) => roving(group, ".chip", neighbour));
  all(".trees").forEach((group) => roving(group, ".node", along));

  // dark and light

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("boundcheck-theme"); } catch { return null; } };
  if (remembered()) root.dataset.theme = remembered();
  byId("theme").addEventListener("click", () => {
    root.dataset.theme = (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
    try { localStorage.setItem("boundcheck-theme", root.dataset.theme); } catch { /* a page from a file may have no store */ }
  });

  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", () => changed(false));
  [paper, kind].forEach((select) => select.addEventListener("change", () => changed()));
  order.addEventListener("change", () => { sort(); changed(); });
  byId("reset").addEventListener("click", () => { want(every); search.value = paper.value = kind.value = ""; changed(); });
  toggles.forEach((t) => t.addEventListener("click", () => { t.setAttribute("aria-pressed", String(t.getAttribute("aria-pressed") !== "true")); changed(); }));
  addEventListener("popstate", () => { if (location.hash !== written) read(); });
  addEventListener("hashchange", () => { if (location.hash !== written) read(); });
  filter();
  read();
})();
