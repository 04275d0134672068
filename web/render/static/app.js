// app.js updates the pages without a reload. Every page also works without this script.
//
// The page of a task polls the API at the interval of the Retry-After header. The list of tasks is
// fetched again every few seconds while it changes. The script writes the numbers and times of a
// task. If other texts change, it fetches the page again and replaces the parts. It also uploads files, and sends
// forms without leaving the page.

const lang = document.documentElement.lang;
// format returns a formatter that is created at its first use. A page without times or numbers
// creates none.
const format = (make) => {
  let made;
  return { format: (...values) => (made ??= make()).format(...values) };
};
const number = format(() => new Intl.NumberFormat(lang));
const tenth = format(() => new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
const local = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" }));
const exact = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" }));
const relative = format(() => new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: "short" }));
const day = format(() => new Intl.DateTimeFormat(lang, { dateStyle: "medium" }));
const rest = 25; // most seconds between two requests for a list that does not change
const longest = 30; // most seconds between two attempts while the service is unavailable, before jitter

const byId = (id) => document.getElementById(id);
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// backOff returns the seconds to wait after this number of consecutive failures.
const backOff = (faults) => Math.min(2 ** faults, longest) * (0.8 + Math.random() * 0.4);

// seen waits until the page is visible.
async function seen() {
  while (document.hidden) {
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  }
}

// say announces a text to screen readers.
function say(text) {
  byId("say").textContent = text;
}

// ago returns how long ago a time was. It returns the day of a time that is a week old or older, and the
// date and time of a time that is more than a minute ahead.
function ago(at) {
  if (at - Date.now() > 60_000) return local.format(at);
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (seconds < 60) return relative.format(-Math.floor(seconds), "second");
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return relative.format(-Math.floor(seconds / 3600), "hour");
  if (seconds < 7 * 86400) return relative.format(-Math.floor(seconds / 86400), "day");
  return day.format(at);
}

// localTimes writes the times below a node in the time zone of the browser. ops.js writes the times
// of the operator pages.
function localTimes(node) {
  for (const time of node.querySelectorAll("time[datetime]")) {
    if (time.closest(".ops")) continue;
    time.title = time.title || time.textContent;
    const at = new Date(time.dateTime);
    time.textContent = "ago" in time.dataset ? ago(at) : local.format(at);
  }
  node.querySelectorAll("[data-due] time").forEach(awaitDue);
}

// awaitDue counts down the last minute to a time. Then it replaces the sentence with the text for a time that has
// come.
function awaitDue(time) {
  const sentence = time.closest("[data-due]");
  const step = () => {
    if (!time.isConnected) return;
    const left = new Date(time.dateTime) - Date.now();
    if (left <= 0) return void (sentence.textContent = sentence.dataset.due);
    if (left < 60_000) time.textContent = relative.format(Math.ceil(left / 1000), "second");
    setTimeout(step, Math.min(Math.max(left - 60_000, 1000), 3_600_000));
  };
  step();
}

// The tooltip with the exact time is written when the pointer is over the time. Its formatter takes
// long to create.
document.addEventListener("pointerover", (e) => {
  const time = e.target.closest?.("time[data-ago]");
  if (time) time.title = exact.format(new Date(time.dateTime));
});

// fillIn replaces the placeholders of a text with values. A placeholder without a value stays.
const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);

// swap replaces a part of the page with the same part of a fetched page. The focus stays on the
// same link or field, and open details stay open. The old part stays if one of its fields is kept,
// for example because the user has edited it. A field in the card of a cause counts only if the new
// part also has this field. The old part also stays while a form in it is being sent, or a button is pressed. Then
// swap returns false, and the caller swaps the part later.
function swap(page, id, kept = edited) {
  const old = byId(id);
  const part = page.getElementById(id);
  if (!old || !part) return true;
  if (old.closest("[data-asking]") || old.querySelector("[data-asking], :active")) return false;
  const causes = new Set([...part.querySelectorAll("[data-cause] [name]")].map(meant));
  const needed = (field) => !field.closest("[data-cause]") || causes.has(meant(field));
  if ([...old.querySelectorAll("input:not([type=hidden]), select, textarea")].some((field) => kept(field) && needed(field))) return true;
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const mark = active && (active.id || active.getAttribute("href"));
  if (old.open) part.open = true;
  for (const fold of old.querySelectorAll("details[open][id]")) {
    part.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
  }
  old.replaceWith(document.adoptNode(part));
  localTimes(part);
  countDown(part);
  weigh(part);
  if (mark) {
    const same = CSS.escape(mark);
    part.querySelector(`#${same}, [href="${same}"]`)?.focus({ preventScroll: true });
  }
  return true;
}

