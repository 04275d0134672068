// task-progress.js defines the element <task-progress>, which shows the progress of a task. It is
// one file without dependencies. docs/use/progress.md describes its use.
//
// The element causes little load on the service. Elements with the same task and settings share one
// connection. A hidden page sends no requests. The interval grows while the service is busy or
// unavailable. A task that is done is requested again only after a call of refresh. Texts of the
// service are inserted as text, never as markup.

const patience = 15_000; // ms until a request is given up
const silence = 40_000; // ms without an event or heartbeat until a stream is given up
const longest = 60_000; // most ms between two attempts, unless the service asks for more
const streamsAtOnce = 2; // per page, in the mode auto: a browser opens at most six connections to an HTTP/1.1 server
const errorsShown = 5;
const home = new URL("..", import.meta.url); // the address of the service that serves this file

// --- words ---

const words = {
  en: {
    open: "Waiting for rows", splitting: "Reading the file", running: "Working", paused: "Paused",
    canceling: "Stopping", finished: "Finished", canceled: "Stopped",
    correct: "Finished, some rows need correction",
    fault: "Finished, some rows have system errors",
    failed: "No row could be processed", held: "Waiting: correct the invalid rows first",
    done: "Done", toCorrect: "To correct", faults: "System errors", retrying: "Being retried",
    left: "Canceled", perSecond: "per second", remaining: "Remaining: about", row: "Row",
    review: "Show rows", loading: "Loading", away: "No connection. Trying again…",
    busy: "The service is busy. Trying again…", gone: "This task no longer exists.",
    denied: "You have no access to this task. Sign in again.", broken: "The progress is not available.",
  },
  ru: {
    open: "Ожидает строк", splitting: "Чтение файла", running: "Выполняется", paused: "Приостановлено",
    canceling: "Останавливается", finished: "Готово", canceled: "Остановлено",
    correct: "Готово, некоторые строки нужно исправить",
    fault: "Готово, в некоторых строках системные ошибки",
    failed: "Ни одну строку не удалось обработать", held: "Ожидание: сначала исправьте строки с ошибками",
    done: "Обработано", toCorrect: "Нужно исправить", faults: "Системные ошибки", retrying: "Ожидают повтора",
    left: "Отменено", perSecond: "в секунду", remaining: "Осталось около", row: "Строка",
    review: "Посмотреть строки", loading: "Загрузка", away: "Нет связи. Пробуем снова…",
    busy: "Сервис занят. Пробуем снова…", gone: "Этой задачи больше нет.",
    denied: "Эта задача вам недоступна. Войдите снова.", broken: "Не удаётся показать ход выполнения.",
  },
  zh: {
    open: "等待数据行", splitting: "正在读取文件", running: "正在处理", paused: "已暂停",
    canceling: "正在停止", finished: "已完成", canceled: "已停止",
    correct: "已完成，部分行需要更正",
    fault: "已完成，部分行出现系统错误",
    failed: "没有一行处理成功", held: "等待中：请先更正无效的行",
    done: "已处理", toCorrect: "待更正", faults: "系统错误", retrying: "正在重试",
    left: "已取消", perSecond: "行/秒", remaining: "预计剩余", row: "行",
    review: "查看行", loading: "正在加载", away: "连接中断，正在重试…",
    busy: "服务繁忙，正在重试…", gone: "该任务已不存在。",
    denied: "您无权查看该任务，请重新登录。", broken: "无法显示进度。",
  },
  vi: {
    open: "Đang chờ dữ liệu", splitting: "Đang đọc tệp", running: "Đang xử lý", paused: "Đã tạm dừng",
    canceling: "Đang dừng", finished: "Hoàn tất", canceled: "Đã dừng",
    correct: "Hoàn tất, một số dòng cần sửa",
    fault: "Hoàn tất, một số dòng gặp lỗi hệ thống",
    failed: "Không xử lý được dòng nào", held: "Đang chờ: trước hết hãy sửa các dòng có lỗi",
    done: "Đã xong", toCorrect: "Cần sửa", faults: "Lỗi hệ thống", retrying: "Đang thử lại",
    left: "Đã hủy", perSecond: "mỗi giây", remaining: "Còn khoảng", row: "Dòng",
    review: "Xem các dòng", loading: "Đang tải", away: "Mất kết nối. Đang thử lại…",
    busy: "Dịch vụ đang bận. Đang thử lại…", gone: "Tác vụ này không còn nữa.",
    denied: "Bạn không được xem tác vụ này. Hãy đăng nhập lại.", broken: "Không thể hiển thị tiến độ.",
  },
};

