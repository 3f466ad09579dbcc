// Long tables scroll in a box of their own, below a field that filters their rows.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("article table.docutils")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    if (rows.length < 30) continue;
    const box = table.closest(".table-wrapper") ?? table;
    box.classList.add("long-table");
    const field = document.createElement("input");
    field.type = "search";
    field.className = "table-filter";
    field.placeholder = `Filter ${rows.length} rows`;
    field.setAttribute("aria-label", field.placeholder);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    box.before(field);
  }
});
