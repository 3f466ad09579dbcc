// Finds what a page says by its words: rows of long tables, entries and sections that folding.py folds.
const searchField = (label) => {
  const field = document.createElement("input");
  field.type = "search";
  field.className = "table-filter";
  field.placeholder = label;
  field.setAttribute("aria-label", label);
  return field;
};

// Hides those of `parts` whose text lacks a word of `field`.
const hideOthers = (field, parts, textOf = (part) => part.textContent) => {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const part of parts) {
    const text = textOf(part).toLowerCase();
    part.hidden = !words.every((word) => text.includes(word));
  }
};

// Long tables scroll in a box of their own, below a field that filters their rows.
const filterTables = (article) => {
  for (const table of article.querySelectorAll("table.docutils")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    if (rows.length < 30 || table.closest("details.fold")) continue;
    const box = table.closest(".table-wrapper") ?? table;
    box.classList.add("long-table");
    const field = searchField(`Filter ${rows.length} rows`);
    field.addEventListener("input", () => hideOthers(field, rows));
    box.before(field);
  }
};

// A field above what is folded filters it, and a button unfolds all.
const filterFolds = (article) => {
  const folds = [...article.querySelectorAll("details.fold")];
  if (!folds.length) return;
  const rows = [...article.querySelectorAll("section > details.fold tbody tr")];
  const entries = folds.map((fold) => fold.closest("dl")).filter((entry) => entry);
  const field = searchField(rows.length ? `Filter ${rows.length} rows` : `Filter ${entries.length} entries`);
  const title = (entry) => `${entry.querySelector("dt").textContent} ${entry.querySelector("dd > p, summary")?.textContent}`;
  field.addEventListener("input", () => {
    hideOthers(field, rows.length ? rows : entries, rows.length ? undefined : title);
    if (!rows.length) return;
    for (const fold of folds) {
      fold.open = field.value !== "" && fold.querySelector("tbody tr:not([hidden])") !== null;
    }
  });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Unfold all";
  button.addEventListener("click", () => {
    const open = button.textContent === "Unfold all";
    for (const fold of folds) fold.open = open;
    button.textContent = open ? "Fold all" : "Unfold all";
  });
  const tools = document.createElement("div");
  tools.className = "fold-tools";
  tools.append(field, button);
  const first = entries.length ? entries[0] : folds[0].parentElement;
  first.before(tools);
};

// What a link points to is shown: the entry itself, and all that it stands in.
const unfoldTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const inside = target.matches("dt") ? target.parentElement : target;
  for (const fold of inside.querySelectorAll(":scope > details.fold, :scope > dd > details.fold")) fold.open = true;
  for (let fold = target.closest("details.fold"); fold; fold = fold.parentElement.closest("details.fold")) fold.open = true;
  target.scrollIntoView();
};

document.addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector("article");
  if (!article) return;
  filterTables(article);
  filterFolds(article);
  unfoldTarget();
  addEventListener("hashchange", unfoldTarget);
});