// meant returns a key for a field in the card of a cause: its name and the hidden values of its
// form. Of the hidden values named "from", it uses only the one next to the field.
function meant(field) {
  const about = [...field.form.querySelectorAll("[type=hidden]")].filter((other) => other.name !== "from" || other.parentElement === field.parentElement);
  return JSON.stringify([field.name, ...about.map((other) => [other.name, other.value])]);
}

// edited reports whether the user has changed a field. It also returns true for a text of a form
// that the service has rejected.
function edited(field) {
  if ("typed" in field.dataset) return true; // the service rejected the form with this text
  if (field.matches("select")) {
    return field.selectedIndex !== Math.max([...field.options].findIndex((option) => option.defaultSelected), 0);
  }
  if (field.matches("[type=file]")) return field.files.length > 0;
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  return typed(field);
}

const typed = (field) => field.matches("input:not([type=file]), textarea") && field.value !== field.defaultValue;

const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// ended shows or hides the message that the session has ended. Its link leads to this page, which asks to sign in.
function ended(on) {
  byId("ended").hidden = !on;
}

// lost shows or hides the message that there is no connection. The end of the session is another reason.
function lost(on) {
  byId("lost")?.toggleAttribute("hidden", !on || !byId("ended").hidden);
}

// get fetches an address. It returns null if there is no response, or if its status is 429 or 5xx.
async function get(address, headers, cache = "no-store") {
  try {
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(address, { headers, signal, cache });
    if (answer.status >= 500 || answer.status === 429) return null;
    if (!answer.url.endsWith("/healthz")) ended(answer.status === 401); // healthz needs no session
    return { answer, text: await answer.text() };
  } catch {
    return null;
  }
}

// swapAll swaps parts of the page, and returns false if one of them has to be swapped later.
const swapAll = (page, parts) => parts.map((id) => swap(page, id)).every(Boolean);

// updateParts fetches the current page again and replaces the named parts. It returns false if one of them has
// to be replaced later: the service is unavailable, the session has ended, or a form is being sent.
async function updateParts(...parts) {
  const page = await fetchPage();
  return page !== null && swapAll(page, parts);
}

// fetchPage fetches the current page. It returns null if the service is unavailable, or if the session
// has ended.
async function fetchPage() {
  const got = await get(byId("task")?.dataset.href ?? location.href.split("#")[0], {});
  return got && got.answer.status !== 401 ? parse(got.text) : null;
}

// --- a task ---

const unit = (n, name) =>
  new Intl.NumberFormat(lang, { style: "unit", unit: name, unitDisplay: "short" }).format(n);

const spoken = (seconds) => {
  if (seconds < 60) return unit(seconds, "second");
  if (seconds < 3600) return unit(Math.round(seconds / 60), "minute");
  return `${unit(Math.floor(seconds / 3600), "hour")} ${unit(Math.floor((seconds % 3600) / 60), "minute")}`;
};

const rate = (rows) => (rows >= 10 ? number.format(Math.round(rows)) : tenth.format(rows));

