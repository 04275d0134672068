// grid.js shows the rows to correct in a grid instead of a table. Users edit the grid with the keyboard.
//
// Only the visible rows and a few more have elements, so the number of rows does not matter. An
// edit is sent immediately, with the version of the row that the user saw. So the changes of others
// are not overwritten unnoticed. Without this script, the page has a form for each row.

import { cellsOf, textOf } from "./grid-block.js";
import { List } from "./grid-list.js";
import { home, Store } from "./grid-rows.js";

const setup = JSON.parse(document.getElementById("grid-setup").textContent);
const place = document.getElementById("grid");
const form = document.getElementById("bulk");
// number formats numbers in the language of the page. Its formatter takes long to create, so it is
// created for the first number of four digits. The first rows are usually drawn without it.
let formatter;
const number = {
  format: (n) => (n < 1000 ? String(n) : (formatter ??= new Intl.NumberFormat(document.documentElement.lang)).format(n)),
};
const narrow = matchMedia("(max-width: 40rem)"); // rows are cards, which open the form of the row
const height = () => (narrow.matches ? 96 : 48); // pixels of a row; task.css says the same
const brief = new Set(["integer", "boolean"]); // types of columns that need little room
const beyond = 6; // rows that are drawn above and below the visible rows

const word = (key, values = {}) =>
  setup.words[key].replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);

