// grid-rows.js holds the rows of the grid as they are in the service.
//
// It loads the rows page by page and then polls for changes of others. It sends the edits of a row
// in order. While the service is unavailable, edits wait and are retried.

// home is the path of the service that serves this file, with a slash at the end.
export const home = new URL("..", import.meta.url).pathname;

const most = 20_000; // the number of rows after which loading stops
const rest = 3; // seconds between two polls of the task
const lanes = 6; // edits that are sent at once; more would time out in the queue of the browser
const longest = 30; // most seconds between two attempts while the service is unavailable, before jitter

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const backOff = (faults) => Math.min(2 ** faults, longest) * (0.8 + Math.random() * 0.4);

async function seen() {
  while (document.hidden) {
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  }
}

// focused waits until the user comes back to the page.
const focused = () => new Promise((done) => addEventListener("focus", done, { once: true }));

export class Store {
  // host is the grid. It draws the rows, shows messages and lets the user resolve conflicts.
  constructor(setup, host) {
    this.setup = setup;
    this.host = host;
    this.api = `${home}api/v1/tasks/${setup.task}`;
    this.known = new Set(setup.columns.map((c) => c.name));
    this.list = []; // sorted by seq
    this.rows = new Map(); // by id
    this.pages = []; // the address and the version of each loaded page
    this.loading = true; // rows are being loaded
    this.whole = false; // all rows are loaded
    this.cut = false; // loading stopped at the limit, and there are more rows
    this.unsent = 0;
    this.sending = 0;
    this.waiting = [];
    this.faults = 0; // consecutive failed requests
  }

  row(id) {
    return this.rows.get(id);
  }

