// call.ts: requests of the operations of the contract, with retries.

import { type Operations, type Problem as ProblemDocument, routes } from "./schema.ts";

/** Options of a client. All are optional. */
export interface Options {
  /** An API key, or a function that returns one before each request. Default: none. */
  key?: string | (() => string | Promise<string>);
  /** Language of messages and hints: en, ru, vi, zh, or a language of a kind's texts. Default "en". */
  language?: string;
  /** Maximum time until the response begins, in ms. Default 30,000. A request with a file has no such limit. */
  timeout?: number;
  /**
   * Maximum number of attempts of a request while the service is down or busy. Default 5. If the service requests a
   * pause of more than 30 s, the client does not retry: see `Problem.retryAfter`.
   */
  tries?: number;
  /** Makes the requests. A TypeError of it means a network failure, which is retried. Default: the global fetch. */
  fetch?: typeof fetch;
}

/** Options of one request. */
export interface Extras {
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Key of a POST: a repeated request with this key has no second effect. Default: a new unique key. */
  idempotencyKey?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** Time added to `Options.timeout`, in ms. */
  patience?: number;
}

/** The input of an operation. Empty parts are optional. */
export type Input<O extends keyof Operations> =
  & (Operations[O]["path"] extends Record<string, never> ? { path?: {} } : { path: Operations[O]["path"] })
  & { query?: Operations[O]["query"] }
  & (undefined extends Operations[O]["body"]
    ? { body?: Operations[O]["body"] }
    : { body: Operations[O]["body"] });

/** The response of the service to a rejected request. `code` is stable; `message` is for people. */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  /** The whole response. Its `errors` lists the faults of the request. */
  readonly document: Partial<ProblemDocument>;
  /** The pause that the service requests before a retry, in ms; 0 if it requests none. */
  readonly retryAfter: number;

  constructor(answer: Response, document: Partial<ProblemDocument>) {
    super(document.detail ?? document.title ?? `status ${answer.status}`);
    this.status = answer.status;
    this.code = document.code ?? "";
    this.requestId = document.request_id ?? answer.headers.get("X-Request-Id") ?? "";
    this.document = document;
    this.retryAfter = retryAfter(answer);
  }

  /** Reports whether a retry of the same request may succeed. */
  get passes(): boolean {
    return [429, 502, 503, 504].includes(this.status) || this.code === "IDEMPOTENCY_IN_FLIGHT";
  }
}

/** The errors of requests that got no response, because of the network or the timeout. */
const unanswered = new WeakSet<object>();

/** Reports whether a request failed because there was no response. Errors of the program are not such failures. */
export function isUnanswered(fault: unknown): boolean {
  return typeof fault === "object" && fault !== null && unanswered.has(fault);
}

/**
 * Reports whether the service may have executed a request although it failed. There is then no response, or a proxy
 * responds that it got none.
 */
export function fateUnknown(fault: unknown): boolean {
  return isUnanswered(fault) || fault instanceof Problem && [502, 504].includes(fault.status);
}

const longestPause = 30_000; // ms between two attempts; a longer Retry-After ends the retries

/** Returns the pause in the header Retry-After, in ms. It returns 0 unless the header is a number of seconds. */
export function retryAfter(answer: Response): number {
  return 1000 * Math.max(Number(answer.headers.get("Retry-After")) || 0, 0);
}

/** Waits for `ms` milliseconds. If the signal aborts first, it throws the reason of the signal. */
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

/** Reports whether the service requests a pause that is too long for a retry. */
export function pausesLong(fault: unknown): boolean {
  return fault instanceof Problem && fault.retryAfter > longestPause;
}

/**
 * Returns the pause before the next attempt, in ms: that which the service requests, or else a random one. Random
 * pauses spread the retries of many clients.
 */
export function pause(fault: unknown, tries: number): number {
  if (fault instanceof Problem && fault.retryAfter > 0) return fault.retryAfter;
  return Math.min(1000 * 2 ** (tries - 1), longestPause) * (0.5 + Math.random() / 2);
}

/** Returns a unique text. The text is not secret, so it does not need `crypto`, which pages without TLS lack. */
export function unique(): string {
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2)).join("");
}