// fill writes the numbers of a task into its part of the page.
function fill(part, task) {
  const { counts, progress } = task;
  const ready = Number(part.dataset.ready ?? 0);
  const overtaken = Number(part.dataset.overtaken ?? 0); // rows of `ready` that do not run
  const settled = counts.skipped + ready - Number(part.dataset.settled ?? 0); // failed rows that are skipped or ready
  const numbers = {
    ...counts, ...progress, ready: ready - overtaken, overtaken,
    waiting: counts.enqueue - counts.retrying, failed: Math.max(counts.failed - counts.superseded - settled, 0),
  };
  for (const node of part.querySelectorAll("[data-count]")) {
    const value = numbers[node.dataset.count];
    if (value === undefined) continue;
    node.textContent = number.format(value);
    const item = node.closest("[data-item]");
    if (item && value > 0) item.hidden = false;
  }
  const texts = {
    done: number.format(progress.processed), total: number.format(counts.total),
    rate: rate(progress.rate_per_s ?? 0), left: spoken(progress.eta_s ?? 0),
  };
  for (const node of part.querySelectorAll("[data-fill]")) node.textContent = fillIn(node.dataset.fill, texts);
  const when = {
    reading: !counts.total_is_final, counting: counts.total_is_final,
    moving: progress.rate_per_s, ending: progress.eta_s, unending: !progress.eta_s,
  };
  for (const node of part.querySelectorAll("[data-when]")) node.hidden = !when[node.dataset.when];
  stretch(part.querySelector("[data-bar]"), numbers);
}

// stretch sets the widths of the segments of a bar. A segment with any rows is wide enough to be
// visible.
function stretch(bar, numbers) {
  if (!bar) return;
  let at = 0;
  for (const part of bar.querySelectorAll("[data-part]")) {
    const n = numbers[part.dataset.part];
    const width = n && numbers.total ? Math.max((100 * n) / numbers.total, 0.6) : 0;
    part.setAttribute("x", `${Math.min(at, 100 - width)}%`);
    part.setAttribute("width", `${width}%`);
    at += width;
  }
}

// announceQuarter announces the progress to screen readers at each quarter. It returns the percentage
// of the last quarter that is reached.
function announceQuarter(task, announced) {
  const quarter = Math.floor((task.progress.percent ?? 0) / 25) * 25;
  if (quarter > announced && !task.done) say(`${quarter}%`);
  return quarter;
}

// changing lists the parts of the page that depend on the status of the task.
const changing = ["task", "rows", "side"];

// why fetches the page again if its text about the state of the task may be out of date. This is so
// while no row runs, while the remaining time is unknown, and after rows run again. In the first
// two cases, ten seconds pass between two requests. Only two seconds pass if the page does not show
// yet that no row runs. why returns true if the status of the task has changed and it has replaced
// all parts.
let fetchedAt = 0;
async function why({ counts, done, progress }) {
  const still = !done && counts.working === 0 && counts.enqueue > 0;
  const live = byId("state")?.querySelector("[data-when]");
  const unclear = !done && counts.enqueue > 0 && !progress.eta_s;
  if (still || (unclear && live) ? Date.now() - fetchedAt < (still && live ? 2_000 : 10_000) : live) return false;
  fetchedAt = Date.now();
  const page = await fetchPage();
  const moved = (page?.getElementById("task") ?? byId("task")).dataset.status !== byId("task").dataset.status;
  const drawn = page !== null && swapAll(page, moved ? changing : ["state"]);
  return moved && drawn;
}

// show updates the page from the response of a poll. It returns false if the page had to be
// fetched again, and this has failed.
async function show(task) {
  const bad = task.counts.failed - task.counts.superseded + task.counts.error;
  if (await why(task)) return true;
  const part = byId("task");
  fill(part, task);
  if (part.dataset.status === task.status && (bad === 0 || part.dataset.bad !== "0")) return true;
  return updateParts(...changing);
}

// follow polls a task until the task is done or no longer found.
let following = false;
async function follow(address) {
  following = true;
  await poll(address);
  following = false;
}

// keepUp follows the task of the page if the task is not done and is not followed yet.
function keepUp() {
  const address = byId("task")?.dataset.poll;
  if (address && !following) follow(address);
}

