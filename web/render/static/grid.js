// grid.js: makes the table of bad rows a grid that is worked with the keyboard.
//
// It shows as many rows as fit, of any number; the others are known but have no
// elements. What is typed is sent at once, against the version that was seen, so
// nothing that others did is overwritten. Without it the page has a form for
// each row.

import { home, Store } from "./grid-rows.js";

const setup = JSON.parse(document.getElementById("grid-setup").textContent);
const place = document.getElementById("grid");
const form = document.getElementById("bulk");
const number = new Intl.NumberFormat(document.documentElement.lang);
const height = 36; // pixels of a row; style.css says the same
const beyond = 6; // rows that are drawn above and below what is seen

const word = (key, values = {}) =>
  setup.words[key].replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);

// make makes an element; children are elements and texts.
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// put sets an attribute, or takes it away; write writes a text into a node that
// holds one. Both leave alone what is there already.
function put(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function write(node, text) {
  if (node.firstChild.data !== text) node.firstChild.data = text;
}

// shown spells out characters that cannot be seen, or turn others around.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text) =>
  text.replace(hidden, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

const say = (text) => {
  document.getElementById("say").textContent = text;
};

class Grid {
  constructor(columns) {
    this.columns = columns;
    this.active = { at: 0, column: 3 }; // a row by its place, a column by its number
    this.chosen = new Set();
    this.drawn = new Map(); // id of a row to its element
    this.spare = []; // elements of rows that are seen no more
    this.editing = null;
    this.undo = [];
    this.store = new Store(setup, {
      draw: () => this.later(),
      say, word,
      away: (on) => (this.lost.hidden = !on),
      choose: (row, column, mine, theirs) => this.choose(row, column, mine, theirs),
      saved: (row, after, act) => this.undo.push({ id: row.id, after, act }),
      extra: (name) => this.addColumn(name),
    });
    this.build();
  }

  get last() {
    return this.columns.length + 3; // the column of what is wrong
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
    this.why = make("p", { class: "why", role: "status" });
    this.count = make("p", { class: "quiet" });
    this.lost = make("p", { class: "notice warn", role: "alert", hidden: true }, word("away"));
    this.header();
    place.replaceChildren(this.lost, this.scroller, this.why, this.count,
      make("p", { class: "quiet" }, word("help")));
    this.scroller.addEventListener("scroll", () => this.later(), { passive: true });
    this.scroller.addEventListener("keydown", (e) => this.key(e));
    this.scroller.addEventListener("mousedown", (e) => this.point(e));
    this.scroller.addEventListener("dblclick", (e) => this.cellOf(e.target) && this.edit());
    this.scroller.addEventListener("focusin", (e) => this.focused(e));
    this.scroller.addEventListener("copy", (e) => this.copy(e));
    this.scroller.addEventListener("paste", (e) => this.paste(e));
    new ResizeObserver(() => this.later()).observe(this.scroller);
  }

  header() {
    const names = ["", word("row"), word("state"), ...this.columns.map((c) => c.label), word("wrong")];
    const kinds = ["tick", "row", "state", ...this.columns.map(() => "cell"), "reason"];
    this.cols.replaceChildren(...kinds.map((kind) => make("col", { class: kind })));
    this.head.replaceChildren(...names.map((name, i) =>
      make("th", { role: "columnheader", scope: "col", "aria-colindex": i + 1 },
        i === 0 ? make("span", { class: "unseen" }, word("chosen")) : make("bdi", {}, shown(name)))));
    this.table.setAttribute("aria-colcount", names.length);
    this.table.style.width = `${46 + this.columns.length * 10}rem`;
  }

  // addColumn shows a cell that no column of the file has.
  addColumn(name) {
    this.columns.push({ name, label: name, type: "" });
    for (const tr of this.drawn.values()) tr.remove();
    this.drawn.clear();
    this.spare = [];
    this.header();
  }

  // --- drawing ---

  // later draws before the browser paints, once.
  later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.draw();
    });
  }

  // range is which rows need elements.
  range() {
    const rows = this.store.list.length;
    const top = Math.floor(this.scroller.scrollTop / height);
    let from = Math.max(top - beyond, 0);
    let to = Math.min(top + Math.ceil(this.scroller.clientHeight / height) + beyond, rows);
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
    this.above.firstChild.style.height = `${from * height}px`;
    this.below.firstChild.style.height = `${(list.length - to) * height}px`;
    this.above.hidden = from === 0;
    this.below.hidden = to === list.length;
    put(this.table, "aria-rowcount", String(this.store.whole ? list.length + 1 : -1));
    put(this.table, "aria-busy", String(!this.store.whole));
    this.tell();
    this.mark();
  }

  // free keeps the elements of rows that are not wanted any more, in their order. If
  // no other is drawn they stay where they are, and only their texts change.
  free(wanted) {
    for (let tr = this.above.nextSibling; tr !== this.below; tr = tr.nextSibling) {
      if (wanted.has(tr.row.id)) continue;
      if (tr.contains(document.activeElement)) this.scroller.focus({ preventScroll: true });
      this.drawn.delete(tr.row.id);
      this.spare.push(tr);
    }
    if (this.drawn.size > 0) this.spare.forEach((tr) => tr.remove());
  }

  tell() {
    const count = number.format(this.store.list.length);
    let text = word("count", { count });
    if (this.store.cut) text = word("more", { count });
    else if (!this.store.whole) text += ` · ${word("loading")}`;
    if (this.count.textContent !== text) this.count.textContent = text;
    const picked = form?.querySelector("[data-chosen]");
    if (picked) picked.textContent = this.chosen.size ? `(${number.format(this.chosen.size)})` : "";
  }

  // row is the element of a row, filled anew if the row has changed.
  row(row, at) {
    let tr = this.drawn.get(row.id);
    if (!tr) {
      tr = this.spare.shift() ?? this.blank();
      this.drawn.set(row.id, tr);
    }
    put(tr, "aria-rowindex", String(at + 2));
    if (tr.drawn === row.drawn && tr.row === row) return tr;
    if (this.editing?.row === row) return tr; // what is typed stays
    const within = tr.contains(document.activeElement);
    tr.row = row;
    tr.drawn = row.drawn;
    this.fill(tr, row);
    if (within && !tr.contains(document.activeElement)) {
      this.settled = true; // the focus goes where it was, and nowhere else
      tr.children[this.active.column]?.focus({ preventScroll: true });
      this.settled = false;
    }
    return tr;
  }

  // blank is a row of empty cells.
  blank() {
    const cell = (i, name, attributes, ...children) =>
      make(name, { "aria-colindex": i + 1, tabindex: -1, ...attributes }, ...children);
    const tick = make("input", { type: "checkbox", tabindex: -1, disabled: !setup.may });
    const link = make("a", { tabindex: -1 }, "");
    const state = cell(2, "td", { role: "gridcell" }, "");
    const cells = this.columns.map((column, i) => cell(i + 3, "td", { role: "gridcell" }));
    for (const node of cells) {
      node.text = make("bdi", {}, "");
      node.note = make("span", { class: "unseen" }, "");
    }
    const reason = cell(this.last, "td", { role: "gridcell", class: "reason" }, make("bdi", {}, ""));
    const tr = make("tr", { role: "row" }, cell(0, "td", { role: "gridcell" }, tick),
      cell(1, "th", { role: "rowheader", scope: "row", class: "number" }, link), state, ...cells, reason);
    tr.parts = { tick, link, state, cells, reason };
    return tr;
  }

  fill(tr, row) {
    const { tick, link, state, cells, reason } = tr.parts;
    tr.classList.toggle("sent", row.sent);
    tick.checked = this.chosen.has(row.id);
    put(tick, "aria-label", `${word("row")} ${row.row}`);
    put(link, "href", `${home}tasks/${setup.task}/rows/${row.seq}`);
    write(link, number.format(row.row));
    put(state, "class", `state ${row.state}`);
    write(state, row.edits.length > 0 ? "…" : word(row.sent ? "sent" : row.state));
    this.columns.forEach((column, i) => this.fillCell(cells[i], row, column));
    const reasons = shown([...row.notes, ...Object.values(row.faults).map((f) => f.message)].join(" "));
    put(reason, "title", reasons);
    write(reason.firstChild, reasons);
  }

  fillCell(node, row, column) {
    const text = shown(row.cells[column.name] ?? "");
    const fault = row.faults[column.name];
    put(node, "class", fault && "faulty");
    put(node, "aria-invalid", fault && "true");
    put(node, "aria-readonly", setup.may && !row.sent ? undefined : "true");
    put(node, "title", fault?.message && shown(fault.message));
    if (node.firstChild !== node.text) node.replaceChildren(node.text);
    write(node.text, text.length > 300 ? `${text.slice(0, 300)}…` : text);
    if (!fault) return node.note.remove();
    write(node.note, ` ${shown(fault.message)}`);
    if (!node.note.parentNode) node.append(node.note);
  }

  // --- where one is ---

  // mark gives the active cell the only place in the order of the Tab key.
  mark() {
    const cell = this.activeCell();
    if (this.marked !== cell) this.marked?.setAttribute("tabindex", -1);
    cell?.setAttribute("tabindex", 0);
    this.scroller.tabIndex = cell ? -1 : 0; // if it was scrolled out of sight
    this.marked = cell;
  }

  activeRow() {
    this.active.at = Math.max(0, Math.min(this.active.at, this.store.list.length - 1));
    return this.store.list[this.active.at];
  }

  activeCell() {
    const tr = this.drawn.get(this.activeRow()?.id);
    return tr?.children[Math.min(this.active.column, this.last)];
  }

  column() {
    return this.columns[this.active.column - 3];
  }

  // go makes a cell active, seen and focused.
  go(at, column) {
    this.active.at = Math.max(0, Math.min(at, this.store.list.length - 1));
    this.active.column = Math.max(0, Math.min(column, this.last));
    const top = this.active.at * height;
    const head = this.head.offsetHeight;
    const room = this.scroller.clientHeight - head - height;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top > this.scroller.scrollTop + room) this.scroller.scrollTop = top - room;
    this.draw();
    const cell = this.activeCell();
    cell?.focus({ preventScroll: true });
    if (cell) this.sideways(cell);
    this.explain();
  }

  // sideways scrolls a cell into view from behind the columns that stay.
  sideways(cell) {
    if (this.active.column < 2) return void (this.scroller.scrollLeft = 0);
    const box = this.scroller.getBoundingClientRect();
    const own = cell.getBoundingClientRect();
    const stay = cell.parentElement.children[1].getBoundingClientRect().right - box.left;
    if (own.left < box.left + stay) this.scroller.scrollLeft -= box.left + stay - own.left;
    else if (own.right > box.right) this.scroller.scrollLeft += Math.min(own.right - box.right, own.left - box.left - stay);
  }

  // explain tells what is wrong with the active cell, and what would help.
  explain() {
    const row = this.activeRow();
    const column = this.column();
    const fault = column && row?.faults[column.name];
    const parts = fault ? [fault.message, fault.hint] : column ? [column.hint] : row?.notes ?? [];
    const text = shown(parts.filter(Boolean).join(" "));
    this.why.classList.toggle("bad", Boolean(fault));
    if (this.why.textContent !== text) this.why.textContent = text;
  }

  cellOf(node) {
    return node.closest?.("tbody td[role], tbody th[role]");
  }

  focused(e) {
    const cell = this.cellOf(e.target);
    if (!cell || this.editing || this.settled) return;
    this.active = {
      at: this.store.at(cell.parentElement.row.id), column: [...cell.parentElement.children].indexOf(cell),
    };
    this.mark();
    this.explain();
  }

  point(e) {
    const cell = this.cellOf(e.target);
    if (!cell || e.target.closest("a, .editor")) return;
    if (this.editing) this.commit();
    if (e.target.type === "checkbox") {
      e.target.addEventListener("change", () => this.tick(cell.parentElement.row, e.target.checked), { once: true });
      return;
    }
    e.preventDefault();
    this.go(this.store.at(cell.parentElement.row.id), [...cell.parentElement.children].indexOf(cell));
  }

  // --- keys ---

  key(e) {
    if (this.editing) return this.editKey(e);
    const { at, column } = this.active;
    const page = Math.max(Math.floor(this.scroller.clientHeight / height) - 2, 1);
    const all = e.ctrlKey || e.metaKey;
    const moves = {
      ArrowUp: [at - 1, column], ArrowDown: [at + 1, column],
      ArrowLeft: [at, column - 1], ArrowRight: [at, column + 1],
      PageUp: [at - page, column], PageDown: [at + page, column],
      Home: [all ? 0 : at, 0], End: [all ? Infinity : at, this.last],
    };
    if (moves[e.key]) this.go(...moves[e.key]);
    else if (all && e.key.toLowerCase() === "z") this.takeBack();
    else if (e.key === " ") this.tick(this.activeRow());
    else if (e.key === "Enter" || e.key === "F2") {
      if (column === 1) this.activeCell()?.querySelector("a").click();
      else this.edit();
    } else if (e.key === "Delete" || e.key === "Backspace") this.put("");
    else if (e.key.length === 1 && !all && !e.altKey && !e.isComposing) this.edit("");
    else return;
    if (e.key.length > 1 || e.key === " " || all) e.preventDefault();
  }

  editKey(e) {
    if (e.isComposing) return;
    const { at, column } = this.active;
    if (e.key === "Escape") this.close(), this.go(at, column);
    else if (e.key === "Enter" && !e.altKey && !e.shiftKey) this.commit(), this.go(at + 1, column);
    else if (e.key === "Tab") {
      this.commit();
      const next = column + (e.shiftKey ? -1 : 1);
      this.go(at, Math.max(3, Math.min(next, this.last - 1)));
    } else return;
    e.preventDefault();
  }

  tick(row, on = !this.chosen.has(row?.id)) {
    if (!row || !setup.may) return;
    if (on) this.chosen.add(row.id);
    else this.chosen.delete(row.id);
    row.drawn = Symbol();
    const which = form?.querySelector(`[name=rows][value=${this.chosen.size ? "chosen" : "all"}]`);
    if (which) which.checked = true;
    this.draw();
  }

  copy(e) {
    if (this.editing || !this.column()) return;
    e.clipboardData.setData("text/plain", this.activeRow().cells[this.column().name] ?? "");
    e.preventDefault();
  }

  paste(e) {
    if (this.editing) return;
    this.put(e.clipboardData.getData("text/plain").replace(/\r\n/g, "\n").replace(/\n$/, ""));
    e.preventDefault();
  }

  // --- editing ---

  may() {
    const row = this.activeRow();
    return setup.may && row && !row.sent && this.column();
  }

  // edit opens the active cell; with a text, in place of what it holds.
  edit(instead) {
    if (!this.may() || this.editing) return;
    const row = this.activeRow();
    const column = this.column();
    const text = row.cells[column.name] ?? "";
    const label = word("edit", { column: column.label, row: row.row });
    const input = column.enum
      ? make("input", { class: "editor", list: "grid-choices", "aria-label": label, autocomplete: "off" })
      : make("textarea", { class: "editor", rows: 1, "aria-label": label, spellcheck: "false" });
    if (column.enum) this.offer(column.enum);
    input.value = instead ?? (column.sensitive ? "" : text);
    this.editing = { row, column, text, input, base: row.version };
    const cell = this.activeCell();
    cell.replaceChildren(input);
    input.addEventListener("blur", () => {
      if (this.editing?.input === input) this.commit();
    });
    input.focus({ preventScroll: true });
    if (instead === undefined) input.select();
  }

  offer(values) {
    document.getElementById("grid-choices")?.remove();
    place.append(make("datalist", { id: "grid-choices" }, ...values.map((value) => make("option", { value }))));
  }

  // close ends editing, and draws the row as it is.
  close() {
    const { row } = this.editing;
    this.editing = null;
    row.drawn = Symbol();
    this.draw();
  }

  commit() {
    const { row, column, text, input, base } = this.editing;
    const value = input.value;
    this.close();
    if (value === text || (column.sensitive && value === "")) return;
    this.store.save(row, { [column.name]: value }, base);
  }

  // put writes a text into the active cell.
  put(text) {
    if (!this.may()) return;
    const row = this.activeRow();
    if ((row.cells[this.column().name] ?? "") === text) return;
    this.store.save(row, { [this.column().name]: text }, row.version);
  }

  // takeBack undoes the last edit that was made here, if nobody has changed the
  // cell since.
  async takeBack() {
    const last = this.undo.pop();
    const row = last && this.store.row(last.id);
    if (!row || row.sent || !last.act) return say(word("nothing"));
    const same = Object.entries(last.after).every(([name, text]) => (row.cells[name] ?? "") === text);
    if (!same) return say(word("changed", { row: row.row }));
    this.go(this.store.at(row.id), this.active.column);
    say(word((await this.store.undo(row, last.act)) ? "undone" : "changed", { row: row.row }));
  }

  // choose asks which of two values shall stand: true for one's own.
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

const grid = new Grid(setup.columns);
grid.store.start();
addEventListener("beforeunload", (e) => {
  if (grid.store.unsent > 0) e.preventDefault();
});
form?.addEventListener("submit", () => {
  for (const old of form.querySelectorAll("input[name=id]")) old.remove();
  for (const id of grid.chosen) form.append(make("input", { type: "hidden", name: "id", value: id }));
});