// state returns the key of the text for the state of a task.
function state({ status, counts, problem }) {
  if (status === "paused" && problem?.code === "ROWS_INVALID") return "held";
  if (status === "finished_with_failures") return counts.failed > counts.superseded ? "correct" : "fault";
  return status;
}

// tones maps these keys to a class of the style sheet. All other keys have the class run.
const tones = {
  finished: "good", correct: "warn", fault: "warn", failed: "bad", paused: "hold", held: "warn",
  canceling: "hold", canceled: "hold",
};

// spoken returns a duration in words, rounded to one unit.
function spoken(seconds, lang) {
  const [n, unit] = seconds < 60 ? [seconds, "second"]
    : seconds < 3600 ? [Math.round(seconds / 60), "minute"] : [Math.round(seconds / 3600), "hour"];
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" }).format(n);
}

// --- the connection to the service ---

// Refused is an error response that a retry will not change.
class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `status ${status}`);
    this.status = status;
    this.code = problem.code ?? "";
  }
}

// Later is an error that a retry may resolve. after is the wait in ms that the service asks for, or
// 0 if it asks for none. The message of the error is the key of its text.
class Later extends Error {
  constructor(why, after) {
    super(why); // "busy", "away" or "broken"
    this.after = after;
  }
}

const visible = () => document.visibilityState !== "hidden";

// change waits for one of the events, for the end of the time, or until the signal is aborted.
function change(signal, ms, ...events) {
  return new Promise((resolve) => {
    const end = new AbortController();
    const stop = () => {
      clearTimeout(timer);
      end.abort();
      resolve();
    };
    const timer = ms === Infinity ? 0 : setTimeout(stop, ms);
    const once = { once: true, signal: end.signal };
    signal.addEventListener("abort", stop, once);
    for (const name of events) {
      (name === "visibilitychange" ? document : window).addEventListener(name, stop, once);
    }
    if (signal.aborted) stop();
  });
}

// backOff returns the ms to wait after this number of consecutive failures. The wait is partly
// random, so that not all pages retry at the same time.
const backOff = (faults) => Math.min(1000 * 2 ** faults, longest) * (0.5 + Math.random() / 2);

// retryAfter returns the Retry-After header of a response in ms, or 0 if it has none.
const retryAfter = (answer) => 1000 * (Number(answer.headers.get("Retry-After")) || 0);

// records splits the text of a stream into its events.
async function* records(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const whole = text.split(/\r?\n\r?\n/);
    text = whole.pop();
    for (const one of whole) {
      const record = { data: "" };
      for (const line of one.split(/\r?\n/)) {
        const [, name, rest] = /^([^:]*):? ?(.*)$/.exec(line);
        if (name === "data") record.data += rest;
        else if (name) record[name] = rest;
      }
      yield record;
    }
  }
}

let streaming = 0; // the open streams of this page

// Feed follows one task for all elements with the same task and settings.
class Feed {
  task = null;
  lost = null; // the last error, until a request succeeds
  refused = null;
  #listeners = new Set();
  #stop = null;
  #tag = "";
  #mute = false; // a stream has timed out: in the mode auto, poll instead

  constructor({ url, lang, mode, credential }) {
    Object.assign(this, { url, lang, mode, credential });
  }

  join(listener) {
    this.#listeners.add(listener);
    if (!this.#stop) this.restart();
    else if (this.task || this.refused) listener(this);
  }

  // leave removes a listener. After the last one, it stops the feed and returns true.
  leave(listener) {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return false;
    this.#stop.abort();
    return true;
  }

  restart() {
    this.#stop?.abort();
    this.#stop = new AbortController();
    this.refused = null;
    this.#follow(this.#stop.signal);
  }

  #update(news) {
    Object.assign(this, news);
    for (const listener of [...this.#listeners]) listener(this);
  }

  #got(task) {
    this.#update({ task, lost: null });
    return task.done;
  }

  // #follow sends requests until the task is done, the service refuses it, or the last listener has
  // left.
  async #follow(signal) {
    for (let faults = 0; !signal.aborted;) {
      while (!visible() && !signal.aborted) await change(signal, Infinity, "visibilitychange");
      try {
        const pause = await this.#round(signal);
        if (pause === null) return;
        if (this.lost && pause > 0) this.#update({ lost: null });
        faults = 0;
        await change(signal, pause);
      } catch (fault) {
        if (signal.aborted) return;
        if (fault instanceof Refused) return this.#update({ refused: fault, lost: null });
        if (!visible()) continue;
        const lost = fault instanceof Later ? fault : new Later("away", 0);
        this.#update({ lost });
        const wake = lost.message === "away" ? ["online"] : []; // a lost connection is retried when the browser is online again
        await change(signal, Math.max(lost.after, backOff(++faults)), ...wake);
      }
    }
  }

