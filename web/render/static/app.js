// app.js: makes the pages live. Every page works without it.
//
// A task's page polls the API as the API asks for; the list looks again while
// one of its tasks moves. Words stay in the pages: this file fills in numbers,
// and fetches the page again when the words must change.

const lang = document.documentElement.lang;
const number = new Intl.NumberFormat(lang);
const tenth = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const local = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: "short" });
const day = new Intl.DateTimeFormat(lang, { dateStyle: "medium" });
const longest = 30; // seconds between two tries while the service is away

const byId = (id) => document.getElementById(id);
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// backOff is how many seconds to wait after so many faults in a row.
const backOff = (faults) => Math.min(2 ** faults, longest) * (0.8 + Math.random() * 0.4);

// seen waits until the page is looked at.
async function seen() {
  while (document.hidden) {
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  }
}

// say tells something to those who do not see the page.
function say(text) {
  byId("say").textContent = text;
}

// ago tells how long ago a time was; the day, if that was more than a week.
function ago(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (seconds < 60) return relative.format(-Math.floor(seconds), "second");
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return relative.format(-Math.floor(seconds / 3600), "hour");
  if (seconds < 7 * 86400) return relative.format(-Math.floor(seconds / 86400), "day");
  return day.format(at);
}

// localTimes shows the times below a node in the viewer's zone.
function localTimes(node) {
  for (const time of node.querySelectorAll("time[datetime]")) {
    time.title = time.title || time.textContent;
    const at = new Date(time.dateTime);
    if ("ago" in time.dataset) {
      time.title = exact.format(at);
      time.textContent = ago(at);
    } else {
      time.textContent = local.format(at);
    }
  }
}

// swap puts a part of a page in the place of the one shown, and keeps the
// focus, and what was unfolded, as they were.
function swap(page, id) {
  const old = byId(id);
  const part = page.getElementById(id);
  if (!old || !part) return false;
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const mark = active && (active.id || active.getAttribute("href"));
  for (const fold of old.querySelectorAll("details[open][id]")) {
    part.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
  }
  old.replaceWith(document.adoptNode(part));
  localTimes(part);
  if (mark) {
    const same = CSS.escape(mark);
    part.querySelector(`#${same}, [href="${same}"]`)?.focus({ preventScroll: true });
  }
  return true;
}

const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// get fetches an address; null if the service is away.
async function get(address, headers, cache = "no-store") {
  try {
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(address, { headers, signal, cache });
    if (answer.status >= 500 || answer.status === 429) return null;
    return { answer, text: await answer.text() };
  } catch {
    return null;
  }
}

