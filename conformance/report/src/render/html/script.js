"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const SHOWN = 200;

  // A node; text is only ever text.
  function node(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== false) made.setAttribute(key, value);
    }
    made.append(...children.filter(Boolean));
    return made;
  }

  // Light and dark: as the system has it, until someone asks for the other.
  const root = document.documentElement, theme = $("theme");
  const isDark = () => getComputedStyle(root).colorScheme.includes("dark");
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
  theme.hidden = false;
  name();

  // The data is read when it is needed first, so that the first screen does not wait for it.
  let data, details;
  function load() {
    if (data) return;
    data = JSON.parse($("data").textContent);
    data.cases = data.cases.map(([run, front, rest, type, outcome, cls, clauses, message, first, detail, isNew], at) => {
      const word = (n) => data.words[n], id = word(front) + ":" + rest, [op, level, family] = word(front).split(":");
      return {
        at, run, id, op, level, family, type: word(type), outcome: word(outcome), cls: word(cls),
        clauses: clauses.map((n) => data.clauses[n]), message: word(message), first: word(first), detail, isNew,
        text: [id, word(message), word(cls), word(outcome), data.runs[run].label, ...clauses.map((n) => data.clauses[n].id)].join(" ").toLowerCase(),
      };
    });
    const fill = (key, values) => {
      const select = $("by-" + key);
      select.append(node("option", { value: "" }, "all"), ...values.map((value) => node("option", { value }, value)));
      select.closest("label").hidden = values.length < 2;
    };
    const all = (pick) => [...new Set(data.cases.flatMap(pick))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    fill("run", all((c) => data.runs[c.run].label));
    fill("op", all((c) => c.op));
    fill("level", all((c) => c.level));
    fill("upto", all((c) => c.level));
    fill("type", all((c) => c.type));
    fill("class", all((c) => c.cls));
    fill("clause", all((c) => (c.clauses[0] ? c.clauses[0].id : "none")));
    fill("new", all((c) => (c.isNew ? "yes" : "no")));
  }
  const read = {
    run: (c) => data.runs[c.run].label, op: (c) => c.op, level: (c) => c.level, type: (c) => c.type,
    class: (c) => c.cls, clause: (c) => (c.clauses[0] ? c.clauses[0].id : "none"), id: (c) => c.id,
    upto: (c) => c.level, new: (c) => (c.isNew ? "yes" : "no"),
  };
  const FILTERS = ["run", "op", "level", "upto", "type", "class", "clause", "new"];
  const fits = (key, found, value) => (key === "upto" ? found.localeCompare(value, "en", { numeric: true }) <= 0 : found === value);

  // A query is words; `key:value` asks for exactly that value, where `+` stands for a space.
  function parse(text) {
    const query = { words: [], keys: {} };
    for (const word of text.split(" ").filter(Boolean)) {
      const [, key, value] = word.match(/^([a-z]+):(.*)$/) || [];
      if (key && read[key]) query.keys[key] = value.replaceAll("+", " ");
      else query.words.push(word.toLowerCase());
    }
    return query;
  }
  const spell = (query) => [...Object.entries(query.keys).map(([key, value]) => key + ":" + value.replaceAll(" ", "+")), ...query.words].join(" ");
  const matching = (query) => data.cases.filter((c) =>
    Object.entries(query.keys).every(([key, value]) => fits(key, read[key](c), value)) && query.words.every((word) => c.text.includes(word)));

  // How many cases fail, with those that are not listed; nothing where that is not counted.
  function counted(query) {
    const asked = Object.entries(query.keys);
    const sum = (names, rows) => asked.every(([key]) => names.includes(key === "upto" ? "level" : key)) && rows.reduce((all, row) =>
      all + (asked.every(([key, value]) => fits(key, key === "run" ? data.runs[row[0]].label : row[names.indexOf(key === "upto" ? "level" : key)], value)) ? row[row.length - 1] : 0), 0);
    if (query.words.length) return false;
    const cells = sum(["run", "op", "level", "type"], data.cells);
    return cells === false ? sum(["run", "clause", "level"], data.broken) : cells;
  }
  function told(query) {
    const say = (n) => n.toLocaleString("en"), cases = (n) => say(n) + (n === 1 ? " case" : " cases");
    const all = counted(query), left = data.cells.reduce((sum, row) => sum + row[4], 0) - data.cases.length;
    if (all > found.length) return cases(found.length) + " of " + say(all) + " that fail; the other " + say(all - found.length) + " are counted and not listed, as many fail alike";
    return cases(found.length) + " of the " + say(data.cases.length) + " that are listed" + (all === false && left > 0 ? "; " + say(left) + " more failing cases are counted and not listed" : "");
  }

  let found = [], shown = 0, lastList = "#q=";
  function show(part) {
    for (const id of ["overview", "cases", "case"]) $(id).hidden = id !== part;
  }
  function list(text) {
    load();
    const query = parse(text);
    found = matching(query);
    lastList = "#q=" + encodeURIComponent(text);
    for (const key of FILTERS) $("by-" + key).value = query.keys[key] || "";
    if (document.activeElement !== $("search")) $("search").value = query.words.join(" ");
    $("count").textContent = told(query);
    shown = 0;
    $("list").replaceChildren();
    more();
    show("cases");
  }
  function more() {
    const several = data.runs.length > 1;
    $("list").append(...found.slice(shown, shown + SHOWN).map((c) => node("li", {},
      node("a", { class: "id", href: address(c) }, c.id), node("div", {},
        several && node("span", { class: "tag" }, data.runs[c.run].label), node("span", { class: "tag bad" }, c.cls),
        c.isNew ? node("span", { class: "tag bad" }, "new") : "", c.message))));
    shown += SHOWN;
    $("more").hidden = shown >= found.length;
  }
  const address = (c) => "#case=" + encodeURIComponent("run:" + data.runs[c.run].label.replaceAll(" ", "+") + " id:" + c.id);

  // Rows of the last dimension, an empty line between planes; columns as wide as the widest value of all grids.
  function grid(tensor, values, width, wrong) {
    const pre = node("pre", { tabindex: 0 });
    values.forEach((value, i) => {
      const place = i % tensor.row;
      if (i && !place) pre.append((i / tensor.row) % tensor.plane ? "\n" : "\n\n");
      pre.append((place ? " " : "") + " ".repeat(width - value.length));
      pre.append(wrong && wrong[i] === "1" ? node("mark", {}, value) : value);
    });
    return pre;
  }
  const widest = (...lists) => lists.flat().reduce((most, value) => Math.max(most, value.length), 1);
  function block(title, shape, content) {
    return node("div", {}, node("h4", {}, title), shape && node("p", { class: "says" }, shape), content);
  }
  const absent = (text) => node("p", { class: "says" }, text);

  function tensors(detail) {
    const parts = [];
    if (detail.inputs.length) parts.push(node("h3", {}, "Inputs"), node("div", { class: "grids" }, ...detail.inputs.map((t) =>
      block(t.name, t.shape, t.values.length ? grid(t, t.values, widest(t.values)) : absent("too many to show")))));
    const runs = Object.entries(detail.actual);
    detail.outputs.forEach((t, n) => {
      const values = runs.map(([, outputs]) => (outputs[n] ? outputs[n].values : [])), width = widest(t.values, ...values);
      parts.push(node("h3", {}, t.name + " ", node("span", { class: "says" }, t.shape)), node("div", { class: "grids" },
        block("Expected", "", t.values.length ? grid(t, t.values, width) : absent("too many to show")),
        ...runs.map(([run, outputs], i) => {
          const wrong = outputs[n] ? outputs[n].wrong : "", count = [...wrong].filter((bit) => bit === "1").length;
          const label = "Actual of " + data.runs[run].label + (wrong ? " – " + count + " of " + t.values.length + " differ" : "");
          return block(label, "", values[i].length ? grid(t, values[i], width, wrong) : absent("too many to show"));
        })));
    });
    if (detail.outputs.length && !runs.length) parts.push(absent("What came back is not in this report: it was not stored, or there was nothing."));
    return parts;
  }
  function clause(c) {
    return node("div", { class: "clause" }, node("div", {}, node("span", { class: "id" }, c.id), " ", node("span", { class: "tag" }, c.status)),
      c.says && node("p", {}, c.says), c.place && node("p", { class: "says" }, "Reference: ", c.place),
      ...c.observed.map((text) => node("p", { class: "says" }, text)));
  }
  function page(text) {
    load();
    const query = parse(text), c = matching(query)[0];
    if (!c) return list(text);
    if (!found.includes(c)) found = matching({ words: [], keys: { run: data.runs[c.run].label } });
    const at = found.indexOf(c), before = found[at - 1], behind = found[at + 1];
    if (c.detail >= 0 && !details) details = JSON.parse($("details").textContent);
    const detail = c.detail >= 0 ? details[c.detail] : null;
    const others = data.cases.filter((o) => o.id === c.id && o !== c);
    $("case").replaceChildren(
      node("p", { class: "way" }, node("a", { href: lastList, id: "back" }, "Back to the list"),
        before ? node("a", { href: address(before), id: "before" }, "Previous") : "", behind ? node("a", { href: address(behind), id: "behind" }, "Next") : ""),
      node("h2", { class: "id", tabindex: -1 }, c.id),
      node("p", {}, node("span", { class: "tag" }, data.runs[c.run].label), node("span", { class: "tag bad" }, c.outcome),
        c.cls === c.outcome ? "" : node("span", { class: "tag bad" }, c.cls)),
      node("p", {}, node("strong", {}, c.message || c.outcome)), c.first && node("p", {}, c.first),
      node("h3", {}, "Run it again"), node("pre", { class: "command", tabindex: 0 }, data.runs[c.run].again + " '" + c.id + "'"),
      others.length ? node("p", {}, "It also fails on ", ...others.flatMap((o, i) => [i ? ", " : "", node("a", { href: address(o) }, data.runs[o.run].label), ": " + o.message])) : "",
      node("h3", {}, c.clauses.length > 1 ? "Clauses" : "Clause"), ...(c.clauses.length ? c.clauses.map(clause) : [absent("No clause is blamed.")]),
      ...(detail ? [
        node("h3", {}, "Expected"), node("p", {}, detail.expected), ...tensors(detail),
        node("h3", {}, "Descriptor"), node("dl", {}, ...detail.fields.flatMap(([key, value]) => [node("dt", {}, key), node("dd", { class: "id" }, value)])),
      ] : [absent("Descriptor and tensors of this case are not in this report, as only some cases of each kind are."),
        node("pre", { class: "command", tabindex: 0 }, "dml-cts show '" + c.id + "'")]));
    show("case");
    scrollTo(0, 0);
    $("case").querySelector("h2").focus();
  }

  function route() {
    const [, kind, text] = location.hash.match(/^#(q|case)=(.*)$/) || [];
    let query = "";
    try { query = decodeURIComponent(text || ""); } catch { query = ""; }
    if (kind === "case") return page(query);
    if (kind === "q") { list(query); scrollTo(0, 0); if (document.activeElement !== $("search")) $("cases-title").focus(); return undefined; }
    show("overview");
    const target = location.hash.length > 1 && $(location.hash.slice(1));
    if (target) { if (target.tagName === "DETAILS") target.open = true; target.scrollIntoView(); }
    return undefined;
  }
  function refine() {
    const query = parse($("search").value);
    for (const key of FILTERS) if ($("by-" + key).value) query.keys[key] = $("by-" + key).value;
    const text = spell(query);
    history.replaceState(null, "", "#q=" + encodeURIComponent(text));
    list(text);
  }
  let waiting;
  $("filter").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(refine, 120); });
  $("filter").addEventListener("submit", (event) => { event.preventDefault(); refine(); });
  $("more").addEventListener("click", () => { const next = shown; more(); const items = $("list").children; if (items[next]) items[next].querySelector("a").focus(); });
  addEventListener("hashchange", route);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    const inText = document.activeElement.tagName === "PRE";
    if (event.key === "/" && !typing) {
      event.preventDefault();
      if ($("cases").hidden) location.hash = lastList;
      setTimeout(() => $("search").focus());
    } else if (event.key === "Escape") {
      if (!$("case").hidden) location.hash = lastList;
      else if (!$("cases").hidden) location.hash = "#main";
    } else if (!typing && !inText && !$("case").hidden && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      const link = $(event.key === "ArrowLeft" ? "before" : "behind");
      if (link) location.hash = link.hash;
    }
  });
  // Bookmarks of operators, too, but not before the first paint.
  $("to-cases").hidden = false;
  if (location.hash) requestAnimationFrame(() => setTimeout(route));
})();
