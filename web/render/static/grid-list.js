// grid-list.js shows the list of known values below the editor of a cell.

import { nearest } from "./grid-block.js";

const shownAtOnce = 50;

export class List {
  // words has the texts `known`, `suggested` and `one`. put is called with the chosen value.
  constructor(input, { known, text, words, put, make }) {
    Object.assign(this, { input, known, words, put, make, at: -1 });
    this.near = nearest(text, known);
    this.box = make("div", { class: "list", role: "listbox", id: "grid-list", "aria-label": words.known });
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-controls", "grid-list");
    input.setAttribute("aria-autocomplete", "list");
    this.fill("");
    input.addEventListener("input", () => this.fill(input.value));
    this.box.addEventListener("mousedown", (e) => {
      e.preventDefault(); // the editor keeps the focus
      const option = e.target.closest("[role=option]");
      if (option) put(option.dataset.value);
    });
  }

  // fill shows the first 50 values that contain the typed text. If no value contains it, fill shows the first 50 of
  // all values. While nothing is typed, or if no value contains the text, the value nearest to the old text of the
  // cell comes first.
  fill(typed) {
    const { make, words } = this;
    const plain = typed.trim().toLowerCase();
    const fitting = this.known.filter((value) => value.toLowerCase().includes(plain));
    const near = this.near && (plain === "" || fitting.length === 0) ? this.near : null;
    const rest = (fitting.length ? fitting : this.known).filter((value) => value !== near?.value).slice(0, shownAtOnce);
    const option = (value, note) =>
      make("div", { role: "option", "data-value": value, "aria-selected": "false" }, value, ...(note ? [make("small", {}, note)] : []));
    this.box.replaceChildren(
      ...(near ? [make("p", { "aria-hidden": "true" }, words.suggested), option(near.value, near.letters === 1 ? words.one : "")] : []),
      ...(rest.length ? [make("p", { "aria-hidden": "true" }, words.known), ...rest.map((value) => option(value))] : []));
    this.options = [...this.box.querySelectorAll("[role=option]")];
    this.options.forEach((node, i) => (node.id = `grid-option-${i}`));
    this.mark(near && plain === "" ? 0 : -1);
  }

  mark(at) {
    this.at = at;
    this.options.forEach((node, i) => node.setAttribute("aria-selected", String(i === at)));
    const node = this.options[at];
    if (node) this.input.setAttribute("aria-activedescendant", node.id);
    else this.input.removeAttribute("aria-activedescendant");
    node?.scrollIntoView({ block: "nearest" });
  }

  // key handles a key press in the editor. It reports whether the list has used it.
  key(e) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      const count = this.options.length;
      if (count) this.mark((this.at + step + count) % count);
      return true;
    }
    if (e.key !== "Enter" || this.at < 0) return false;
    this.put(this.options[this.at].dataset.value);
    return true;
  }

  // place shows the list directly below the cell of the editor. If there is too little room below,
  // and more room above, it shows the list above the cell. It must be called again after the cell
  // has moved.
  place(cell, within) {
    if (!this.box.isConnected) within.append(this.box);
    const { style } = this.box;
    style.maxHeight = "";
    const box = cell.getBoundingClientRect();
    const outer = within.getBoundingClientRect();
    const own = this.box.getBoundingClientRect();
    const room = { below: innerHeight - box.bottom, above: box.top };
    const above = own.height > room.below && room.above > room.below;
    style.left = `${Math.max(0, Math.min(box.left - outer.left, outer.width - own.width))}px`;
    style.top = above ? "auto" : `${box.bottom - outer.top}px`;
    style.bottom = above ? `${outer.bottom - box.top}px` : "auto";
    style.maxHeight = `min(18rem, ${above ? room.above : room.below}px)`;
  }

  close() {
    this.box.remove();
  }
}