async function poll(address) {
  let tag = "";
  let wait = 1;
  let faults = 0;
  let announced = 0;
  let task = null;
  for (;;) {
    await pause(wait);
    await seen();
    const got = await get(address, tag ? { "If-None-Match": tag } : {});
    lost(got === null);
    if (!got || got.answer.status === 401) {
      wait = backOff(++faults);
      continue;
    }
    faults = 0;
    wait = Number(got.answer.headers.get("Retry-After")) || 2;
    if (got.answer.status === 304) {
      if (byId("state")?.querySelector("[data-when]")) await why(task); // the page does not show yet that no row runs
      continue;
    }
    if (!got.answer.ok) return void updateParts("main");
    task = JSON.parse(got.text);
    announced = announceQuarter(task, announced);
    const shown = await show(task);
    if (shown && task.done) return say(document.querySelector("#task .status").textContent);
    tag = shown ? got.answer.headers.get("ETag") : "";
  }
}

// act sends a form without leaving the page, and then replaces the parts of the page. If the
// service is unavailable, it shows a message and keeps the page.
async function act(form, button) {
  button?.setAttribute("disabled", "");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "follow" });
    if (answer.status >= 500) throw new Error();
    if (!answer.url.endsWith("/healthz")) ended(answer.status === 401); // healthz needs no session
    lost(false);
    if (answer.status !== 401) {
      await updateParts("told", ...changing); // the act may change what the message offers
      keepUp();
    }
  } catch {
    lost(true);
  }
  button?.removeAttribute("disabled");
}

document.addEventListener("submit", (e) => {
  if (!e.target.matches("[data-in-place]")) return;
  e.preventDefault();
  act(e.target, e.submitter);
});

// The browser asks before the user leaves the form of a row with unsaved values.
let sent = null; // the form that is being sent
const rowForm = byId("row-form");
if (rowForm) {
  addEventListener("beforeunload", (e) => {
    const edited = [...rowForm.querySelectorAll("textarea")].some((field) => field.value !== field.defaultValue);
    if ((edited || "unsaved" in rowForm.dataset) && sent !== rowForm) e.preventDefault();
  });
}

// Before a POST form is sent, a request checks that the service is available. Otherwise, the error
// page of the browser would replace the page and the input.
document.addEventListener("submit", async (e) => {
  const form = e.target;
  if (e.defaultPrevented || form.method !== "post" || "sure" in form.dataset) return;
  e.preventDefault();
  if ("asking" in form.dataset) return;
  form.dataset.asking = "";
  const up = await get(new URL("../healthz", import.meta.url));
  delete form.dataset.asking;
  form.parentElement.querySelector(":scope > .away")?.remove();
  if (!up) return form.after(away());
  form.dataset.sure = "";
  sent = form;
  try {
    form.requestSubmit(e.submitter);
  } finally {
    delete form.dataset.sure;
  }
});

// away returns the message that nothing was sent. The message goes when the service is back.
function away() {
  const node = document.createElement("p");
  node.className = "msg bad away";
  node.setAttribute("role", "alert");
  node.append(ready("fault"), Object.assign(document.createElement("span"), { textContent: byId("main").dataset.away }));
  const step = async () => {
    if (node.isConnected && (await get(new URL("../healthz", import.meta.url)))) node.remove();
    if (node.isConnected) setTimeout(step, 3000);
  };
  setTimeout(step, 3000);
  return node;
}

// countDown shows the seconds until the corrected rows run. Then it fetches the page again to show
// the result.
function countDown(node) {
  for (const place of node.querySelectorAll("[data-until]")) {
    const step = async () => {
      if (!place.isConnected) return;
      const left = Math.ceil((Number(place.dataset.until) - Date.now()) / 1000);
      if (left > 0) {
        place.textContent = fillIn(place.dataset.fill, { n: number.format(left) });
        return void setTimeout(step, 1000);
      }
      await pause(2);
      await seen();
      if (!place.isConnected || place.closest("[data-shut]")) return;
      if (!(await updateParts("told", ...changing))) return void setTimeout(step, 2000);
      keepUp();
    };
    step();
  }
}

// afterUndoTime fetches the page again after the undo time, when corrected rows have begun to run.
// The countdown does not suffice: the page after an undo has none for the other corrections.
async function afterUndoTime() {
  await pause(12);
  await seen();
  for (let faults = 0; !following && !(await updateParts(...changing)); ) await pause(backOff(++faults));
  keepUp();
}