// look fetches the page that is shown and puts in the parts named; false if
// the service is away.
async function look(...parts) {
  const got = await get(location.href.split("#")[0], {});
  if (!got) return false;
  const page = parse(got.text);
  parts.forEach((id) => swap(page, id));
  return true;
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

// fill writes a task's numbers into its part of the page.
function fill(part, task) {
  const { counts, progress } = task;
  const numbers = {
    ...counts, ...progress,
    waiting: counts.enqueue - counts.retrying, failed: counts.failed - counts.superseded,
  };
  const text = (selector, value) => {
    for (const node of part.querySelectorAll(selector)) node.textContent = value;
  };
  for (const node of part.querySelectorAll("[data-count]")) {
    const value = numbers[node.dataset.count];
    node.textContent = number.format(value);
    node.classList.toggle("zero", value === 0);
  }
  text("[data-percent]", progress.percent ?? 0);
  text("[data-rate]", rate(progress.rate_per_s ?? 0));
  text("[data-eta]", spoken(progress.eta_s ?? 0));
  const when = {
    reading: !counts.total_is_final, counting: counts.total_is_final,
    moving: progress.rate_per_s, ending: progress.eta_s,
  };
  for (const node of part.querySelectorAll("[data-when]")) node.hidden = !when[node.dataset.when];
  const bar = part.querySelector("[data-bar]");
  if (bar && progress.percent !== null) bar.value = progress.percent;
}

// tell says aloud every quarter of the way, and no more.
function tell(task, told) {
  const quarter = Math.floor((task.progress.percent ?? 0) / 25) * 25;
  if (quarter > told && !task.done) say(`${quarter}%`);
  return quarter;
}

// why looks every ten seconds, while no row of a task runs, for the reason.
let looked = 0;
async function why({ counts, done }) {
  const still = !done && counts.working === 0 && counts.enqueue > 0;
  const shown = byId("why")?.childElementCount > 0;
  if (!still && !shown) return;
  if (still && Date.now() - looked < 10_000) return;
  looked = Date.now();
  await look("why");
}

// show brings the page up to date with what a poll told; false if that needs
// another try.
async function show(task) {
  const part = byId("task");
  const bad = task.counts.failed - task.counts.superseded + task.counts.error;
  fill(part, task);
  await why(task);
  if (part.dataset.status === task.status && (bad === 0 || part.dataset.bad !== "0")) return true;
  if (!(await look("task", "rows", "trail"))) return false;
  if (task.done) say(document.querySelector("#task .status").textContent);
  return true;
}

// follow polls a task until it is done.
async function follow(address) {
  let tag = "";
  let wait = 1;
  let faults = 0;
  let told = 0;
  for (;;) {
    await pause(wait);
    await seen();
    const got = await get(address, tag ? { "If-None-Match": tag } : {});
    byId("lost").hidden = got !== null;
    if (!got) {
      wait = backOff(++faults);
      continue;
    }
    faults = 0;
    wait = Number(got.answer.headers.get("Retry-After")) || 2;
    if (got.answer.status === 304) continue;
    if (!got.answer.ok) return void look("main");
    const task = JSON.parse(got.text);
    told = tell(task, told);
    const shown = await show(task);
    if (shown && task.done) return;
    tag = shown ? got.answer.headers.get("ETag") : "";
  }
}

// --- lists: the table of imports and the files of exports ---

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const idsOf = (part) => [...part.querySelectorAll("tbody > tr")].map((tr) => tr.id);

// patch brings a part up to date: row by row while its rows are the same, else as a whole. A table
// under the pointer or with the focus keeps its rows in place; false then.
function patch(before, after, id) {
  const old = before.getElementById(id);
  const part = after.getElementById(id);
  if (!part || (old && old.outerHTML === part.outerHTML)) return true;
  const ids = idsOf(part);
  const held = byId(id).matches(":hover, :focus-within");
  if (ids.length === 0 || (!held && !same(idsOf(byId(id)), ids))) return swap(after, id);
  for (const row of ids) {
    if (before.getElementById(row)?.outerHTML !== part.querySelector(`#${row}`).outerHTML) swap(after, row);
  }
  return same(idsOf(byId(id)), ids);
}

// fresh says whether the list is up to date.
function fresh(yes) {
  const note = byId("fresh");
  if (!note) return;
  note.textContent = yes ? note.dataset.fresh : note.dataset.stale;
  note.classList.toggle("warn", !yes);
}

// watch asks for a list again: every two seconds while it changes, then more and more rarely. The
// browser asks with the tag of what it has, so a list without changes costs the head of a response.
async function watch(list) {
  const parts = list.dataset.watch.split(" ");
  const empty = parse("");
  let [page, shown, wait, faults] = [empty, "", 2, 0];
  fresh(true);
  for (;;) {
    await pause(wait);
    await seen();
    const got = await get(location.href.split("#")[0], {}, "no-cache");
    fresh(got?.answer.ok ?? false);
    localTimes(list);
    if (!got?.answer.ok) {
      wait = backOff(++faults);
      continue;
    }
    faults = 0;
    wait = got.text === shown ? Math.min(wait * 1.7, longest) : 2;
    if (got.text === shown) continue;
    const next = parse(got.text);
    const whole = parts.map((id) => patch(page, next, id)).every(Boolean);
    page = whole ? next : empty;
    shown = whole ? got.text : "";
    fresh(true);
  }
}

// filterAtOnce applies a filter when it is chosen.
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

// --- the form ---

// complain shows a problem above the form.
function complain(...nodes) {
  const place = byId("problem");
  place.replaceChildren(...nodes);
  place.focus();
}

const ready = (id) => byId(id).content.cloneNode(true);

// sending shows the bar of an upload, or takes it away.
function sending(form, on) {
  byId("sending").hidden = !on;
  for (const button of form.querySelectorAll("button")) button.disabled = on;
}

// upload sends the form, showing how much has gone; then it goes where the
// browser would have gone.
function upload(form, to) {
  const request = new XMLHttpRequest();
  const fail = () => {
    sending(form, false);
    complain(ready("broken"));
  };
  request.upload.onprogress = (e) => {
    const percent = Math.floor((100 * e.loaded) / e.total);
    byId("sending").querySelector("progress").value = percent;
    byId("sending").querySelector("[data-sent]").textContent = `${percent}%`;
  };
  request.onerror = fail;
  request.onload = () => {
    if (request.responseURL !== new URL(to, location).href) return location.assign(request.responseURL);
    const problem = parse(request.responseText).getElementById("problem");
    if (!problem) return fail();
    sending(form, false);
    complain(...problem.childNodes);
  };
  request.open("POST", to);
  request.setRequestHeader("Accept", "text/html");
  request.send(new FormData(form));
  sending(form, true);
}

// acceptDrops lets a file be dropped anywhere on the place for it.
function acceptDrops(place, input) {
  const over = (on) => (e) => {
    e.preventDefault();
    place.classList.toggle("over", on);
  };
  place.addEventListener("dragover", over(true));
  place.addEventListener("dragleave", over(false));
  place.addEventListener("drop", (e) => {
    over(false)(e);
    if (e.dataTransfer.files.length > 0) input.files = e.dataTransfer.files;
  });
}

// showColumns shows the columns of the kind that is chosen.
function showColumns(select) {
  for (const part of document.querySelectorAll("[data-kind]")) {
    part.hidden = part.dataset.kind !== select.value;
  }
}

function prepare(form) {
  const input = byId("file");
  const select = byId("kind");
  acceptDrops(byId("drop"), input);
  select.addEventListener("change", () => showColumns(select));
  showColumns(select);
  addEventListener("pageshow", () => sending(form, false));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (input.files[0]?.size > Number(form.dataset.most)) complain(ready("too-large"));
    else upload(form, e.submitter?.getAttribute("formaction") ?? form.getAttribute("action"));
  });
}

// --- pages that stay live: their parts with data-live are looked at again ---

async function stayLive(seconds) {
  let faults = 0;
  for (;;) {
    await pause(faults ? backOff(faults) : seconds);
    await seen();
    const parts = [...document.querySelectorAll("[data-live]")].map((part) => part.id);
    if (parts.length === 0) return;
    faults = (await look(...parts)) ? 0 : faults + 1;
    byId("lost").hidden = faults === 0;
    document.dispatchEvent(new Event("looked"));
  }
}

document.documentElement.classList.add("scripted");
localTimes(document);
if (byId("upload")) prepare(byId("upload"));
const watched = document.querySelector("[data-watch]");
if (watched) watch(watched);
if (byId("filters")) filterAtOnce(byId("filters"));
if (byId("task")?.dataset.poll) follow(byId("task").dataset.poll);
if (document.querySelector("[data-live]")) stayLive(3);
