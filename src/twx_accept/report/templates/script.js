"use strict";
// Without this script everything is readable: counts lie open and nothing is filtered.
document.documentElement.classList.add("js");

addEventListener("DOMContentLoaded", () => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  for (const button of all("button[aria-controls]")) {
    button.addEventListener("click", () => {
      const panel = document.getElementById(button.getAttribute("aria-controls"));
      const open = panel.classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
      const row = panel.closest("tr");
      row.classList.toggle("open", row.querySelector(".panel.open") !== null);
    });
  }

  const filters = Object.fromEntries(all("[data-filter]").map((field) => [field.dataset.filter, field]));
  const matches = document.querySelector("[data-matches]");
  const items = all(".item");
  const blocks = all(".block").map((block) => [block, all(".item", block)]);
  document.documentElement.classList.toggle("many", items.length > 2000);
  const unfolded = new Set();
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };

  const filter = () => {
    const wanted = filters.text.value.trim().toLowerCase();
    const any = Object.values(filters).some((field) => field.value !== "");
    let count = 0;
    for (const [block, inside] of blocks) {
      const here = !filters.block.value || filters.block.value === block.dataset.block;
      let shown = 0;
      for (const item of inside) {
        const fits =
          here &&
          (!filters.group.value || filters.group.value === item.dataset.group) &&
          (!filters.direction.value || filters.direction.value === item.dataset.direction) &&
          (!wanted || textOf(item).includes(wanted));
        if (item.hidden === fits) item.hidden = !fits;
        shown += fits;
      }
      block.hidden = shown === 0 && any;
      // What a reader had folded is folded again once nothing is looked for.
      if (any && shown && !block.open) unfolded.add(block);
      if (any ? shown : unfolded.delete(block)) block.open = any;
      count += shown;
    }
    matches.textContent = `${count} of ${items.length} items`;
  };

  if (matches) {
    for (const field of Object.values(filters)) field.addEventListener("input", filter);
    filter();
    // Reading the texts takes longest, so it is done before the first letter is typed.
    let next = 0;
    const read = (idle) => {
      while (next < items.length && idle.timeRemaining() > 1) textOf(items[next++]);
      if (next < items.length) requestIdleCallback(read);
    };
    if (window.requestIdleCallback) requestIdleCallback(read);
  }

  const follow = () => {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // A hand-written address may be malformed; then it is taken as it is.
    }
    const target = name && document.getElementById(name);
    if (!target) return;
    if (target.hidden) {
      for (const field of Object.values(filters)) field.value = "";
      filter();
    }
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
    const summary = target.tagName === "DETAILS" && target.querySelector("summary");
    if (summary) summary.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  addEventListener("load", follow); // not before: going to its address, the browser takes the focus away again

  // Paper cannot be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
});