// The Back button shows the page as it was at the previous visit, so its parts are fetched again.
addEventListener("pageshow", async (e) => {
  sent = null;
  const back = e.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  if (back && byId("task") && (await updateParts("told", ...changing))) keepUp();
});

// weigh writes the number of rows with a new text on the button of a cause, and the number of rows that run
// then. Rows with a fault in another column do not run.
function weigh(node) {
  const cards = node.matches?.("[data-cause]") ? [node] : node.querySelectorAll("[data-cause]");
  for (const card of cards) {
    const button = card.querySelector("[data-run]");
    if (!button) continue;
    const filled = [...card.querySelectorAll("[data-rows]")].filter((field) => field.value.trim());
    const rows = filled.reduce((n, field) => n + Number(field.dataset.rows), 0);
    const stay = filled.reduce((n, field) => n + Number(field.dataset.stay ?? 0), 0);
    const words = button.dataset;
    let some = rows === 1 ? words.single : rows && words.some;
    if (stay > 0) some = (stay < rows && words.both) || (rows === 1 ? words.fixSingle : words.fix);
    button.textContent = some ? fillIn(some, { n: number.format(rows), m: number.format(rows - stay) }) : words.run;
    button.disabled = rows === 0;
  }
}

document.addEventListener("input", (e) => {
  const card = e.target.closest?.("[data-cause]");
  if (card && e.target.matches("[data-rows]")) weigh(card);
});

// A button with a known value writes this value into its field.
document.addEventListener("click", (e) => {
  const pick = e.target.closest?.("[data-pick]");
  if (!pick) return;
  e.preventDefault();
  const field = byId(pick.dataset.pick);
  field.value = pick.value.slice(pick.value.indexOf("=") + 1);
  for (const other of pick.parentElement.children) other.classList.toggle("pick", other === pick);
  field.focus();
});

// The Escape key and a click outside a menu close it.
document.addEventListener("keydown", (e) => {
  const menu = e.key === "Escape" && e.target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", (e) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(e.target)) menu.open = false;
  }
});

// --- lists: the table of imports and the files of exports ---

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const idsOf = (part) => [...part.querySelectorAll("tbody > tr")].map((tr) => tr.id);

// patch updates a part of the page. If the part has the same rows as before, it replaces only the
// rows that have changed. Otherwise it replaces the whole part. A part with the pointer or the
// focus keeps its rows in place. In this case patch returns false if the rows are different. It also
// returns false if a row or the part has to be replaced later.
function patch(before, after, id) {
  const old = before.getElementById(id);
  const part = after.getElementById(id);
  if (!part || (old && old.outerHTML === part.outerHTML)) return true;
  const ids = idsOf(part);
  const held = byId(id).matches(":hover, :focus-within");
  if (ids.length === 0 || (!held && !same(idsOf(byId(id)), ids))) return swap(after, id);
  const changed = ids.filter((row) => before.getElementById(row)?.outerHTML !== part.querySelector(`#${row}`).outerHTML);
  return swapAll(after, changed) && same(idsOf(byId(id)), ids);
}

// fresh shows whether the list is up to date.
function fresh(yes) {
  const note = byId("fresh");
  if (!note) return;
  if (byId("ended").hidden) note.textContent = yes ? note.dataset.fresh : note.dataset.stale;
  else note.textContent = "";
  note.classList.toggle("warn", !yes);
}

// watch fetches a list again and again. The interval is a few seconds while the list changes, and
// it doubles up to 25 seconds while the list stays the same. The browser sends the ETag of its
// copy, so an unchanged list is a response without a body.
async function watch(list) {
  const parts = list.dataset.watch.split(" ");
  const empty = parse("");
  let [page, shown, wait, faults] = [empty, "", 2, 0];
  fresh(true);
  for (;;) {
    await pause(wait);
    await seen();
    const at = location.href.split("#")[0];
    const got = await get(at, {}, "no-cache");
    if (at !== location.href.split("#")[0]) continue; // the user has typed another search
    fresh(got?.answer.ok ?? false);
    localTimes(list);
    if (!got?.answer.ok) {
      wait = backOff(++faults);
      continue;
    }
    faults = 0;
    wait = got.text === shown ? Math.min(wait * 2, rest) : shown ? 2 : 4;
    if (got.text === shown) continue;
    const next = parse(got.text);
    const whole = parts.map((id) => patch(page, next, id)).every(Boolean);
    page = whole ? next : empty;
    shown = whole ? got.text : "";
    fresh(true);
  }
}