// make creates an element. Its children are elements and texts.
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// put sets an attribute, or removes it if the value is undefined. write sets the text of a node
// that contains one text. Neither of them changes the document if the value is the same.
function put(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function write(node, text) {
  if (node.firstChild.data !== text) node.firstChild.data = text;
}

// shown replaces invisible characters, and characters that change the text direction, with their
// code points.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text) =>
  text.replace(hidden, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

// sentence adds a full stop to a text, unless the text already ends with a punctuation mark.
const stop = document.documentElement.lang === "zh" ? "。" : ".";
const sentence = (text) => (/[.!?。！？…]$/.test(text) ? text : text + stop);

const say = (text) => {
  document.getElementById("say").textContent = text;
};

// ended is the message that the session has ended. Its link opens another tab, so that this page keeps
// the typed texts.
const ended = document.getElementById("ended");
ended.querySelector("a").target = "_blank";

class Grid {
  constructor(columns) {
    this.columns = columns;
    this.active = { at: 0, column: 3 }; // the index of the row, and the number of the column
    this.chosen = new Set();
    this.drawn = new Map(); // from the id of a row to its element
    this.spare = []; // elements of rows that are no longer visible, to be reused
    this.editing = null;
    this.block = null; // the other corner of the selected block
    this.every = false; // all rows of the filter are selected, also rows that are not loaded
    this.undo = []; // acts; each act holds the edits of one paste, fill, deletion or typed text, and its id once saved
    this.redo = [];
    this.turn = Promise.resolve(); // the undo or redo in progress
    this.tabs = { ...setup.tabs };
    this.reasons = false; // some row has a fault that belongs to no cell
    this.ending = false; // the active cell follows the last row while rows are loaded
    this.store = new Store(setup, {
      draw: () => this.arrived(),
      say, word,
      away: (on) => (this.lost.hidden = !on),
      ended: (on) => (ended.hidden = !on),
      refuse: (text) => this.warn(text),
      choose: (row, column, mine, theirs) => this.choose(row, column, mine, theirs),
      moved: (from, to) => this.recount(from, to),
      noted: () => this.showReasons(),
      extra: (name) => this.addColumn(name),
    });
    this.build();
  }

  get last() {
    return this.columns.length + (this.reasons ? 3 : 2); // the last column
  }

  build() {
    this.head = make("tr", { "aria-rowindex": 1 });
    this.body = make("tbody");
    this.cols = make("colgroup");
    this.above = make("tr", { "aria-hidden": true, class: "rest" }, make("td"));
    this.below = make("tr", { "aria-hidden": true, class: "rest" }, make("td"));
    this.body.append(this.above, this.below);
    this.table = make("table", { role: "grid", class: "cells", "aria-labelledby": "title" },
      this.cols, make("thead", {}, this.head), this.body);
    if (!setup.may) this.table.setAttribute("aria-readonly", "true");
    this.scroller = make("div", { class: "wide scroller", tabindex: -1 }, this.table);
    this.why = document.getElementById("why");
    this.count = make("p", { class: "quiet small" });
    this.lost = make("p", { class: "msg warn", role: "alert", hidden: true }, word("away"));
    this.header();
    const keys = [["F8", "next"], ["Enter", "edit"], ["Alt ↓", "known"], ["Ctrl D", "fill"], ["Ctrl Z", "undo"]];
    const names = { next: word("keys.next"), edit: word("keys.edit"), known: word("keys.known"), fill: word("keys.fill"), undo: word("keys.undo") };
    document.getElementById("told").after(this.lost);
    place.replaceChildren(this.scroller, make("div", { class: "keys" },
      ...(setup.may ? keys.map(([key, name]) => make("span", {}, make("kbd", {}, key), ` ${names[name]}`)) : []),
      ...(setup.may ? [make("span", {}, word("keys.paste"))] : []), this.count));
    this.scroller.addEventListener("scroll", () => this.later(), { passive: true });
    this.scroller.addEventListener("keydown", (e) => this.key(e));
    this.scroller.addEventListener("mousedown", (e) => this.point(e));
    this.scroller.addEventListener("mouseover", (e) => this.drag(e));
    this.scroller.addEventListener("click", (e) => this.tap(e));
    this.scroller.addEventListener("dblclick", (e) => this.cellOf(e.target) && this.edit());
    this.scroller.addEventListener("focusin", (e) => this.focused(e));
    this.scroller.addEventListener("copy", (e) => this.copy(e));
    this.scroller.addEventListener("paste", (e) => this.paste(e));
    for (const name of ["wheel", "touchmove"]) {
      this.scroller.addEventListener(name, () => (this.ending = false), { passive: true });
    }
    narrow.addEventListener("change", () => this.fit());
    new ResizeObserver(() => this.later()).observe(this.scroller);
  }

  header() {
    const names = ["", word("row"), word("state"), ...this.columns.map((c) => c.label), ...(this.reasons ? [word("wrong")] : [])];
    const short = this.columns.map((c) => brief.has(c.type));
    const kinds = ["tick", "row", "state", ...short.map((is) => (is ? "brief" : "cell")), ...(this.reasons ? ["reason"] : [])];
    this.cols.replaceChildren(...kinds.map((kind) => make("col", { class: kind })));
    this.head.replaceChildren(...names.map((name, i) =>
      make("th", { role: "columnheader", scope: "col", "aria-colindex": i + 1, class: i === 1 && "number" },
        ...(i > 0 ? [make("bdi", {}, shown(name))] : setup.may ? [make("span", { class: "unseen" }, word("chosen"))] : []))));
    this.table.setAttribute("aria-colcount", names.length);
    this.table.style.minWidth = narrow.matches ? "" : `${17.6 + short.reduce((sum, is) => sum + (is ? 6 : 7), 0) + (this.reasons ? 11 : 0)}rem`;
  }

  // rebuild draws all rows again after the columns have changed. If a cell has the focus, it keeps
  // the focus.
  rebuild() {
    const within = this.body.contains(document.activeElement);
    if (within) this.scroller.focus({ preventScroll: true });
    for (const tr of this.drawn.values()) tr.remove();
    this.drawn.clear();
    this.spare = [];
    this.header();
    this.draw();
    if (within) this.activeCell()?.focus({ preventScroll: true });
  }

  // fit draws all rows as cards, or as lines, after the window has become narrow or wide. An open editor is committed
  // first: a card has no cells.
  fit() {
    if (this.editing) this.commit(), this.activeCell()?.focus({ preventScroll: true });
    this.rebuild();
  }

  // showReasons adds the column with the faults of whole rows.
  showReasons() {
    if (this.reasons) return;
    this.reasons = true;
    this.rebuild();
  }

  // addColumn adds a column that the file does not have.
  addColumn(name) {
    this.columns.push({ name, label: name, type: "" });
    this.rebuild();
  }

  // --- drawing ---

  // later draws once before the next frame, however often it is called.
  later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.draw();
    });
  }

  // arrived draws newly loaded rows. After the user has gone to the end, the active cell moves to
  // the new last row. If the focus is outside the grid, it stays there.
  arrived() {
    if (!this.ending || this.editing) return this.later();
    this.go(Infinity, this.active.column, Boolean(this.block), this.scroller.contains(document.activeElement));
  }

  // range returns the index of the first row to draw, and the index after the last. A row that is
  // being edited is included; its edit is committed if the row is more than 200 rows away.
  range() {
    const rows = this.store.list.length;
    const top = Math.floor(this.scroller.scrollTop / height());
    let from = Math.max(top - beyond, 0);
    let to = Math.min(top + Math.ceil(this.scroller.clientHeight / height()) + beyond, rows);
    if (this.editing) {
      const at = this.store.at(this.editing.row.id);
      if (at < from - 200 || at > to + 200) this.commit();
      else [from, to] = [Math.min(from, at), Math.max(to, at + 1)];
    }
    return [Math.min(from, rows), to];
  }

  draw() {
    const [from, to] = this.range();
    const { list } = this.store;
    const wanted = new Set();
    for (let at = from; at < to; at++) wanted.add(list[at].id);
    this.free(wanted);
    let before = this.above;
    for (let at = from; at < to; at++) {
      const tr = this.row(list[at], at);
      if (before.nextSibling !== tr) before.after(tr);
      before = tr;
    }
    for (const tr of this.spare) tr.remove();
    this.above.firstChild.style.height = `${from * height()}px`;
    this.below.firstChild.style.height = `${(list.length - to) * height()}px`;
    this.above.hidden = from === 0;
    this.below.hidden = to === list.length;
    this.laid = list.length;
    put(this.table, "aria-rowcount", String(this.store.whole ? list.length + 1 : -1));
    put(this.table, "aria-busy", String(this.store.loading));
    this.showCount();
    this.mark();
    if (this.explained) this.explain(); // the faults of the row may have changed
    this.list?.place(this.editing.input.parentElement, place);
  }

  // free collects the elements of rows that are no longer needed, in their order, for reuse. If no
  // other row is drawn, they stay in the document and only their texts change.
  free(wanted) {
    for (let tr = this.above.nextSibling; tr !== this.below; tr = tr.nextSibling) {
      if (wanted.has(tr.row.id)) continue;
      if (tr.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
      this.drawn.delete(tr.row.id);
      this.spare.push(tr);
    }
    if (this.drawn.size > 0) this.spare.forEach((tr) => tr.remove());
  }

  showCount() {
    const count = number.format(this.store.list.length);
    let text = word("count", { count });
    if (this.store.cut) text = word("more", { count });
    else if (this.store.loading) text += ` · ${word("loading")}`;
    else if (!this.store.whole) text = word("partly", { count });
    if (this.count.textContent !== text) this.count.textContent = text;
    this.showChosen();
  }

  // showChosen shows the number of selected rows. It also offers to select all rows of the filter, which
  // include rows that are not loaded.
  showChosen() {
    if (!form) return;
    const all = document.getElementById("all");
    const here = this.store.list.length;
    const whole = this.store.whole && !this.store.cut;
    this.whole ??= form.querySelector("[data-chosen]").textContent; // the text of the page without this script
    const chosen = this.chosen.size;
    allowActs(chosen > 0);
    all.checked = chosen > 0 && chosen === here;
    all.indeterminate = chosen > 0 && chosen < here;
    const text = this.every ? word("all", { count: number.format(this.total()) }) : word("selected", { count: number.format(chosen) });
    const place = form.querySelector("[data-chosen]");
    if (place.textContent !== text) place.textContent = text;
    const extend = document.getElementById("extend");
    extend.hidden = this.every || chosen === 0 || (whole && chosen === here);
    if (!extend.hidden) extend.textContent = word("extend", { count: number.format(this.total()) });
  }

  // total returns the number of rows of the filter. It returns the number of loaded rows if the
  // total is unknown.
  total() {
    if (this.store.whole) return this.store.list.length;
    const { code, q, build } = Object.fromEntries(new URLSearchParams(setup.query));
    const state = new URLSearchParams(setup.query).get("resolution") ?? "all";
    return code || q || build ? this.store.list.length : (this.tabs[state] ?? this.store.list.length);
  }

  chooseAll(on) {
    this.every = false;
    this.chosen = new Set(on ? this.store.list.map((row) => row.id) : []);
    for (const row of this.store.list) row.drawn = Symbol();
    this.draw();
  }

  // recount moves a row from one state to another in the counts of the page.
  recount(from, to) {
    const move = (name, by) => {
      for (const node of document.querySelectorAll("[data-tab]")) {
        if (node.dataset.tab !== name) continue;
        const n = Math.max(0, Number(node.dataset.n ?? node.textContent.replace(/\D/g, "")) + by);
        node.dataset.n = n;
        node.textContent = number.format(n);
        this.tabs[name] = n;
      }
    };
    const left = (one) => (one.state === "accepted" ? "skipped" : one.state); // the tab counts both
    if (left(from) !== left(to)) {
      move(left(from), -1);
      move(left(to), 1);
      if (to.state === "sent") move("all", -1);
    }
    const at = (one) => (one.state === "open" ? one.cause : "");
    if (at(from) !== at(to) || from.state !== to.state) this.countAgain(300);
  }

  // countAgain fetches the causes with their counts and the button that runs rows from the service, once for several
  // changes in quick succession. They cannot be counted here: several system errors have one code, so a row
  // does not identify its cause. Also, an edit may lead to a cause that the page does not show yet. Of the corrected
  // rows, those do not run whose key a newer row has finished. If the service does not answer, countAgain repeats the
  // request after 3 seconds.
  countAgain(after) {
    clearTimeout(this.counting);
    const timer = (this.counting = setTimeout(async () => {
      const page = await this.store.page();
      if (this.counting !== timer) return;
      if (!page || !this.swapRun(page)) return this.countAgain(3000);
      const fresh = page.querySelector(".chips");
      const chips = document.querySelector(".chips");
      if (!fresh || fresh.innerHTML === chips.innerHTML) return;
      const focused = chips.contains(document.activeElement) && document.activeElement.getAttribute("href");
      chips.replaceChildren(...fresh.childNodes);
      if (focused) [...chips.children].find((chip) => chip.getAttribute("href") === focused)?.focus();
    }, after));
  }

  // swapRun replaces the button that runs corrected rows, and its fields, by those of a fetched page. It returns
  // false, and replaces nothing, while the user presses the button or the form is being sent.
  swapRun(page) {
    const of = (from) => [...from.querySelectorAll("#run > :not(#why)")];
    const [old, fresh] = [of(document), of(page)];
    if (old.some((node) => node.matches(":active, [data-asking] *"))) return false;
    const text = (nodes) => nodes.map((node) => node.outerHTML).join("");
    if (fresh.length === 0 || text(old) === text(fresh)) return true;
    const focused = old.includes(document.activeElement);
    for (const node of old) node.remove();
    document.getElementById("run").append(...fresh);
    if (focused) fresh.at(-1).focus();
    return true;
  }

  // row returns the element of a row. It writes the element again if the row has changed, unless
  // the row is being edited.
  row(row, at) {
    let tr = this.drawn.get(row.id);
    if (!tr) {
      tr = this.spare.shift() ?? this.blank();
      this.drawn.set(row.id, tr);
    }
    put(tr, "aria-rowindex", String(at + 2));
    if (tr.drawn === row.drawn && tr.row === row) return tr;
    if (this.editing?.row === row) return tr; // keep the editor
    const within = tr.contains(document.activeElement);
    tr.row = row;
    tr.drawn = row.drawn;
    this.fill(tr, row);
    if (within && !tr.contains(document.activeElement)) {
      this.settled = true; // restore the focus without making the cell active
      tr.children[this.active.column]?.focus({ preventScroll: true });
      this.settled = false;
    }
    return tr;
  }

  // blank returns a row element with empty cells.
  blank() {
    const cell = (i, name, attributes, ...children) =>
      make(name, { "aria-colindex": i + 1, tabindex: -1, ...attributes }, ...children);
    const tick = setup.may && make("input", { type: "checkbox", tabindex: -1 });
    const link = make("a", { tabindex: -1, "data-row": word("row") }, "");
    const state = cell(2, "td", { role: "gridcell", class: "state" }, make("span", { class: "badge" }, ""));
    const cells = this.columns.map((column, i) => cell(i + 3, "td", { role: "gridcell", "data-c": column.label }));
    for (const node of cells) {
      node.text = make("bdi", {}, "");
      node.note = make("small", {}, "");
    }
    const reason = this.reasons && cell(this.last, "td", { role: "gridcell", class: "reason" }, make("bdi", {}, ""));
    const tr = make("tr", { role: "row" }, cell(0, "td", { role: "gridcell" }, ...(tick ? [tick] : [])),
      cell(1, "th", { role: "rowheader", scope: "row", class: "number" }, link), state, ...cells, ...(reason ? [reason] : []));
    tr.parts = { tick, link, state: state.firstChild, cells, reason };
    return tr;
  }

  fill(tr, row) {
    const { tick, link, state, cells, reason } = tr.parts;
    tr.classList.toggle("sent", row.sent);
    tr.classList.toggle("chosen", this.chosen.has(row.id));
    if (tick) {
      tick.checked = this.chosen.has(row.id);
      put(tick, "aria-label", `${word("row")} ${row.row}`);
    }
    put(link, "href", `${home}tasks/${setup.task}/rows/${row.seq}`);
    write(link, number.format(row.row));
    const tones = { open: "warn", error: "bad", fixed: "good", finish: "good", working: "run" };
    put(state, "class", `badge ${tones[row.stand] ?? ""}`);
    write(state, row.edits.length > 0 ? "…" : word(row.stand));
    const first = this.columns.findIndex((column) => row.faults[column.name]);
    const key = Math.max(this.columns.findIndex((column) => column.key), 0);
    this.columns.forEach((column, i) => this.fillCell(cells[i], row, column, { first: i === first, id: i === key && i !== first }));
    if (!reason) return;
    const reasons = shown(row.notes.join(" "));
    put(reason, "title", reasons);
    reason.classList.toggle("first", first < 0 && reasons !== "");
    write(reason.firstChild, reasons);
  }

  fillCell(node, row, column, { first, id }) {
    const text = shown(row.cells[column.name] ?? "");
    const fault = row.faults[column.name];
    const unsaved = column.name in row.refused;
    const classes = [fault && "faulty", unsaved && "unsaved", first && "first", id && "id", row.typed?.has(column.name) && !fault && !unsaved && "typed"].filter(Boolean).join(" ");
    put(node, "class", classes || undefined);
    put(node, "aria-invalid", fault && "true");
    put(node, "aria-readonly", setup.may && !row.sent ? undefined : "true");
    const why = unsaved ? row.why[column.name] : fault?.message;
    put(node, "title", why && shown(why));
    if (node.firstChild !== node.text) node.replaceChildren(node.text);
    write(node.text, text.length > 300 ? `${text.slice(0, 300)}…` : text || (fault ? `(${word("empty")})` : ""));
    if (!fault && !unsaved) return node.note.remove();
    write(node.note, unsaved ? word("unsaved") : shown(setup.titles[fault.code] ?? fault.message));
    if (!node.note.parentNode) node.append(node.note);
  }

  // --- the active cell ---

  // mark makes the active cell the only cell that the Tab key reaches.
  mark() {
    const cell = this.activeCell();
    if (this.marked !== cell) this.marked?.setAttribute("tabindex", -1);
    cell?.setAttribute("tabindex", 0);
    this.scroller.tabIndex = cell ? -1 : 0; // the active cell may be scrolled out of view
    this.marked = cell;
    this.markBlock();
  }

  // corners returns the first and last row and column of the selected block.
  corners() {
    const { at, column } = this.active;
    const other = this.block ?? this.active;
    return {
      top: Math.min(at, other.at), bottom: Math.max(at, other.at),
      left: Math.min(column, other.column), right: Math.max(column, other.column),
    };
  }

  markBlock() {
    for (const node of this.painted ?? []) node.classList.remove("marked");
    this.painted = [];
    if (!this.block) return;
    const { top, bottom, left, right } = this.corners();
    for (const tr of this.drawn.values()) {
      const at = this.store.at(tr.row.id);
      if (at < top || at > bottom) continue;
      for (let i = Math.max(left, 3); i <= Math.min(right, this.columns.length + 2); i++) {
        tr.children[i].classList.add("marked");
        this.painted.push(tr.children[i]);
      }
    }
  }

  activeRow() {
    this.active.at = Math.max(0, Math.min(this.active.at, this.store.list.length - 1));
    return this.store.list[this.active.at];
  }

  activeCell() {
    const tr = this.drawn.get(this.activeRow()?.id);
    return tr?.children[narrow.matches ? 1 : Math.min(this.active.column, this.last)]; // on a narrow screen, the only cell is the row number
  }

  column() {
    return this.columns[this.active.column - 3];
  }

  // go makes a cell active, scrolls it into view and focuses it. With extend, the selected block
  // reaches to this cell. If at is Infinity, the cell is in the last row, and follows the last row
  // while rows are loaded.
  go(at, column, extend = false, focus = true) {
    this.ending = at === Infinity && this.store.loading;
    this.block = extend ? (this.block ?? { ...this.active }) : null;
    this.active.at = Math.max(0, Math.min(at, this.store.list.length - 1));
    this.active.column = Math.max(0, Math.min(column, this.last));
    if (this.laid !== this.store.list.length) this.draw(); // otherwise the scrollable area is too short
    const top = this.active.at * height();
    const head = this.head.offsetHeight;
    const room = this.scroller.clientHeight - head - height();
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top > this.scroller.scrollTop + room) this.scroller.scrollTop = top - room;
    this.draw();
    const cell = this.activeCell();
    if (focus) cell?.focus({ preventScroll: true });
    if (cell) this.sideways(cell);
    this.explain();
  }

  // sideways scrolls horizontally until a cell is visible beside the fixed columns.
  sideways(cell) {
    if (this.active.column < 2) return void (this.scroller.scrollLeft = 0);
    const box = this.scroller.getBoundingClientRect();
    const own = cell.getBoundingClientRect();
    const stay = cell.parentElement.children[1].getBoundingClientRect().right - box.left;
    if (own.left < box.left + stay) this.scroller.scrollLeft -= box.left + stay - own.left;
    else if (own.right > box.right) this.scroller.scrollLeft += Math.min(own.right - box.right, own.left - box.left - stay);
  }

  // explain shows the fault of the active cell and a hint for its correction. Without a fault, it
  // shows the hint of the column. Outside the columns of the file, it shows the faults of the whole
  // row.
  explain() {
    this.explained = true;
    const row = this.activeRow();
    const column = this.column();
    const fault = column && row?.faults[column.name];
    const parts = fault ? [fault.message, fault.hint] : column ? [column.hint] : row?.notes ?? [];
    const place = fault ? `${word("row")} ${number.format(row.row)}, ` : "";
    const text = place + shown(parts.filter(Boolean).map(sentence).join(" "));
    this.why.classList.toggle("bad", Boolean(fault));
    if (this.why.textContent !== text) this.why.textContent = text;
  }

  cellOf(node) {
    return node.closest?.("tbody td[role], tbody th[role]");
  }

  focused(e) {
    const cell = this.cellOf(e.target);
    if (!cell || this.editing || this.settled) return;
    const at = this.store.at(cell.parentElement.row.id);
    if (at === this.active.at && cell.parentElement.children[this.active.column] === cell) return void this.mark();
    this.block = null;
    this.ending = false;
    this.active = {
      at: this.store.at(cell.parentElement.row.id), column: [...cell.parentElement.children].indexOf(cell),
    };
    this.mark();
    this.explain();
  }

  point(e) {
    this.ending = false;
    const cell = this.cellOf(e.target);
    if (!cell || narrow.matches || e.target.closest("a, .editor")) return;
    if (this.editing) this.commit();
    if (e.target.type === "checkbox") {
      const { row } = cell.parentElement;
      const change = () => (e.shiftKey ? this.tickTo(row) : this.tick(row, e.target.checked));
      e.target.addEventListener("change", change, { once: true });
      return;
    }
    e.preventDefault();
    this.go(this.store.at(cell.parentElement.row.id), [...cell.parentElement.children].indexOf(cell), e.shiftKey);
    this.dragging = e.buttons === 1;
  }

  drag(e) {
    if (!this.dragging || e.buttons !== 1 || this.editing) return void (this.dragging = false);
    const cell = this.cellOf(e.target);
    if (cell) this.go(this.store.at(cell.parentElement.row.id), [...cell.parentElement.children].indexOf(cell), true);
  }

  // tap opens the form of a row if rows are cards.
  tap(e) {
    if (!narrow.matches) return;
    const tr = e.target.closest("tbody tr[role]");
    if (e.target.type === "checkbox") this.tick(tr.row, e.target.checked);
    else if (tr && !e.target.closest("a")) tr.querySelector("th a").click();
  }

  // --- keys ---

  key(e) {
    if (this.editing) return this.editKey(e);
    const { at } = this.active;
    const column = narrow.matches ? 1 : this.active.column;
    const page = Math.max(Math.floor(this.scroller.clientHeight / height()) - 2, 1);
    const all = e.ctrlKey || e.metaKey;
    const letter = all && e.key.toLowerCase();
    const moves = {
      ArrowUp: [at - 1, column], ArrowDown: [at + 1, column],
      ArrowLeft: [at, column - 1], ArrowRight: [at, column + 1],
      PageUp: [at - page, column], PageDown: [at + page, column],
      Home: [all ? 0 : at, 0], End: [all ? Infinity : at, this.last],
    };
    if (e.altKey && e.key === "ArrowDown") this.edit();
    else if (moves[e.key]) this.go(...moves[e.key], e.shiftKey);
    else if (letter === "z" && !e.shiftKey) this.inTurn(() => this.undoLast());
    else if (letter === "y" || letter === "z") this.inTurn(() => this.redoLast());
    else if (letter === "d") this.fillDown();
    else if (letter === "a") this.chooseAll(true);
    else if (e.key === "F8") this.nextFault(e.shiftKey ? -1 : 1);
    else if (e.key === "Escape" && this.block) this.go(at, column);
    else if (e.key === " ") this.tickOn(e.shiftKey);
    else if (e.key === "Enter" || e.key === "F2") {
      if (column === 1) this.activeCell()?.querySelector("a").click();
      else this.edit();
    } else if (e.key === "Delete" || e.key === "Backspace") this.putBlock([[""]], "cleared");
    else if (e.key.length === 1 && !all && !e.altKey && !e.isComposing) this.edit("");
    else return;
    if (e.key.length > 1 || e.key === " " || all) e.preventDefault();
  }

  editKey(e) {
    if (e.isComposing) return;
    const { at, column } = this.active;
    if (this.list?.key(e)) return e.preventDefault();
    if (e.key === "Escape") this.close(), this.go(at, column);
    else if (e.key === "Enter" && !e.altKey && !e.shiftKey) this.commit(), this.go(at + 1, column);
    else if (e.key === "F8") this.commit(), this.go(at, column), this.nextFault(e.shiftKey ? -1 : 1);
    else if (e.key === "Tab") {
      this.commit();
      const next = column + (e.shiftKey ? -1 : 1);
      this.go(at, Math.max(3, Math.min(next, this.columns.length + 2)));
    } else return;
    e.preventDefault();
  }

  // nextFault makes the next cell with a fault active, or the previous one if step is -1. After the
  // last one, it tells screen readers that there is no other.
  nextFault(step) {
    const { list } = this.store;
    const width = this.columns.length;
    const size = list.length * width;
    if (size === 0) return;
    let at = this.active.at * width + Math.max(0, Math.min(this.active.column - 3, width - 1));
    if (step > 0 && this.active.column < 3) at = this.active.at * width - 1;
    if (this.ended === step) at = step > 0 ? -1 : size;
    for (at += step; at >= 0 && at < size; at += step) {
      const row = list[Math.floor(at / width)];
      if (row.faults[this.columns[at % width].name]) {
        this.ended = 0;
        return this.go(Math.floor(at / width), (at % width) + 3);
      }
    }
    this.ended = step; // the next call starts at the other end
    say(word("last"));
  }

  tick(row, on = !this.chosen.has(row?.id)) {
    if (!row || !setup.may) return;
    this.every = this.ending = false;
    if (on) this.chosen.add(row.id);
    else this.chosen.delete(row.id);
    this.ticked = row.id;
    row.drawn = Symbol();
    this.draw();
  }

  // tickOn selects or deselects the active row. With extend, it selects all rows from the last
  // selected row to the active row.
  tickOn(extend) {
    const row = this.activeRow();
    if (extend && row) this.tickTo(row);
    else this.tick(row);
  }

  // tickTo selects all rows between a row and the row that was selected or deselected last, including both.
  tickTo(row) {
    const last = this.ticked && this.store.row(this.ticked);
    if (!last) return this.tick(row);
    const [from, to] = [this.store.at(last.id), this.store.at(row.id)].sort((a, b) => a - b);
    for (let at = from; at <= to; at++) this.tick(this.store.list[at], true);
  }

  // --- blocks ---

  copy(e) {
    if (this.editing || !this.column()) return;
    const { top, bottom, left, right } = this.corners();
    const lines = this.store.list.slice(top, bottom + 1).map((row) =>
      this.columns.slice(Math.max(left - 3, 0), right - 2).map((column) => copied(row, column)));
    e.clipboardData.setData("text/plain", textOf(lines));
    e.preventDefault();
  }

  paste(e) {
    if (this.editing) return;
    this.putBlock(cellsOf(e.clipboardData.getData("text/plain")), "pasted");
    e.preventDefault();
  }

  // fillDown copies the first row of the selected block into its other rows. If only one row is
  // selected, it copies the row above.
  fillDown() {
    const { top, bottom, left, right } = this.corners();
    const from = this.store.list[this.block && bottom > top ? top : top - 1];
    if (!from) return;
    const line = this.columns.slice(Math.max(left - 3, 0), right - 2).map((column) => copied(from, column));
    this.putBlock([line], "filled", bottom > top ? top + 1 : top);
  }

  // putBlock writes lines of texts into the cells from the first selected cell on. A single line goes into each
  // selected row, and a single text into each selected cell. All changes are one act.
  putBlock(lines, message, first) {
    if (!setup.may || !this.column()) return;
    const { top, bottom, left, right } = this.corners();
    const from = first ?? top;
    const start = Math.max(left, 3) - 3;
    const wide = lines.length === 1 && lines[0].length === 1 ? Math.max(right - 3 - start, 0) + 1 : Math.max(...lines.map((l) => l.length));
    const high = lines.length === 1 ? bottom - from + 1 : lines.length;
    const edits = [];
    let beyond = 0;
    for (let y = 0; y < high; y++) {
      const line = lines[y % lines.length];
      const row = this.store.list[from + y];
      const cells = {};
      for (let x = 0; x < wide; x++) {
        const text = lines.length === 1 && line.length === 1 ? line[0] : line[x];
        const column = this.columns[start + x];
        if (text === undefined) continue;
        if (!row || row.sent || !column) beyond++;
        else if ((row.cells[column.name] ?? "") !== text) cells[column.name] = text;
      }
      if (Object.keys(cells).length > 0) edits.push({ row, cells });
    }
    const count = edits.reduce((n, edit) => n + Object.keys(edit.cells).length, 0);
    this.save(edits);
    if (count > 1 || beyond > 0) this.report([word(message, { count: number.format(count) }), beyond ? word("beyond", { count: beyond }) : ""].join(" "));
    if (count > 1) this.reportFaults(edits);
  }

  // report shows the result of an act on cells, with a button that undoes it.
  report(text) {
    const undo = make("button", { type: "button", class: "tight" }, word("undo"));
    const act = this.undo.at(-1);
    undo.addEventListener("click", () => {
      this.inTurn(() => this.undo.at(-1) === act && this.undoLast());
      undo.remove();
    });
    document.getElementById("told").replaceChildren(make("div", { class: "msg good", role: "status" }, make("span", {}, text), undo));
  }

  // reportFaults adds to the message about an act how many of its cells are at fault, once they are saved.
  async reportFaults(edits) {
    const message = document.querySelector("#told .msg");
    await Promise.all(edits.map(({ row }) => row.queue));
    const count = edits.reduce((n, { row, cells }) => n + Object.keys(cells).filter((name) => row.faults[name]).length, 0);
    if (count === 0 || !message?.isConnected) return;
    message.firstChild.append(` ${word("faulty", { count: number.format(count) })}`);
    message.classList.replace("good", "warn");
  }

  // warn shows that something was not saved.
  warn(text) {
    document.getElementById("told").replaceChildren(make("div", { class: "msg bad", role: "alert" }, make("span", {}, text)));
  }

  // save sends edits as one act. The service joins the edits of several rows by the name of the act.
  save(edits) {
    this.ending = false;
    if (edits.length === 0) return;
    const act = { group: edits.length > 1 ? crypto.getRandomValues(new Uint32Array(4)).join("-") : "" };
    act.edits = edits.map(({ row, cells, base, seen }) => this.store.save(row, cells, base ?? row.version, seen, act));
    this.undo.push(act);
    this.redo = [];
  }

  // --- editing ---

  may() {
    const row = this.activeRow();
    return setup.may && row && !row.sent && this.column();
  }

  // edit opens the editor in the active cell. If instead is given, the editor starts with this
  // text.
  edit(instead) {
    if (narrow.matches) return; // a card opens the form of its row
    if (!this.may() || this.editing) return;
    const row = this.activeRow();
    const column = this.column();
    const text = row.cells[column.name] ?? "";
    const label = word("edit", { column: column.label, row: row.row });
    const known = column.known ?? [];
    const input = known.length
      ? make("input", { class: "editor", "aria-label": label, "aria-expanded": "true", autocomplete: "off" })
      : make("textarea", { class: "editor", rows: 1, "aria-label": label, spellcheck: "false" });
    input.value = instead ?? (column.sensitive ? "" : text);
    this.editing = { row, column, text, input, base: row.version, seen: this.store.stored(row, column.name) };
    this.block = null;
    this.ending = false;
    this.markBlock();
    const cell = this.activeCell();
    cell.replaceChildren(input);
    if (known.length) this.offer(input, known, text, cell);
    input.addEventListener("blur", () => {
      if (document.activeElement === input) return; // the user has gone to another window
      if (this.editing?.input === input) this.commit();
    });
    input.focus({ preventScroll: true });
    if (instead === undefined) input.select();
  }

  // offer shows the list of known values below the editor.
  offer(input, known, text, cell) {
    this.list = new List(input, {
      known, text, make, words: { known: word("known"), suggested: word("suggested"), one: word("one") },
      put: (value) => {
        const { at, column } = this.active;
        input.value = value;
        this.commit();
        this.go(at + 1, column);
      },
    });
    this.list.place(cell, place);
  }

  // close closes the editor without saving, and draws the row again.
  close() {
    const { row } = this.editing;
    this.editing = null;
    this.list?.close();
    this.list = null;
    row.drawn = Symbol();
    this.draw();
  }

  commit() {
    const { row, column, text, input, base, seen } = this.editing;
    const value = input.value;
    this.close();
    if ((value === text && !(column.name in row.refused)) || (column.sensitive && value === "")) return;
    this.save([{ row, cells: { [column.name]: value }, base, seen: { [column.name]: seen } }]);
  }

  // inTurn calls undoLast or redoLast after the undo in progress: the service would keep the cells of an act that a
  // later act has changed.
  inTurn(call) {
    this.turn = this.turn.then(call);
  }

  // undoLast undoes the last act of this page. Edits whose cells have changed since are not undone.
  async undoLast() {
    const act = this.undo.pop();
    if (!act) return say(word("nothing"));
    const { at, column } = this.active;
    const rows = act.edits.map((edit) => this.store.row(edit.id));
    await Promise.all(rows.map((row) => row.queue));
    let undone = act.edits.filter((edit, i) => this.store.giveUp(rows[i], edit)).length;
    if (act.id) undone += await this.store.undo(rows, act.id);
    const row = rows.at(-1);
    if (undone > 0) this.redo.push(act);
    document.getElementById("told").replaceChildren();
    // If the user has moved to another cell in the meantime, the focus stays there.
    if (this.active.at === at && this.active.column === column) this.go(this.store.at(rows[0].id), column);
    const done = rows.length > 1 ? "undone.rows" : "undone";
    say(word(undone >= rows.length ? done : "changed", { row: row.row, count: number.format(undone) }));
  }

  // redoLast repeats the act that was undone last.
  redoLast() {
    const act = this.redo.pop();
    if (!act) return say(word("nothing"));
    const redo = this.redo;
    this.save(act.edits.map((edit) => ({ row: this.store.row(edit.id), cells: edit.cells })).filter(({ row }) => row && !row.sent));
    this.redo = redo;
    say(word("redone"));
  }

  // choose lets the user choose between two values of a cell. It returns whether the user keeps
  // their own value.
  choose(row, column, mine, theirs) {
    const label = this.columns.find((c) => c.name === column)?.label ?? column;
    const button = (value, name, text) =>
      make("button", { value }, `${name}: `, make("b", {}, make("bdi", {}, shown(text) || word("empty"))));
    const dialog = make("dialog", { "aria-labelledby": "grid-asks" },
      make("form", { method: "dialog" },
        make("p", { id: "grid-asks" }, word("conflict", { row: row.row, column: label })),
        make("p", { class: "acts" }, button("theirs", word("theirs"), theirs), button("mine", word("mine"), mine))));
    place.append(dialog);
    dialog.showModal();
    return new Promise((done) => dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "mine");
      this.go(this.active.at, this.active.column);
    }));
  }
}