  // at returns the index of a row in the list.
  at(id) {
    const { seq } = this.rows.get(id);
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.list[middle].seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // request repeats a request until the service answers with a status other than 401, 429 and 5xx. After 401, it waits
  // for the user to sign in again.
  async request(address, options = {}) {
    for (;;) {
      try {
        const headers = { "Accept-Language": document.documentElement.lang, ...options.headers };
        const signal = AbortSignal.timeout(30_000);
        const answer = await fetch(address, { cache: "no-store", ...options, headers, signal });
        if (answer.status === 401) {
          this.host.away(false);
          this.host.ended(true);
          await Promise.race([pause(backOff(++this.faults)), focused()]);
          continue;
        }
        if (answer.status < 500 && answer.status !== 429) {
          const text = await answer.text();
          this.reached();
          return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
        }
      } catch {
        // A network error or a timeout: the request is sent again.
      }
      this.host.away(true);
      await pause(backOff(++this.faults));
    }
  }

  // page fetches the current page with only one row. It returns null if the service is not available.
  async page() {
    const address = new URL(location.href);
    address.searchParams.set("limit", 1);
    try {
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(30_000) });
      return answer.status < 500 && answer.status !== 429 ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    } catch {
      return null; // a network error or a timeout
    }
  }

  reached() {
    this.faults = 0;
    this.host.away(false);
    this.host.ended(false);
  }

  async start() {
    for (const item of this.setup.first ?? []) this.take(item);
    this.host.draw();
    await this.load();
    this.loading = false;
    this.host.draw();
    await this.follow(this.setup.tag);
  }

  // load fetches all rows, page by page. The first page is short, because the user waits for it. Loading
  // ends early if the service rejects a request.
  async load() {
    const query = new URLSearchParams(this.setup.query);
    let next = "";
    do {
      query.set("limit", next ? 500 : 100);
      if (next) query.set("cursor", next);
      const address = `${this.api}/events?${query}`;
      const { status, body } = await this.request(address);
      if (status !== 200) return this.host.say(this.host.word("partly", { count: this.list.length }));
      this.pages.push({ address, version: body.version });
      body.items.forEach((item) => this.take(item));
      next = body.next_cursor;
      this.host.draw();
    } while (next && this.list.length < most);
    this.whole = !next;
    this.cut = Boolean(next);
  }

  // follow polls the task until the service rejects a poll. After the task has changed, it
  // refreshes the loaded pages.
  async follow(tag) {
    for (;;) {
      await pause(rest);
      await seen();
      const { status, headers } = await this.request(this.api, { headers: { "If-None-Match": tag ?? "" } });
      if (status >= 400) return;
      if (status === 304) continue;
      tag = headers.get("ETag");
      for (const page of this.pages) await this.refresh(page);
    }
  }

  // refresh fetches the rows of a page that have changed since its version.
  async refresh(page) {
    const { status, body } = await this.request(`${page.address}&since=${encodeURIComponent(page.version)}`);
    if (status !== 200) return;
    page.version = body.version;
    body.items.forEach((item) => this.take(item));
    // A row may also be missing because another row has moved it to the next page.
    for (const id of body.gone) {
      if (!this.rows.has(id)) continue;
      const { status, body: item } = await this.request(`${home}api/v1/events/${id}`);
      if (status === 200) this.take(item);
    }
    this.host.draw();
  }

  // take stores a row in the list, unless the stored version is the same or newer. It returns the
  // stored row.
  take(item) {
    const old = this.rows.get(item.id);
    if (old && old.version >= item.version) return old;
    const row = old ?? { id: item.id, seq: item.seq, row: item.row, own: new Map(), queue: Promise.resolve(), edits: [], typed: new Set(), refused: {}, why: {} };
    const was = old && { state: old.state, cause: old.cause };
    row.version = item.version;
    row.item = item;
    row.cells = Object.assign({}, item.params, row.refused, ...row.edits.map((edit) => edit.cells));
    row.sent = item.status !== "failed" && item.status !== "error";
    row.state = row.sent ? "sent" : (item.status === "finish" ? "finish" : item.resolution?.state ?? "open");
    if (row.state === "resubmitted") row.state = "open";
    row.cause = `${item.code ?? ""}|${item.column ?? ""}`;
    row.stand = row.sent ? item.status : row.state === "open" && item.status === "error" ? "error" : row.state;
    if (was) this.host.moved(was, row);
    this.blame(row, item);
    row.drawn = Symbol();
    for (const name of Object.keys(row.cells)) this.meet(name);
    if (!old) {
      this.rows.set(row.id, row);
      this.list.splice(this.at(row.id), 0, row);
    }
    return row;
  }

  // meet adds a column to the grid if neither the file nor an earlier row has it.
  meet(name) {
    if (this.known.has(name)) return;
    this.known.add(name);
    this.host.extra(name);
  }

  // blame stores the faults of a row, by cell or for the whole row.
  blame(row, item) {
    row.faults = {};
    row.notes = [];
    if (row.sent || row.state === "fixed" || !item.code) return;
    for (const fault of item.fields.length > 0 ? item.fields : [item]) {
      const { column, message, hint, code } = fault;
      if (column && this.known.has(column)) row.faults[column] = { message: message ?? "", hint: hint ?? "", code };
      else if (message) row.notes.push(message);
    }
    if (row.notes.length > 0) this.host.noted();
  }

  // stored returns the text of a cell without a text that the service has refused.
  stored(row, name) {
    return (name in row.refused ? row.item.params : row.cells)[name] ?? "";
  }

  // save sends changed cells of a row with the version that the user saw. The argument `seen` holds the texts
  // of that version, if the row may have changed since. The edit belongs to `act`. Earlier edits of the row are sent
  // first. It returns the edit.
  save(row, cells, base, seen, act) {
    const before = {};
    for (const name of Object.keys(cells)) {
      before[name] = seen?.[name] ?? this.stored(row, name);
      delete row.refused[name];
    }
    Object.assign(row.cells, cells);
    for (const name of Object.keys(cells)) row.typed.add(name);
    const edit = { id: row.id, cells, before, base, act };
    row.edits.push(edit);
    row.drawn = Symbol();
    this.unsent++;
    this.host.draw();
    row.queue = row.queue.then(() => this.send(row, edit)).finally(() => {
      row.drawn = Symbol();
      this.unsent--;
      this.host.draw();
    });
    return edit;
  }

  // inTurn calls request. Only a few edits are sent at once.
  async inTurn(address, options) {
    if (this.sending >= lanes) await new Promise((go) => this.waiting.push(go));
    else this.sending++;
    try {
      return await this.request(address, options);
    } finally {
      if (this.waiting.length > 0) this.waiting.shift()();
      else this.sending--;
    }
  }

  async send(row, edit) {
    let version = edit.base;
    while (row.own.has(version)) version = row.own.get(version);
    const params = {};
    for (const [name, text] of Object.entries(edit.cells)) params[name] = text === "" ? null : text;
    const { group } = edit.act;
    const { status, headers, body } = await this.inTurn(`${home}api/v1/events/${row.id}`, {
      method: "PATCH", headers: { "Content-Type": "application/json", "If-Match": `"${version}"`, ...(group && { "Act-Group": group }) },
      body: JSON.stringify({ params }),
    });
    row.edits = row.edits.filter((e) => e !== edit);
    if (status === 200) {
      edit.act.id = headers.get("Act-Id") ?? edit.act.id;
      return this.kept(row, version, body);
    }
    const now = await this.request(`${home}api/v1/events/${row.id}`);
    if (status === 412 && now.status === 200) return this.clash(row, edit, now.body);
    this.refuse(row, edit, now.status === 200 ? now.body : row.item, body?.detail ?? String(status));
  }

  // refuse keeps texts that the service has refused in their cells, which are marked as not saved.
  refuse(row, edit, item, why) {
    Object.assign(row.refused, edit.cells);
    for (const name of Object.keys(edit.cells)) row.why[name] = why;
    this.reset(row, item);
    this.host.refuse(this.host.word("failed", { row: row.row, why }));
  }

  // giveUp removes the refused texts of an edit, and reports whether there were any.
  giveUp(row, edit) {
    const names = Object.keys(edit.cells).filter((name) => name in row.refused);
    if (names.length === 0) return false;
    for (const name of names) delete row.refused[name];
    this.reset(row, row.item);
    this.host.draw();
    return true;
  }

  // lacks reports whether texts on this page are not saved.
  lacks() {
    return this.unsent > 0 || [...this.rows.values()].some((row) => Object.keys(row.refused).length > 0);
  }

  kept(row, version, item) {
    row.own.set(version, item.version);
    this.reset(row, item);
    this.host.say(this.host.word(row.state === "fixed" ? "saved.fixed" : "saved.open", { row: row.row }));
  }

  // undo undoes an act on rows, and returns the number of restored rows. Rows that have changed since stay.
  async undo(rows, act) {
    const versions = rows.map((row) => row.version);
    const { status, body } = await this.request(`${this.api}/undo`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ act_id: act }),
    });
    if (rows.length === 1) {
      const now = await this.request(`${home}api/v1/events/${rows[0].id}`);
      if (now.status === 200) this.take(now.body);
    } else {
      for (const page of this.pages) await this.refresh(page);
    }
    rows.forEach((row, i) => {
      if (row.version === versions[i]) return;
      row.own.set(versions[i], row.version);
      row.typed.clear();
      row.drawn = Symbol();
    });
    this.host.draw();
    return status === 200 ? body.done : 0;
  }

  // reset replaces the stored row with the row of the service.
  reset(row, item) {
    row.version = 0;
    this.take(item);
  }

  // clash resolves an edit of a row that another user has changed. If the row has been resubmitted,
  // the edit is dropped with a message. A cell that only one of the users has changed needs no
  // choice. For other cells, the user chooses one of the two values.
  async clash(row, edit, item) {
    if (item.status !== "failed" && item.status !== "error") {
      this.reset(row, item);
      return this.host.say(this.host.word("gone", { row: row.row }));
    }
    this.reset(row, item);
    const mine = {};
    for (const [name, text] of Object.entries(edit.cells)) {
      const theirs = item.params[name] ?? "";
      const asks = theirs !== edit.before[name] && theirs !== text;
      if (!asks || (await this.host.choose(row, name, text, theirs))) mine[name] = text;
    }
    if (Object.keys(mine).length === 0) return;
    Object.assign(row.cells, mine);
    const before = {};
    for (const name of Object.keys(mine)) before[name] = item.params[name] ?? "";
    const retry = { id: row.id, cells: mine, before, base: item.version, act: edit.act };
    row.edits.unshift(retry);
    await this.send(row, retry);
  }
}