// filterAtOnce sends the form when a filter is chosen. Fields without a value are left out of the
// address.
function filterAtOnce(form) {
  for (const select of form.querySelectorAll("select")) {
    select.addEventListener("change", () => form.requestSubmit());
  }
  form.addEventListener("submit", () => {
    for (const field of form.elements) field.disabled = field.name !== "" && field.value === "";
  });
  addEventListener("pageshow", () => {
    for (const field of form.elements) field.disabled = false;
  });
}

// searchAsTyped fetches the results while the user types. The page stays, and its address becomes
// that of the search.
function searchAsTyped(form) {
  let last = 0;
  form.querySelector("[type=search]").addEventListener("input", async () => {
    const mine = ++last;
    await pause(0.4);
    if (mine !== last) return;
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString();
    history.replaceState(null, "", new URL(form.action).pathname + (query && `?${query}`));
    const page = await fetchPage();
    if (page && mine === last) ["tabs", "views", "list", "pager"].forEach((id) => swap(page, id));
  });
}

// keepAddress makes the choice of another language return to the current address, with the text that was
// typed into a search but not sent.
function keepAddress(form) {
  const to = form.elements.to;
  const path = to.value.split("?")[0];
  form.addEventListener("submit", () => {
    if (!location.pathname.endsWith(path)) return; // the page leads elsewhere
    const query = new URLSearchParams(location.search);
    for (const search of document.querySelectorAll('form[method="get"]')) {
      if (new URL(search.action).pathname !== location.pathname) continue;
      for (const field of search.querySelectorAll("input[name]:not([type=hidden])")) {
        if (field.value === field.defaultValue) continue;
        query.set(field.name, field.value);
        query.delete("cursor");
      }
    }
    to.value = path + (query.size > 0 ? `?${query}` : "");
  });
}

// --- a new import: the file is sent in parts, and goes on where it stopped ---

// complain shows a problem above the form and moves the focus to it.
function complain(...nodes) {
  const place = byId("problem");
  place.replaceChildren(...nodes);
  place.focus();
}

const ready = (id) => byId(id).content.cloneNode(true);

// broken returns the message of a problem that the service has returned.
function broken(text) {
  const node = ready("broken");
  node.querySelector("[data-text]").textContent = text;
  return node;
}

const partBytes = 8 * 1024 * 1024;
// sized returns a size in kB or MB, with the same units as in the texts of the server.
function sized(n) {
  const ru = lang === "ru";
  if (n < 1024 * 1024) return `${number.format(Math.max(Math.round(n / 1024), n > 0 ? 1 : 0))} ${ru ? "КБ" : "kB"}`;
  return `${tenth.format(n / 1024 / 1024)} ${ru ? "МБ" : "MB"}`;
}

// ask sends a request of an upload and reports how many bytes of its body are sent. It returns the
// finished request; its status is 0 if there was no response.
function ask(method, to, { headers = {}, body = null, onsent = () => {}, onstart = () => {} } = {}) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open(method, to);
    request.setRequestHeader("Tus-Resumable", "1.0.0");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (e) => onsent(e.loaded);
    request.onloadend = () => {
      ended(request.status === 401);
      done(request);
    };
    onstart(request);
    request.send(body);
  });
}

const problemOf = (request) => {
  try {
    return JSON.parse(request.responseText).detail ?? request.statusText;
  } catch {
    return request.statusText;
  }
};

// Sending is the upload of one file.
class Sending {
  constructor(form, file) {
    this.form = form;
    this.file = file;
    this.key = `upload ${form.dataset.action} ${file.name} ${file.size} ${file.lastModified}`;
    this.begun = Date.now();
    this.words = byId("texts").dataset;
    this.box = byId("sending");
    this.box.querySelector("[data-name]").textContent = file.name;
    this.box.querySelector("[data-size]").textContent = sized(file.size);
    this.box.querySelector("[data-cancel]").onclick = () => this.cancel();
    this.box.hidden = false;
  }