// allowActs enables the buttons for the selected rows. While no row is selected, they are disabled
// and their menus are closed. Their tooltip then gives the reason.
function allowActs(on) {
  for (const node of form.querySelectorAll("summary, [value=resubmit]")) {
    put(node, "aria-disabled", on ? undefined : "true");
    put(node, "title", on ? undefined : form.dataset.none);
    if (!on && node.parentElement.open) node.parentElement.open = false;
  }
}

// copied returns the text of a cell for the clipboard, or for other cells. In a column with decimal commas, the
// number of a cell without an error gets a comma, because 1.250 could mean 1250.
function copied(row, { name, comma }) {
  const text = row.cells[name] ?? "";
  return comma && !row.faults[name] && /^[^0-9.,]*\d+\.\d+[^0-9.,]*$/.test(text) ? text.replace(".", ",") : text;
}

const grid = new Grid(setup.columns);
grid.store.start();
grid.draw(); // the first rows are in the page, so draw them in the first frame
// An open editor is saved before the user leaves the page: a key of the browser does not take the focus from it.
addEventListener("beforeunload", (e) => {
  if (grid.editing) grid.commit(), grid.activeCell()?.focus({ preventScroll: true });
  if (grid.store.lacks()) e.preventDefault();
});
document.getElementById("all")?.addEventListener("change", (e) => grid.chooseAll(e.target.checked));
document.getElementById("extend")?.addEventListener("click", () => {
  grid.every = true;
  grid.draw();
});
// offerKnown offers the known values of the column that is chosen for all selected rows.
function offerKnown() {
  const column = setup.columns.find(({ name }) => name === document.getElementById("of").value);
  document.getElementById("offered").replaceChildren(...(column?.known ?? []).map((value) => make("option", { value })));
}
if (form) offerKnown();
document.getElementById("of")?.addEventListener("change", offerKnown);
form?.addEventListener("click", (e) => {
  if (e.target.closest("[aria-disabled]")) e.preventDefault();
});
form?.addEventListener("submit", (e) => {
  for (const old of form.querySelectorAll("input[name=id]")) old.remove();
  const all = document.getElementById("all");
  if (grid.chosen.size === 0 && e.submitter?.value !== "undo") return e.preventDefault();
  const whole = grid.store.whole && !grid.store.cut && grid.chosen.size > 0 && grid.chosen.size === grid.store.list.length;
  all.checked = grid.every || whole;
  if (all.checked) return;
  for (const id of grid.chosen) form.append(make("input", { type: "hidden", name: "id", value: id }));
});
