"use strict";
// Everything here adds to a page that can be read without it.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (id) => document.getElementById(id);

// Solvers that are switched off disappear from charts and tables alike.
const hidden = new Set();
const hiding = document.head.appendChild(document.createElement("style"));
function toggle(chip) {
  const solver = chip.dataset.toggle;
  hidden.has(solver) ? hidden.delete(solver) : hidden.add(solver);
  chip.setAttribute("aria-pressed", String(!hidden.has(solver)));
  hiding.textContent = [...hidden].map((name) => `[data-solver="${name}"]{display:none}`).join("");
}

// Rows that hold every word of the filter stay.
function filter(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of all("table.data tbody tr")) {
    const content = row.textContent.toLowerCase() + " " + row.closest("table").caption.textContent.toLowerCase();
    row.hidden = !words.every((word) => content.includes(word));
  }
}

// Columns sort by value, numbers as numbers; what has none stays last.
const valueOf = (cell) => cell.dataset.value ?? cell.textContent;
function compare(left, right) {
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? left.localeCompare(right) : a - b;
}
function sort(header) {
  const table = header.closest("table");
  const column = header.cellIndex;
  const down = header.getAttribute("aria-sort") === "ascending";
  const empty = (row) => ["", "–"].includes(valueOf(row.cells[column]));
  const rows = all("tbody tr", table).sort((left, right) => {
    if (empty(left) !== empty(right)) return empty(left) - empty(right);
    const order = compare(valueOf(left.cells[column]), valueOf(right.cells[column]));
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows);
  for (const other of all("th", table)) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
}
function makeSortable(header) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  button.addEventListener("click", () => sort(header));
  header.append(button);
}

// What lies under the pointer says its values.
const tip = one("tip");
const names = all(".chip").map((chip) => chip.dataset.name);
function showTip(event) {
  const target = event.target.closest?.("[data-tip]");
  tip.hidden = !target;
  if (!target) return;
  const name = names[target.dataset.solver];
  tip.textContent = name ? `${name}: ${target.dataset.tip}` : target.dataset.tip;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const above = event.clientY - tip.offsetHeight - 12;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${above < 8 ? event.clientY + 18 : above}px`;
}

// A puzzle as a grid, with its solution and how each solver fared.
const puzzles = JSON.parse(one("puzzles").textContent);
function row(cells) {
  const line = document.createElement("tr");
  for (const text of cells) line.insertCell().textContent = text;
  return line;
}
function drawGrid(puzzle) {
  const solved = one("puzzle-solution").checked && puzzle.solution;
  const lines = [...Array(9).keys()].map((line) => {
    const marks = [...puzzle.puzzle.slice(9 * line, 9 * line + 9)];
    const given = marks.map((mark) => mark >= "1" && mark <= "9");
    const drawn = row(marks.map((mark, place) => (given[place] ? mark : solved ? puzzle.solution[9 * line + place] : "")));
    given.forEach((is, place) => drawn.cells[place].classList.toggle("given", is));
    return drawn;
  });
  one("puzzle-grid").replaceChildren(...lines);
}
function openPuzzle(key) {
  const [set, place] = key.split("-").map(Number);
  const puzzle = puzzles[set][place];
  one("puzzle-title").textContent = `Puzzle of row ${puzzle.row}`;
  one("puzzle-why").textContent = puzzle.why;
  one("puzzle-line").textContent = puzzle.puzzle;
  one("puzzle-solution").onchange = () => drawGrid(puzzle);
  drawGrid(puzzle);
  const fared = puzzle.fared.map((solver) => row([solver.solver, solver.outcome, solver.time, solver.nodes]));
  one("puzzle-fared").tBodies[0].replaceChildren(...fared);
  one("puzzle").showModal();
}

// Light or dark, beginning with what the system says.
const theme = one("theme");
const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
theme.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });

all(".chip").forEach((chip) => chip.addEventListener("click", () => toggle(chip)));
all("table.data th").forEach(makeSortable);
one("filter").addEventListener("input", (event) => filter(event.target.value));
document.addEventListener("pointermove", showTip);
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-puzzle]");
  if (link) openPuzzle(link.dataset.puzzle);
});
addEventListener("beforeprint", () => all("details").forEach((part) => { part.open = true; }));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
nameTheme();
one("toolbar").hidden = false;