  // shown shows the number of bytes that are sent, and the remaining time.
  shown(bytes) {
    const left = (this.file.size - bytes) / ((bytes - this.from) / (Date.now() - this.begun)) / 1000;
    this.box.querySelector("progress").value = (100 * bytes) / this.file.size;
    this.say(this.words.rest.replace("{sent}", sized(bytes)).replace("{size}", sized(this.file.size))
      .replace("{left}", Number.isFinite(left) ? spoken(Math.ceil(left)) : "…"));
  }

  say(text) {
    this.box.querySelector("[data-sent]").textContent = text;
  }

  cancel() {
    this.over = true;
    this.request?.abort();
    if (this.at) ask("DELETE", this.at);
    this.end();
  }

  end() {
    localStorage.removeItem(this.key);
    this.box.hidden = true;
    byId("file").value = "";
  }

  // open continues the interrupted upload of this file, or creates a new upload. It returns the
  // number of bytes that the service has, or null if the service is unavailable. It throws an Error
  // if the service rejects the upload.
  async open() {
    this.at = localStorage.getItem(this.key);
    if (this.at) {
      const old = await ask("HEAD", this.at);
      if (old.status === 200) return Number(old.getResponseHeader("Upload-Offset"));
      if (old.status === 0 || old.status >= 500) return null;
    }
    const name = btoa(String.fromCharCode(...new TextEncoder().encode(this.file.name)));
    const made = await ask("POST", this.form.dataset.action, {
      headers: { "Upload-Length": this.file.size, "Upload-Metadata": `filename ${name}` },
    });
    if (made.status === 0 || made.status >= 500) return null;
    if (made.status !== 201) throw new Error(problemOf(made));
    this.at = made.getResponseHeader("Location");
    localStorage.setItem(this.key, this.at);
    return 0;
  }

  // send uploads the remaining bytes. After a failed chunk, it asks the service for the offset and
  // continues there. It returns false if the user has canceled the upload. It throws an Error if
  // the service rejects the upload.
  async send() {
    let faults = 0;
    for (let offset = null; offset === null || offset < this.file.size; ) {
      if (this.over) return false;
      if (offset === null) {
        offset = await this.open();
        this.from ??= offset ?? undefined;
      } else {
        const answer = await ask("PATCH", this.at, {
          headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": offset },
          body: this.file.slice(offset, offset + partBytes),
          onsent: (sent) => this.shown(offset + sent),
          onstart: (request) => (this.request = request),
        });
        if (answer.status === 404) localStorage.removeItem(this.key);
        else if (answer.status >= 400 && answer.status < 500 && answer.status !== 409 && answer.status !== 408 && answer.status !== 429) {
          throw new Error(problemOf(answer));
        }
        offset = answer.status === 204 ? Number(answer.getResponseHeader("Upload-Offset")) : null;
      }
      faults = offset === null ? faults + 1 : 0;
      if (offset === null && !this.over) {
        this.say(this.words.waits);
        await pause(Math.min(backOff(faults), 5));
      }
    }
    return true;
  }
}

