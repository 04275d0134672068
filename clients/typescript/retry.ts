// retry.ts: faults of requests, and how often the client makes each request.
//
// It prints a line for each fault: its name, the numbers of calls of the key function and of fetch, and the error.

import { type Extras, type Options, Rollcall } from "./src/client.ts";

const answers: Record<string, NonNullable<Options["fetch"]>> = {
  lost: () => Promise.reject(new TypeError("fetch failed")),
  silent: (_, init) => new Promise((_, reject) => init!.signal!.addEventListener("abort", () => reject(init!.signal!.reason))),
  broken: () => Promise.reject(new RangeError("a fault of this fetch")),
  parts: async (_, init) => {
    if (init!.method === "PATCH") throw new RangeError("a fault of this fetch");
    return Response.json({ id: "u", offset: 0 });
  },
  busy: () => Promise.resolve(Response.json({ code: "NOT_READY" }, { status: 503 })),
  wrong: () => Promise.resolve(Response.json({ code: "NOT_FOUND" }, { status: 404 })),
};

async function say(name: string, answer: string, act: (client: Rollcall, extras: Extras) => Promise<unknown>, key = () => "k") {
  let [keys, asked] = [0, 0];
  const client = new Rollcall("http://127.0.0.1:9", {
    tries: 2, timeout: 50, key: () => (keys++, key()), fetch: (at, init) => (asked++, answers[answer](at, init)),
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
