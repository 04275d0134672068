// call.ts: requests as the contract has them, made as often as they need.

import { type Operations, type Problem as ProblemDocument, routes } from "./schema.ts";

/** Options of a client. All may be left out. */
export interface Options {
  /** An API key, or a function that returns one before each request. Default: none. */
  key?: string | (() => string | Promise<string>);
  /** That of messages and hints: en, ru, vi, zh. Default "en". */
  language?: string;
  /** How long the service may be silent before an answer begins, in ms. Default 30,000. */
  timeout?: number;
  /**
   * How often a request is made at most while the service is away or busy. Default 5. One that asks for more than
   * 30 s is not tried again: see `Problem.retryAfter`.
   */
  tries?: number;
  /** Makes the requests. Default: the global fetch. */
  fetch?: typeof fetch;
}

/** What goes with a request, besides what its operation takes. */
export interface Extras {
  /** Ends the request. */
  signal?: AbortSignal;
  /** Names a POST, so that it can be made again without being done again. Default: one of its own. */
  idempotencyKey?: string;
  /** More headers. */
  headers?: Record<string, string>;
  /** More silence that is allowed, in ms. */
  patience?: number;
}

/** What an operation takes; parts that are empty may be left out. */
export type Input<O extends keyof Operations> =
  & (Operations[O]["path"] extends Record<string, never> ? { path?: {} } : { path: Operations[O]["path"] })
  & { query?: Operations[O]["query"] }
  & (undefined extends Operations[O]["body"]
    ? { body?: Operations[O]["body"] }
    : { body: Operations[O]["body"] });

/** An answer that refuses a request. `code` is stable; the message is for people. */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  /** The whole document: `errors` points at what is wrong. */
  readonly document: Partial<ProblemDocument>;
  /** When the service wants to be asked again, in ms; 0 if it did not say. */
  readonly retryAfter: number;

  constructor(answer: Response, document: Partial<ProblemDocument>) {
    super(document.detail ?? document.title ?? `status ${answer.status}`);
    this.status = answer.status;
    this.code = document.code ?? "";
    this.requestId = document.request_id ?? answer.headers.get("X-Request-Id") ?? "";
    this.document = document;
    this.retryAfter = retryAfter(answer);
  }

  /** Whether the same request may go well later. */
  get passes(): boolean {
    return [429, 502, 503, 504].includes(this.status) || this.code === "IDEMPOTENCY_IN_FLIGHT";
  }
}

const longestPause = 30_000; // ms between two tries; who is told to stay away for longer makes no other

/** What an answer says of when to ask again, in ms; 0 if nothing. */
export function retryAfter(answer: Response): number {
  return 1000 * Math.max(Number(answer.headers.get("Retry-After")) || 0, 0);
}

/** Waits for some ms; throws when the signal ends it. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** How long to wait before the next try, in ms; not all clients come back at once. */
function pause(fault: unknown, tries: number): number {
  if (fault instanceof Problem && fault.retryAfter > 0) return fault.retryAfter;
  return Math.min(1000 * 2 ** (tries - 1), longestPause) * (0.5 + Math.random() / 2);
}

/** A text that nobody else has. It is no secret, so it does not need `crypto`, which pages without TLS lack. */
export function unique(): string {
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2)).join("");
}

/** The address of an operation, with its parameters filled in. */
function addressOf(template: string, path: object = {}, query: object = {}): string {
  const values = path as Record<string, string>;
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return String(search) ? `${address}?${search}` : address;
}

/** A service as one key sees it, operation by operation. */
export class Caller {
  readonly #base: string;
  readonly #options: Options;

  /** address is where the service is, such as "https://rollcall.example.com". */
  constructor(address: string, options: Options = {}) {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${address} is not http:// or https://`);
    this.#base = url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
    this.#options = options;
  }

  /** The address of an operation, for a link. A credential is never part of it. */
  address(operation: keyof Operations, input: { path?: object; query?: object }): string {
    return this.#base + addressOf(routes[operation][1], input.path, input.query);
  }

  /** Makes a request and returns what it answers as JSON. */
  async call<O extends keyof Operations>(
    operation: O, input: Input<O>, extras: Extras = {},
  ): Promise<Operations[O]["answer"]> {
    const answer = await this.request(operation, input, extras);
    // An operation that answers no JSON has no type here but that of the answer.
    return answer.status === 204 ? answer as Operations[O]["answer"] : await answer.json();
  }

  /** Makes a request, again while that may help, and returns the answer: 2xx or 304. */
  async request<O extends keyof Operations>(
    operation: O, input: Input<O>, extras: Extras = {},
  ): Promise<Response> {
    const [method] = routes[operation];
    const headers = { ...extras.headers };
    // The same with every try: it is done once.
    if (method === "POST") headers["Idempotency-Key"] = extras.idempotencyKey ?? unique();
    for (let tries = 1;; tries++) {
      try {
        return await this.#once(method, this.address(operation, input), input.body, { ...extras, headers });
      } catch (fault) {
        const known = fault instanceof Problem;
        // The second answer to a PATCH that has arrived would deny the first.
        const helps = known ? fault.passes && fault.retryAfter <= longestPause : method !== "PATCH";
        if (!helps || tries >= (this.#options.tries ?? 5) || extras.signal?.aborted) throw fault;
        await sleep(pause(fault, tries), extras.signal);
      }
    }
  }

  async #once(method: string, address: string, body: unknown, extras: Extras): Promise<Response> {
    const { key, language = "en", timeout = 30_000, fetch: ask = fetch } = this.#options;
    const headers: Record<string, string> = { "Accept-Language": language, ...extras.headers };
    const secret = typeof key === "function" ? await key() : key;
    if (secret) headers.Authorization = `Bearer ${secret}`;
    const form = typeof FormData !== "undefined" && body instanceof FormData || body instanceof Blob;
    if (body !== undefined && !form) headers["Content-Type"] ??= "application/json";
    const end = new AbortController();
    const stop = () => end.abort(extras.signal?.reason);
    extras.signal?.addEventListener("abort", stop, { once: true });
    if (extras.signal?.aborted) stop();
    // A form may take as long as its files need.
    const silent = () => end.abort(new DOMException("nothing was heard for too long", "TimeoutError"));
    const timer = form ? undefined : setTimeout(silent, timeout + (extras.patience ?? 0));
    try {
      const answer = await ask(address, {
        method, headers, signal: end.signal, redirect: "error", cache: "no-store",
        body: body === undefined || form || typeof body === "string" ? body as BodyInit : JSON.stringify(body),
      });
      if (answer.ok || answer.status === 304) return answer;
      throw new Problem(answer, await answer.json().catch(() => ({})));
    } finally {
      clearTimeout(timer);
    }
  }
}