// upload uploads a file and then opens the next step of the import.
let sending = null;
async function upload(form, file) {
  if (sending) return;
  byId("problem").replaceChildren();
  if (file.size > Number(form.dataset.most)) return complain(ready("too-large"));
  sending = new Sending(form, file);
  try {
    if (!(await sending.send())) return;
    sending.say(sending.words.reads);
    const id = sending.at.split("/").pop();
    localStorage.removeItem(sending.key);
    const fields = { upload: id, kind: byId("kind").value, name: byId("name").value };
    const step = Object.assign(document.createElement("form"), { method: "post", action: form.getAttribute("action"), hidden: true });
    for (const [name, value] of Object.entries(fields)) {
      step.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(step);
    step.submit();
  } catch (e) {
    sending.end();
    if (byId("ended").hidden) complain(broken(e.message));
  } finally {
    sending = null;
  }
}

// acceptDrops passes a file that is dropped on an element to a function.
function acceptDrops(place, take) {
  const over = (on) => (e) => {
    e.preventDefault();
    place.classList.toggle("over", on);
  };
  place.addEventListener("dragover", over(true));
  place.addEventListener("dragleave", over(false));
  place.addEventListener("drop", (e) => {
    over(false)(e);
    if (e.dataTransfer.files.length > 0) take(e.dataTransfer.files[0]);
  });
}

// showColumns shows the columns of the chosen kind.
function showColumns(select) {
  for (const part of document.querySelectorAll("[data-kind]")) {
    part.hidden = part.dataset.kind !== select.value;
  }
}

// pasted returns the table on the clipboard as a file, or null if the text has no tab and no line
// break.
function pasted(e) {
  const text = e.clipboardData?.getData("text/plain") ?? "";
  return text.includes("\n") || text.includes("\t") ? new File([text], "pasted.tsv", { type: "text/tab-separated-values" }) : null;
}

function prepare(form) {
  const input = byId("file");
  const select = byId("kind");
  acceptDrops(byId("drop"), (file) => upload(form, file));
  select.addEventListener("change", () => showColumns(select));
  showColumns(select);
  input.addEventListener("change", () => input.files[0] && upload(form, input.files[0]));
  addEventListener("paste", (e) => {
    if (e.target.matches("input, textarea")) return;
    const file = e.clipboardData?.files[0] ?? pasted(e);
    if (file) upload(form, file);
  });
  addEventListener("pageshow", () => (input.value = ""));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (input.files[0]) upload(form, input.files[0]);
  });
}

// --- the columns of an import: each choice updates the page ---

// gate disables the next step while a required column is not matched. Without a script, the next page
// names this column.
function gate() {
  const next = document.querySelector("#onward button");
  if (next) next.disabled = "lacks" in next.dataset;
}

function liveForm(form) {
  gate();
  if (location.hash) byId(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
  const show = async () => {
    const body = new URLSearchParams(new FormData(form));
    body.set("act", "look");
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
      if (!answer.url.endsWith("/healthz")) ended(answer.status === 401); // healthz needs no session
      const page = parse(await answer.text());
      for (const id of ["problem", "missing", "reading", "matches", "onward", "filebar"]) swap(page, id, typed); // the answer has what was chosen
      gate();
    } catch {
      byId("state").textContent = form.dataset.lost;
    }
  };
  form.addEventListener("change", (e) => {
    if (e.target.matches("select, #header_row")) show();
  });
}

// --- live pages: the parts with data-live are fetched again every few seconds ---

async function stayLive(seconds) {
  let faults = 0;
  for (;;) {
    await pause(faults ? backOff(faults) : seconds);
    await seen();
    const parts = [...document.querySelectorAll("[data-live]")].map((part) => part.id);
    if (parts.length === 0) return;
    const page = await fetchPage();
    parts.forEach((id) => page && swap(page, id));
    faults = page ? 0 : faults + 1;
    lost(faults > 0);
    document.dispatchEvent(new Event("looked"));
  }
}

document.documentElement.classList.add("scripted");
setTimeout(() => localTimes(document)); // in a separate task, because the formatter takes long to create
countDown(document);
weigh(document);
setInterval(() => {
  for (const time of document.querySelectorAll("time[data-ago]:not([data-due] *)")) time.textContent = ago(new Date(time.dateTime));
}, 20_000);
if (byId("upload")) prepare(byId("upload"));
const live = document.querySelector("[data-live-form]");
if (live) liveForm(live);
const watched = document.querySelector("[data-watch]");
if (watched) watch(watched);
if (byId("filters")) {
  filterAtOnce(byId("filters"));
  searchAsTyped(byId("filters"));
}
keepAddress(byId("look"));
if (byId("task")?.dataset.href) history.replaceState(null, "", byId("task").dataset.href);
keepUp();
if (!following && Number(byId("task")?.dataset.ready) > 0) afterUndoTime();
if (document.querySelector("[data-live]")) stayLive(3);