  // #round polls once, or reads a stream until the stream ends or the page is hidden. It returns
  // the ms to wait before the next round, or null if the task is done.
  async #round(signal) {
    const own = new AbortController();
    const end = () => own.abort();
    const hide = () => visible() || end();
    signal.addEventListener("abort", end);
    document.addEventListener("visibilitychange", hide);
    const free = this.mode === "auto" && !this.#mute && streaming < streamsAtOnce;
    const stream = this.mode === "sse" || free;
    try {
      return await (stream ? this.#listen(own) : this.#poll(own));
    } finally {
      end();
      signal.removeEventListener("abort", end);
      document.removeEventListener("visibilitychange", hide);
    }
  }

  async #poll(own) {
    const timer = setTimeout(() => own.abort(), patience);
    try {
      const answer = await this.#ask("", own, this.#tag ? { "If-None-Match": this.#tag } : {});
      if (answer.status === 304) {
        if (this.task.done) return null;
      } else {
        const task = await answer.json();
        this.#tag = answer.headers.get("ETag") ?? "";
        if (this.#got(task)) return null;
      }
      return retryAfter(answer) || 2000;
    } finally {
      clearTimeout(timer);
    }
  }

  async #listen(own) {
    let retry = 2000;
    let late = false;
    const giveUp = () => {
      late = true;
      own.abort();
    };
    let timer = setTimeout(giveUp, patience);
    streaming++;
    try {
      const known = this.task ? { "Last-Event-ID": String(this.task.version) } : {};
      const answer = await this.#ask("/stream", own, known);
      if (answer.status === 204) return null; // the task is done, and its last version is known
      for await (const record of records(answer.body)) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, silence);
        if (record.retry) retry = Number(record.retry) || retry;
        if (record.data && this.#got(JSON.parse(record.data))) return null;
        if (this.lost) this.#update({ lost: null });
      }
      return retry * (0.5 + Math.random());
    } catch (fault) {
      this.#mute ||= late; // a proxy that buffers streams still passes polls
      throw fault;
    } finally {
      streaming--;
      clearTimeout(timer);
    }
  }

  // #ask sends one request. The credential is sent in a header, never in the address.
  async #ask(path, own, headers) {
    const secret = typeof this.credential === "function" ? await this.credential() : this.credential;
    if (secret) headers.Authorization = `Bearer ${secret}`;
    const answer = await fetch(this.url + path, {
      headers: { ...headers, "Accept-Language": this.lang },
      signal: own.signal, cache: "no-store", redirect: "error",
    });
    if (answer.ok || answer.status === 304) return answer;
    const problem = await answer.json().catch(() => ({}));
    const { status } = answer;
    if (status >= 500 || status === 429 || status === 408) throw new Later("busy", retryAfter(answer));
    if (problem?.code || status === 401 || status === 403) throw new Refused(status, problem ?? {});
    throw new Later("broken", 0); // the response is of a proxy, not of the service
  }
}

const feeds = new Set();

// feedOf returns the feed with these settings. It creates the feed if there is none.
function feedOf(want) {
  for (const feed of feeds) {
    if (Object.keys(want).every((name) => feed[name] === want[name])) return feed;
  }
  const feed = new Feed(want);
  feeds.add(feed);
  return feed;
}

