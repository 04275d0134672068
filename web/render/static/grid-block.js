// grid-block.js reads and writes blocks of cells in the clipboard format of spreadsheets. It also
// finds the known value that is nearest to a text.

// cellsOf splits a clipboard text into lines of cells. Line breaks separate rows, and tabs separate
// columns. A quoted cell may contain both: Excel, Google Sheets and LibreOffice write such cells.
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

// quoted reads a quoted cell. If the quotes are not closed at the end of the cell, the text is read
// as it is.
function quoted(text, at) {
  const found = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(text.slice(at));
  return found ? { cell: found[1].replaceAll('""', '"'), end: at + found[0].length } : bare(text, at);
}

// textOf returns lines of cells as text in the clipboard format of spreadsheets.
export const textOf = (lines) =>
  lines.map((cells) => cells.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t")).join("\n");

// distance returns the smallest number of letters to insert, delete or replace to turn one text into the other.
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

// nearest returns the known value that is nearest to a text, and the number of letters that differ.
// It returns null if more than two letters differ, and more than a third of the letters.
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
