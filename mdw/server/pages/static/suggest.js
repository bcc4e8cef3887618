// Suggestions below the search box: the only thing on these pages that needs a script. And what tables are, for who
// hears them: a narrow page lays them out as blocks, which browsers then take for no tables.
"use strict";

const box = document.getElementById("q");
const list = document.getElementById("suggestions");
let chosen = -1, asked = 0;

function show(hits) {
  list.replaceChildren(...hits.map((hit, number) => {
    const row = document.createElement("li");
    const kind = document.createElement("span");
    row.id = `suggestion-${number}`;
    row.setAttribute("role", "option");
    row.dataset.target = hit.kind === "term" ? `/?q=${encodeURIComponent(hit.name)}` : `/${hit.kind}/${encodeURIComponent(hit.name)}`;
    kind.className = "kind";
    kind.textContent = hit.kind;
    row.append(kind, " ", hit.name);
    row.addEventListener("mousedown", () => { location.href = row.dataset.target; });
    return row;
  }));
  list.hidden = !hits.length;
  box.setAttribute("aria-expanded", String(!list.hidden));
  choose(-1);
}

function choose(number) {
  chosen = number;
  [...list.children].forEach((row, place) => row.setAttribute("aria-selected", String(place === number)));
  if (number >= 0) {
    box.setAttribute("aria-activedescendant", `suggestion-${number}`);
    list.children[number].scrollIntoView({ block: "nearest" });
  } else {
    box.removeAttribute("aria-activedescendant");
  }
}

box.addEventListener("input", async () => {
  const number = ++asked;
  const text = box.value.trim();
  if (!text) return show([]);
  const answer = await fetch(`/api/search?limit=10&q=${encodeURIComponent(text)}`);
  if (answer.ok && number === asked) show((await answer.json()).hits);
});
box.addEventListener("keydown", (event) => {
  if (list.hidden) return;
  const last = list.children.length - 1;
  if (event.key === "ArrowDown") choose(chosen < last ? chosen + 1 : 0);
  else if (event.key === "ArrowUp") choose(chosen > 0 ? chosen - 1 : last);
  else if (event.key === "Escape") show([]);
  else if (event.key === "Enter" && chosen >= 0) location.href = list.children[chosen].dataset.target;
  else return;
  event.preventDefault();
});
box.addEventListener("blur", () => show([]));

const roles = { table: "table", "thead, tbody": "rowgroup", tr: "row", th: "columnheader", td: "cell" };
for (const [what, role] of Object.entries(roles)) {
  for (const one of document.querySelectorAll(what)) one.setAttribute("role", role);
}
