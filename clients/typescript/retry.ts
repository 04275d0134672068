// retry.ts: faults of requests, and how often the client makes each request.
//
// It prints a line for each fault: its name, the numbers of calls of the key function and of fetch, and the error.

import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { type Extras, type Options, Rollcall } from "./src/client.ts";

const answers: Record<string, NonNullable<Options["fetch"]>> = {
  lost: () => Promise.reject(new TypeError("fetch failed")),
  silent: (_, init) => new Promise((_, reject) => init!.signal!.addEventListener("abort", () => reject(init!.signal!.reason))),
  broken: () => Promise.reject(new RangeError("a fault of this fetch")),
  parts: async (_, init) => {
    if (init!.method === "PATCH") throw new RangeError("a fault of this fetch");
    return Response.json({ id: "u", offset: 0 });
  },
  gateway: () => Promise.resolve(new Response("", { status: 502 })),
  late: () => Promise.resolve(new Response("", { status: 504 })),
  busy: () => Promise.resolve(Response.json({ code: "NOT_READY" }, { status: 503 })),
  wrong: () => Promise.resolve(Response.json({ code: "NOT_FOUND" }, { status: 404 })),
};

/** Returns a fetch that stores each part of an upload. After the first part, it responds as a proxy that got no response. */
function behindProxy(status: number, retryAfter: string): NonNullable<Options["fetch"]> {
  let stored = 0;
  return async (_, init) => {
    if (init!.method === "GET") return Response.json({ id: "u", offset: stored });
    if (init!.method === "POST") return Response.json({ id: "u" });
    if (new Headers(init!.headers).get("Upload-Offset") !== String(stored)) {
      return Response.json({ code: "WRONG_OFFSET" }, { status: 409 });
    }
    const first = stored === 0;
    stored += (init!.body as Blob).size;
    return first ? new Response("", { status, headers: { "Retry-After": retryAfter } }) : new Response(null, { status: 204 });
  };
}
answers.part502 = behindProxy(502, "0");
answers.part504 = behindProxy(504, "1");
answers.partLater = behindProxy(502, "31");

// A server that redirects each request, and the fetch of Node.
const server = createServer((_, answer) => answer.writeHead(307, { Location: "https://elsewhere.example/a" }).end());
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
answers.moved = (_, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, init);
// The redirect of a browser's fetch has no status and no address.
answers.opaque = () => Promise.resolve({ type: "opaqueredirect", ok: false, status: 0, headers: new Headers() } as Response);

// A stream that breaks, and then one with an event that is no task.
const bodies = [() => { throw new TypeError("network error"); }, (to: ReadableStreamDefaultController) => {
  to.enqueue(new TextEncoder().encode("data: null\n\n"));
  to.close();
}];
answers.stream = () => Promise.resolve(new Response(new ReadableStream({ pull: bodies.shift() })));
// A response whose body is no stream.
answers.body = () => Promise.resolve({
  ok: true, status: 200, body: { getReader: () => { throw new TypeError("a fault of this body"); } },
} as unknown as Response);

async function say(name: string, answer: string, act: (client: Rollcall, extras: Extras) => Promise<unknown>, key = () => "k", timeout = 50) {
  let [keys, asked] = [0, 0];
  const client = new Rollcall("http://127.0.0.1:9", {
    tries: 2, timeout, key: () => (keys++, key()), fetch: (at, init) => (asked++, answers[answer](at, init)),
  });
  const fault = await act(client, {}).then(() => "none", (fault) => String(fault));
  console.log(`${name}: ${keys} ${asked} ${fault.split("\n")[0]}`);
}

const get = (client: Rollcall, extras: Extras) => client.getTask("a", extras);
const file = { kind: "k", fileName: "a.csv", file: new Blob([new Uint8Array(9 << 20)]) };
await say("lost", "lost", get);
await say("silent", "silent", get);
await say("busy", "busy", get);
await say("wrong", "wrong", get);
await say("patch", "lost", (client) => client.repair({ id: "a", version: 1 }, {}));
await say("key", "lost", get, () => { throw new TypeError("no key"); });
await say("body", "lost", (client) => client.createTask({ kind: "k", priority: 1n as unknown as number }));
await say("header", "lost", (client) => client.getTask("a", { headers: { "X-A": "a\nb" } }));
await say("fetch", "broken", get);
await say("abort", "silent", (client) => client.getTask("a", { signal: AbortSignal.timeout(10) }));
await say("file", "parts", (client) => client.upload(file));
const repair = (client: Rollcall, extras: Extras) => client.repair({ id: "a", version: 1 }, {}, extras);
await say("get 502", "gateway", get);
await say("get 504", "late", get);
await say("patch 502", "gateway", repair);
await say("patch 504", "late", repair);
await say("patch 503", "busy", repair);
await say("part 502", "part502", (client) => client.upload(file));
await say("part 504", "part504", (client) => client.upload(file));
await say("part 502, later", "partLater", (client) => client.upload(file));
await say("moved", "moved", get, undefined, 9000);
await say("moved, in a browser", "opaque", get);
server.close();
const stream = async (client: Rollcall) => {
  for await (const task of client.streamTask("a", { signal: AbortSignal.timeout(9000) })) void task;
};
await say("stream", "stream", stream);
await say("stream with a fault", "body", stream);