/** Returns the address of an operation with the given parameters. */
function addressOf(template: string, path: object = {}, query: object = {}): string {
  const values = path as Record<string, string>;
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return String(search) ? `${address}?${search}` : address;
}

/** A client that makes any operation of a service, with one key. */
export class Caller {
  readonly #base: string;
  readonly #options: Options;

  /** The argument `address` is the address of the service, such as "https://rollcall.example.com". */
  constructor(address: string, options: Options = {}) {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${address} is not http:// or https://`);
    this.#base = url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
    this.#options = options;
  }

  /** Returns the address of an operation, for a link. The address contains no credential. */
  address(operation: keyof Operations, input: { path?: object; query?: object }): string {
    return this.#base + addressOf(routes[operation][1], input.path, input.query);
  }

  /** Makes a request, with retries, and returns the JSON of the response. */
  async call<O extends keyof Operations>(
    operation: O, input: Input<O>, extras: Extras = {},
  ): Promise<Operations[O]["answer"]> {
    const answer = await this.request(operation, input, extras);
    // The responses of some operations have no content. Their type is Response.
    return answer.status === 204 ? answer as Operations[O]["answer"] : await answer.json();
  }

  /** Makes a request, with retries, and returns the response. The status is 2xx or 304; else it throws a Problem. */
  async request<O extends keyof Operations>(
    operation: O, input: Input<O>, extras: Extras = {},
  ): Promise<Response> {
    const [method] = routes[operation];
    const headers = { ...extras.headers };
    // Each attempt has the same key, so that the request has one effect.
    if (method === "POST") headers["Idempotency-Key"] = extras.idempotencyKey ?? unique();
    for (let tries = 1;; tries++) {
      try {
        return await this.#once(method, this.address(operation, input), input.body, { ...extras, headers });
      } catch (fault) {
        // A PATCH that may have arrived is not retried: the second response would contradict the first.
        const unsafe = method === "PATCH" && fateUnknown(fault);
        const helps = (fault instanceof Problem ? fault.passes : isUnanswered(fault)) && !unsafe && !pausesLong(fault);
        if (!helps || tries >= (this.#options.tries ?? 5) || extras.signal?.aborted) throw fault;
        await sleep(pause(fault, tries), extras.signal);
      }
    }
  }

  async #once(method: string, address: string, body: unknown, extras: Extras): Promise<Response> {
    const { key, language = "en", timeout = 30_000, fetch: send = fetch } = this.#options;
    const fields: Record<string, string> = { "Accept-Language": language, ...extras.headers };
    const secret = typeof key === "function" ? await key() : key;
    if (secret) fields.Authorization = `Bearer ${secret}`;
    const form = typeof FormData !== "undefined" && body instanceof FormData || body instanceof Blob;
    if (body !== undefined && !form) fields["Content-Type"] ??= "application/json";
    const headers = new Headers(fields); // throws for an invalid header, which would look like a network failure of fetch
    const content = body === undefined || form || typeof body === "string" ? body as BodyInit : JSON.stringify(body);
    const end = new AbortController();
    const stop = () => end.abort(extras.signal?.reason);
    extras.signal?.addEventListener("abort", stop, { once: true });
    if (extras.signal?.aborted) stop();
    // A file may be large, so a request with a file has no timeout.
    const silent = () => end.abort(new DOMException("the service sent nothing for too long", "TimeoutError"));
    const timer = form ? undefined : setTimeout(silent, timeout + (extras.patience ?? 0));
    try {
      const answer = await send(address, {
        method, headers, signal: end.signal, redirect: "manual", cache: "no-store", body: content,
      }).catch((fault) => {
        if (["TypeError", "TimeoutError"].includes(fault?.name)) unanswered.add(fault);
        throw fault;
      });
      if (answer.ok || answer.status === 304) return answer;
      if (answer.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(answer.status)) {
        // The client does not follow redirects, since another host must not get the key.
        await answer.body?.cancel(); // the connection can be used again
        throw new Error(`${address} redirects to ${answer.headers.get("Location") ?? "another address"}`);
      }
      throw new Problem(answer, await answer.json().catch(() => ({})));
    } finally {
      clearTimeout(timer);
    }
  }
}