// --- the element ---

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host {
    --track: var(--task-progress-track, light-dark(#e4e7eb, #333a44));
    --text: var(--task-progress-text, light-dark(#1c2430, #e8ebef));
    --quiet: var(--task-progress-quiet, light-dark(#5b6675, #a3adba));
    --run: var(--task-progress-run, light-dark(#1f6feb, #5a9bff));
    --good: var(--task-progress-good, light-dark(#1a7f37, #4cc26a));
    --warn: var(--task-progress-warn, light-dark(#9a6700, #e0b04a));
    --bad: var(--task-progress-bad, light-dark(#b42318, #ff7b72));
    display: block; font: inherit; color: var(--text); line-height: 1.4;
  }
  :host([hidden]) { display: none; }
  div, p, ul { margin: 0; padding: 0; }
  .head { display: flex; justify-content: space-between; gap: 1em; }
  .track {
    height: var(--task-progress-height, .6em); margin: .35em 0; overflow: hidden;
    border-radius: var(--task-progress-radius, 1em); background: var(--track);
  }
  .bar { height: 100%; background: var(--run); transition: width .3s; }
  .good .bar { background: var(--good); } .warn .bar { background: var(--warn); }
  .bad .bar { background: var(--bad); } .hold .bar { background: var(--quiet); }
  .unknown .bar { width: 30% !important; animation: to-and-fro 1.6s ease-in-out infinite alternate; }
  @keyframes to-and-fro { to { margin-left: 70%; } }
  @media (prefers-reduced-motion: reduce) { .bar { transition: none; animation: none !important; } }
  .numbers, .note, .errors { font-size: .9em; color: var(--quiet); }
  .numbers span:not(:last-child)::after { content: " · "; }
  .note { color: var(--warn); }
  .errors { list-style: none; }
  .errors li { margin: .25em 0; overflow-wrap: anywhere; }
  .code { font-family: ui-monospace, monospace; font-size: .9em; }
  .hint { display: block; }
  a { color: var(--run); }
  [hidden] { display: none !important; }
`);

// part creates an element that pages can style with ::part(name).
function part(tag, name, ...children) {
  const node = document.createElement(tag);
  node.className = name;
  node.setAttribute("part", name);
  node.append(...children);
  return node;
}

class TaskProgress extends HTMLElement {
  static observedAttributes = ["src", "task-id", "base", "lang", "mode"];

  #feed = null;
  #credential = null;
  #told = ""; // the version of the last dispatched events
  #waiting = false;
  #show = (feed) => this.#render(feed);
  #nodes = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    const n = this.#nodes;
    n.status = part("span", "status");
    n.status.setAttribute("role", "status");
    n.percent = part("span", "percent");
    n.bar = part("div", "bar");
    n.track = part("div", "track", n.bar);
    n.track.setAttribute("role", "progressbar");
    n.track.setAttribute("aria-valuemin", "0");
    n.track.setAttribute("aria-valuemax", "100");
    n.numbers = part("p", "numbers");
    n.note = part("p", "note");
    n.note.setAttribute("role", "status");
    n.errors = part("ul", "errors");
    n.link = part("a", "link");
    const head = part("div", "head", n.status, n.percent);
    n.all = part("div", "base", head, n.track, n.numbers, n.note, n.errors, n.link);
    root.append(n.all);
  }

  // credential is an API key, or a function that returns an API key or a promise of one. The
  // function is called before each request. Without a credential, the browser session is used.
  get credential() { return this.#credential; }
  set credential(value) {
    this.#credential = value;
    this.#begin();
  }

  // task is the last received version of the task, or null before the first.
  get task() { return this.#feed?.task ?? null; }

  // refresh fetches the task again, also after it was done. After rows are resubmitted, a task is no longer done.
  refresh() { this.#feed?.restart(); }

  connectedCallback() { this.#begin(); }
  attributeChangedCallback() { this.#begin(); }
  disconnectedCallback() { this.#leave(); }

  // #begin starts following the task of the attributes. It first waits for the end of the running script, because
  // the script may set several attributes.
  async #begin() {
    if (this.#waiting) return;
    this.#waiting = true;
    await null;
    this.#waiting = false;
    this.#leave();
    const url = this.isConnected && this.#url();
    if (!url) return;
    const asked = this.getAttribute("mode");
    const mode = ["sse", "poll"].includes(asked) ? asked : "auto";
    this.#feed = feedOf({ url, mode, lang: this.#lang(), credential: this.#credential });
    this.#render(this.#feed);
    this.#feed.join(this.#show);
  }

  #leave() {
    if (this.#feed?.leave(this.#show)) feeds.delete(this.#feed);
    this.#feed = null;
    this.#told = "";
  }

  #base() {
    const base = new URL(this.getAttribute("base") ?? home, document.baseURI);
    return base.href.replace(/[?#].*$/, "").replace(/\/*$/, "/");
  }

  // #url returns the address of the task. It returns "" if neither task-id nor src is set, or if
  // the address is not HTTP.
  #url() {
    const id = this.getAttribute("task-id");
    const src = this.getAttribute("src");
    if (!id && !src) return "";
    const own = `${this.#base()}api/v1/tasks/${encodeURIComponent(id)}`;
    const url = new URL(src ?? own, document.baseURI);
    return /^https?:$/.test(url.protocol) ? url.origin + url.pathname : "";
  }

  #lang() {
    const asked = this.closest("[lang]")?.lang || navigator.language || "en";
    const lang = asked.toLowerCase().split("-")[0];
    return words[lang] ? lang : "en";
  }

  #render(feed) {
    const n = this.#nodes;
    const say = words[feed.lang];
    const { task, refused, lost } = feed;
    n.all.lang = feed.lang;
    n.note.textContent = refused ? this.#excuse(refused, say) : lost ? say[lost.message] : "";
    n.note.hidden = !n.note.textContent;
    n.link.hidden = !task;
    if (task) this.#fill(task, say, feed.lang);
    else this.#blank(say, refused);
    this.#announce(feed);
  }

  #excuse({ status }, say) {
    return { 401: say.denied, 403: say.denied, 404: say.gone, 410: say.gone }[status] ?? say.broken;
  }

  #blank(say, refused) {
    const n = this.#nodes;
    n.all.className = refused ? "hold" : "unknown";
    n.bar.style.width = "0";
    n.status.textContent = refused ? "" : say.loading;
    n.percent.textContent = "";
    n.numbers.replaceChildren();
    n.errors.replaceChildren();
    n.track.removeAttribute("aria-valuenow");
    n.track.setAttribute("aria-valuetext", n.note.textContent || say.loading);
    n.track.setAttribute("aria-label", say.loading);
  }

  #fill(task, say, lang) {
    const n = this.#nodes;
    const where = state(task);
    const percent = task.progress.percent;
    const text = say[where] ?? task.status;
    const percents = new Intl.NumberFormat(lang, { style: "percent" });
    const shown = percent === null ? "" : percents.format(percent / 100);
    n.all.className = percent === null && !task.done ? "unknown" : tones[where] ?? "run";
    if (n.status.textContent !== text) n.status.textContent = text; // screen readers announce each change
    n.percent.textContent = shown;
    n.bar.style.width = `${percent ?? 0}%`;
    if (percent === null) n.track.removeAttribute("aria-valuenow");
    else n.track.setAttribute("aria-valuenow", percent);
    n.track.setAttribute("aria-valuetext", shown ? `${shown}, ${text}` : text);
    n.track.setAttribute("aria-label", task.name);
    n.numbers.replaceChildren(...this.#numbers(task, say, lang));
    const errors = task.errors.filter((e) => e.resolution === "open").slice(0, errorsShown).map((e) => this.#error(e, say));
    n.errors.replaceChildren(...this.#problem(task), ...errors);
    n.link.textContent = say.review;
    n.link.href = new URL(`tasks/${encodeURIComponent(task.id)}`, this.#base());
  }

  #numbers({ counts, progress, done }, say, lang) {
    const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
    const total = counts.total_is_final ? ` / ${number.format(counts.total)}` : "";
    const told = [[say.done, number.format(counts.finish) + total]];
    for (const [name, n] of [
      [say.toCorrect, counts.failed - counts.superseded], [say.faults, counts.error], [say.retrying, counts.retrying],
      [say.left, counts.canceled],
    ]) {
      if (n > 0) told.push([name, number.format(n)]);
    }
    if (!done && progress.rate_per_s) told.push([number.format(progress.rate_per_s), say.perSecond]);
    if (!done && progress.eta_s) told.push([say.remaining, spoken(progress.eta_s, lang)]);
    return told.map(([name, value]) => part("span", "number", `${name} ${value}`));
  }

  // #problem returns the reason why the whole task stopped, as a list item. The list is empty if
  // there is none.
  #problem({ problem }) {
    if (!problem) return [];
    return [part("li", "error", part("span", "code", problem.code), ` ${problem.detail ?? ""}`)];
  }

  #error(e, say) {
    const code = part("span", "code", e.code ?? "");
    const item = part("li", "error", `${say.row} ${e.row} `, code, ` ${e.message ?? ""}`);
    if (e.hint) item.append(part("span", "hint", e.hint));
    return item;
  }

  // #announce dispatches the events of a new version to the page.
  #announce({ task, refused }) {
    const now = refused ? "refused" : task ? `${task.version} ${task.done}` : "";
    if (now === this.#told || !now) return;
    this.#told = now;
    const tell = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail }));
    if (refused) {
      const { status, code, message } = refused;
      return tell("error", { status, code, message, task });
    }
    tell("progress", task);
    if (task.done) tell("done", task);
  }
}

if (!customElements.get("task-progress")) customElements.define("task-progress", TaskProgress);
