"use strict";
// Without this script every figure is readable: counts lie open, and some items of each kind stand in the page.
document.documentElement.classList.add("js");

addEventListener("DOMContentLoaded", () => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, attributes = {}, ...inside) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
    element.append(...inside);
    return element;
  };
  const pause = () => new Promise((done) => setTimeout(done));
  const number = (count) => count.toLocaleString("en");

  for (const button of all("button[aria-controls]")) {
    button.addEventListener("click", () => {
      const panel = document.getElementById(button.getAttribute("aria-controls"));
      const open = panel.classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
      const row = panel.closest("tr");
      row.classList.toggle("open", row.querySelector(".panel.open") !== null);
    });
  }

  // Evidence: what is searched is data; of what is found, so much is drawn as somebody looks at.
  const FIRST = 25; // items of a block that are drawn at once
  const FOUND = 10; // and while something is looked for, which may unfold every block
  const MORE = 100; // and those that a reader asks for
  const BUSY = 30; // milliseconds after which a search lets the page draw, and goes on
  const MARK = "\u0001"; // stands around the name of a character that would act
  const PLACES = ["", "long", "left", "right"];

  const filters = Object.fromEntries(all("[data-filter]").map((field) => [field.dataset.filter, field]));
  const matches = document.querySelector("[data-matches]");
  const packed = document.getElementById("packed~");
  const rows = new Map(); // by their addresses
  const rowOf = new WeakMap(); // by what is drawn of them
  let texts = []; // each once, in however many items it stands
  const lower = []; // the same as they are searched
  let unread = ""; // why what is packed cannot be shown

  const blocks = all(".block").map((element, place) => {
    const [list, rest] = [element.querySelector(".items"), element.querySelector(".rest")];
    const block = { element, list, rest, more: rest && rest.querySelector("button"), most: FIRST };
    block.rows = all(".item", list).map((drawn) => {
      const row = { id: drawn.id, group: drawn.dataset.group, direction: drawn.dataset.direction, block, drawn };
      rows.set(row.id, row);
      return row;
    });
    block.found = block.rows;
    block.place = String(place);
    if (block.more) {
      block.more.addEventListener("click", () => {
        const [next] = block.found.slice(block.most);
        block.most += MORE;
        draw(block);
        if (next) next.drawn.querySelector("summary").focus();
      });
    }
    return block;
  });

  const read = (place) => (Array.isArray(place) ? place.map((each) => texts[each]).join("\n\n") : texts[place]);
  const bare = (text) => text.replaceAll(MARK, "");
  // Everything is set as text; a name of a character is marked, so that none can be faked.
  const shown = (text) => text.split(MARK).map((part, at) => (at % 2 ? make("span", { class: "ctl" }, part) : part));

  const lowered = (place) => (lower[place] ??= bare(texts[place]).toLowerCase());
  // Items that stand in the page as markup have no places among the texts; they are few.
  const plainly = (row) => (row.text ??= all(".title, .tags, dt, dd", row.drawn).map((each) => each.textContent).join("\n").toLowerCase());

  const drawnOf = (row) => {
    if (!row.drawn) {
      const bdi = (place) => make("bdi", {}, ...shown(read(place)));
      const [group, direction, title] = row.heads;
      const tags = make("span", { class: "tags" }, make("span", {}, bdi(group)), " ", make("span", {}, bdi(direction)));
      const summary = make("summary", {}, make("span", { class: "title" }, bdi(title)), " ", tags);
      row.drawn = make("details", { class: "item", id: row.id }, summary);
      row.drawn.dataset.group = row.group;
      row.drawn.dataset.direction = row.direction;
      rowOf.set(row.drawn, row);
    }
    return row.drawn;
  };

  // The texts of an item are drawn when it is opened.
  const fill = (drawn) => {
    const row = rowOf.get(drawn);
    if (!row || row.filled) return;
    row.filled = true;
    const entries = row.body.map(([label, text, place]) => {
      const pre = make("pre", { dir: "auto" }, ...shown(read(text)));
      return make("div", { class: PLACES[place] }, make("dt", {}, ...shown(read(label))), make("dd", {}, pre));
    });
    const link = make("a", { href: `#${row.id}` }, "Link to this item");
    drawn.append(make("dl", {}, ...entries), make("p", { class: "mark" }, link));
  };

  const draw = (block) => {
    const wanted = block.found.slice(0, block.most).map(drawnOf);
    const there = block.list.children;
    if (wanted.length !== there.length || wanted.some((each, at) => each !== there[at])) {
      const kept = there.length <= wanted.length && [...there].every((each, at) => each === wanted[at]);
      if (kept) block.list.append(...wanted.slice(there.length));
      else block.list.replaceChildren(...wanted);
    }
    if (!block.rest) return;
    const left = block.found.length - wanted.length;
    block.rest.hidden = left === 0 && !unread;
    block.rest.firstElementChild.textContent = unread || `${number(left)} more.`;
    block.more.hidden = left === 0;
    block.more.textContent = left > MORE ? `Show ${MORE} more` : "Show all";
  };

  let search = 0;
  const filter = async () => {
    const mine = ++search;
    const wanted = Object.fromEntries(Object.entries(filters).map(([name, field]) => [name, field.value]));
    const any = Object.values(wanted).some(Boolean);
    const word = wanted.text.trim().toLowerCase();
    let until = performance.now() + BUSY;
    const superseded = async () => {
      matches.textContent = "searching\u2026";
      await pause();
      until = performance.now() + BUSY;
      return mine !== search;
    };
    const hits = new Uint8Array(word && texts.length); // the texts that have the word
    for (let place = 0; place < hits.length; place++) {
      hits[place] = lowered(place).includes(word);
      if (performance.now() > until && (await superseded())) return;
    }
    const hit = (place) => (Array.isArray(place) ? place.some((each) => hits[each]) : hits[place]);
    const has = (row) =>
      row.body ? row.heads.some(hit) || row.body.some((entry) => hit(entry[0]) || hit(entry[1])) : plainly(row).includes(word);
    const fits = (row) =>
      (!wanted.group || wanted.group === row.group) &&
      (!wanted.direction || wanted.direction === row.direction) &&
      (!word || has(row));
    document.documentElement.classList.toggle("searched", any);
    let count = 0;
    for (const block of blocks) {
      const here = !wanted.block || wanted.block === block.place;
      const found = any ? [] : block.rows;
      for (const row of any && here ? block.rows : []) {
        if (fits(row)) found.push(row);
        if (performance.now() > until && (await superseded())) return;
      }
      count += found.length;
      block.found = found;
      block.most = any ? FOUND : FIRST;
      draw(block);
      block.element.hidden = any && found.length === 0;
      // What a reader had folded is folded again once nothing is looked for.
      if (any && found.length && !block.element.open) block.opened = block.element.open = true;
      else if (!any && block.opened) block.opened = block.element.open = false;
    }
    const total = blocks.reduce((sum, block) => sum + block.rows.length, 0);
    matches.textContent = `${number(count)} of ${number(total)} items` + (unread && `; ${unread}`);
  };

  const unpack = async () => {
    const bytes = Uint8Array.from(atob(packed.content.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const found = JSON.parse(await new Response(stream).text());
    texts = found.texts;
    for (const [at, block] of blocks.entries()) {
      const plain = block.rows.values();
      block.rows = found.blocks[at].map((each) => {
        if (!each) return plain.next().value;
        const [id, ...heads] = each;
        const body = heads.pop();
        const [group, direction, title] = heads.map((place) => bare(read(place)));
        const row = { id, heads, group, direction, title, body, block };
        rows.set(id, row);
        return row;
      });
    }
  };

  const start = async () => {
    try {
      if (packed) await unpack();
    } catch {
      unread = "this browser cannot unpack the rest";
    }
    if (!matches) return;
    for (const field of Object.values(filters)) field.addEventListener("input", filter);
    await filter();
    // Reading the texts takes longest, so it is done before the first letter is typed.
    let next = 0;
    const ahead = (idle) => {
      while (next < texts.length && idle.timeRemaining() > 1) lowered(next++);
      if (next < texts.length) requestIdleCallback(ahead);
    };
    if (window.requestIdleCallback) requestIdleCallback(ahead);
  };
  const ready = start();

  addEventListener("toggle", (event) => fill(event.target), true);

  const follow = async () => {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // A hand-written address may be malformed; then it is taken as it is.
    }
    if (name && !document.getElementById(name)) await ready;
    const row = rows.get(name);
    if (row) {
      if (!row.block.found.includes(row)) {
        for (const field of Object.values(filters)) field.value = "";
        await filter();
      }
      row.block.most = Math.max(row.block.most, row.block.found.indexOf(row) + 1);
      draw(row.block);
      fill(row.drawn);
    }
    const target = name && document.getElementById(name);
    if (!target) return;
    document.documentElement.classList.remove("searched");
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
    const summary = target.tagName === "DETAILS" && target.querySelector("summary");
    if (summary) summary.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  addEventListener("load", follow); // not before: going to its address, the browser takes the focus away again

  // On a narrow screen a row of a table is one block, each figure with its column's name. The roles keep it a table
  // for those who hear it.
  const narrow = matchMedia("screen and (max-width: 44rem)");
  const stack = () => {
    for (const record of all(".record.whole")) record.open = !narrow.matches;
    if (!narrow.matches) return;
    for (const table of all("table.stack:not([role])")) {
      const heads = all("thead th", table).map((each) => each.textContent);
      const roles = { THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
      table.setAttribute("role", "table");
      for (const part of all("thead, tbody, tr, th, td", table)) {
        const head = part.scope === "col" || part.closest("thead") ? "columnheader" : "rowheader";
        part.setAttribute("role", roles[part.tagName] || head);
        if (part.tagName === "TD" && part.colSpan === 1) part.dataset.head = heads[part.cellIndex];
        part.classList.toggle("empty", part.tagName === "TD" && !part.textContent);
      }
    }
  };
  narrow.addEventListener("change", stack);
  stack();

  // Paper cannot be unfolded. It has of the items what is drawn.
  let folded = [];
  addEventListener("beforeprint", () => {
    all(".item").forEach(fill);
    folded = all("details:not([open])");
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
});
