// grid-block.js: blocks of cells as spreadsheets put them on the clipboard, and the known value that
// is nearest to a text.

// cellsOf splits a text of the clipboard into lines of cells: lines fill rows, tabs fill columns. A
// cell in quotes may hold both, as Excel, Sheets and LibreOffice write it.
export function cellsOf(text) {
  const lines = [[]];
  const plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  let at = 0;
  for (;;) {
    const { cell, end } = plain[at] === '"' ? quoted(plain, at) : bare(plain, at);
    lines.at(-1).push(cell);
    if (end >= plain.length) return lines;
    if (plain[end] === "\n") lines.push([]);
    at = end + 1;
  }
}

function bare(text, at) {
  const length = text.slice(at).search(/[\t\n]/);
  const end = length < 0 ? text.length : at + length;
  return { cell: text.slice(at, end), end };
}

// quoted reads a cell in quotes; a text that only begins with one is read as it is.
function quoted(text, at) {
  const found = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(text.slice(at));
  return found ? { cell: found[1].replaceAll('""', '"'), end: at + found[0].length } : bare(text, at);
}

// textOf writes lines of cells as spreadsheets read them.
export const textOf = (lines) =>
  lines.map((cells) => cells.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t")).join("\n");

// distance is how many letters turn one text into the other.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

// nearest is the known value that is nearest to a text, and how many letters differ; null if none is
// near.
export function nearest(text, known) {
  const plain = text.trim().toLowerCase().slice(0, 100);
  let best = null;
  let most = Math.min(Math.max(2, Math.floor(plain.length / 3)), plain.length - 1) + 1;
  for (const value of known) {
    const letters = distance(plain, value.toLowerCase());
    if (letters < most) [best, most] = [{ value, letters }, letters];
  }
  return best;
}
