// story.ts: what a program does with a running service, under Node.
//
// Arguments: the address of the service, the address of a proxy that refuses every second
// request, and the file to upload. It prints "told" at its end.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Problem, Rollcall, type schema } from "./src/client.ts";

const [address, flaky, path] = process.argv.slice(2);
const rollcall = new Rollcall(address);
const file = new Blob([await readFile(path)]);

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const one of list) out.push(one);
  return out;
}

async function upload(): Promise<schema.Task> {
  const task = await rollcall.upload({
    kind: "products.import", file, fileName: "products.xlsx", name: "Spring", options: { labels: { of: "node" } },
  }, { idempotencyKey: "spring" });
  assert.equal(task.name, "Spring");
  assert.deepEqual(task.labels, { of: "node" });
  const again = await rollcall.upload({
    kind: "products.import", file, fileName: "products.xlsx", name: "Spring", options: { labels: { of: "node" } },
  }, { idempotencyKey: "spring" });
  assert.equal(again.id, task.id, "the same request under the same key is done once");
  return task;
}

// A file of more than 8 MiB is sent in parts, through a proxy that refuses every second request.
async function uploadInParts(): Promise<void> {
  const rows = Array.from({ length: 1000 }, (_, i) => `P${i},n,1,Acme,${"x".repeat(10_000)}\n`);
  const large = new Blob(["SKU,Name,Price,Brand,Note\n", ...rows]);
  assert(large.size > 8 << 20);
  const patient = new Rollcall(flaky, { tries: 10 });
  const key = { idempotencyKey: "large" };
  const up = { kind: "products.import", file: large, fileName: "large.csv" };
  const task = await patient.upload(up, key);
  assert.equal(task.name, "large.csv");
  assert.equal((await patient.upload(up, key)).id, task.id, "the same upload under the same key becomes one task");
  const other = new Blob(["SKU,Name,Price,Brand,Note\n", rows[0]!.replace("P0", "Q0"), ...rows.slice(1)]);
  assert.equal(other.size, large.size);
  await assert.rejects(patient.upload({ ...up, file: other }, key), { status: 422, code: "IDEMPOTENCY_KEY_REUSED" });
  assert.equal((await rollcall.waitForTask(task.id)).counts.finish, 1000);
}

async function review(id: string): Promise<void> {
  const seen: number[] = [];
  const task = await rollcall.waitForTask(id, (it) => seen.push(it.version));
  assert.deepEqual([task.counts.finish, task.counts.failed, task.progress.percent], [180, 20, 100]);
  assert.equal(seen.at(-1), task.version);

  const errors = await all(rollcall.listErrors(id));
  assert.equal(errors.length, 20);
  const brands = await all(rollcall.listErrors(id, { code: "BRAND_UNKNOWN" }));
  const row = await rollcall.getEvent(brands[0].event_id);
  const fixed = await rollcall.repair(row, { params: { Brand: "Globex" }, note: "as the shop calls it" });
  assert.notEqual(fixed.version, row.version);
  await assert.rejects(rollcall.repair(row, { note: "too late" }), (fault) => {
    assert(fault instanceof Problem);
    assert.deepEqual([fault.status, fault.code, fault.document.version], [412, "ROW_CHANGED", fixed.version]);
    return true;
  });

  const out = await rollcall.resubmit(id, { filter: { code: "BRAND_UNKNOWN" }, patch: { set: { Brand: "Acme" } } });
  assert.equal(out.resubmitted, brands.length);
  const versions = await all(rollcall.streamTask(id));
  const end = versions.at(-1)!;
  const ran = brands.length - out.superseded; // the others are older than what their keys have finished
  assert.deepEqual([end.done, end.round, end.counts.finish], [true, 2, 180 + ran]);
  assert.equal((await all(rollcall.listEvents(id))).length, 200);

  const left = await rollcall.skip(id, { filter: {}, note: "not this year" });
  assert.equal(left.done, 20 - brands.length); // superseded rows stay as they are
  const lines = await (await rollcall.result(id, { format: "jsonl", only: "failed" })).text();
  assert.equal(lines.trim().split("\n").length, 20 - brands.length);
  assert.equal(new URL(rollcall.resultUrl(id, { format: "xlsx" })).pathname, `/api/v1/tasks/${id}/result`);
}

async function openTask(): Promise<void> {
  const { id } = await rollcall.createTask({ kind: "products.import", open: true });
  const added = await rollcall.addRows(id, [
    { SKU: "A", Name: "Anvil", Price: 1, Brand: "Acme" }, { SKU: "B" },
  ]);
  assert.deepEqual([added.accepted, added.rejected], [1, 1]);
  await rollcall.pause(id);
  await rollcall.resume(id);
  const stream = all(rollcall.streamTask(id));
  await rollcall.closeTask(id);
  assert.equal((await stream).at(-1)!.status, "finished");
  assert((await all(rollcall.listTasks({ kind: "products.import" }))).some((task) => task.id === id));
}

async function refusals(): Promise<void> {
  const russian = new Rollcall(address, { language: "ru" });
  const wrong = { kind: "products.import", file: new Blob(["Nonsense\n1\n"]), fileName: "a.csv" };
  await assert.rejects(russian.upload(wrong), (fault) => {
    assert(fault instanceof Problem);
    assert.deepEqual([fault.status, fault.code, fault.passes], [422, "MISSING_COLUMN", false]);
    assert.match(fault.message, /[а-я]/);
    assert(fault.document.errors!.length > 0 && fault.requestId);
    return true;
  });
  await assert.rejects(rollcall.getTask("0193c1f0-0000-7000-8000-000000000000"), { status: 404, code: "NOT_FOUND" });
  const stopped = rollcall.waitForTask((await rollcall.createTask({ kind: "products.import", open: true })).id,
    undefined, { signal: AbortSignal.timeout(50) });
  await assert.rejects(stopped, { name: "TimeoutError" });
  assert.throws(() => new Rollcall("ftp://127.0.0.1"));
}

async function away(): Promise<void> {
  const patient = new Rollcall(flaky, { tries: 2 });
  const task = await patient.createTask({ kind: "products.import", open: true });
  assert.equal((await patient.getTask(task.id)).id, task.id);
  await assert.rejects(new Rollcall(flaky, { tries: 1 }).getTask(task.id), { status: 503, passes: true, retryAfter: 1000 });
  let asked = 0;
  const full: typeof fetch = async () => {
    asked++;
    return new Response("{}", { status: 429, headers: { "Retry-After": "60" } });
  };
  const refused = new Rollcall(address, { fetch: full }).createTask({ kind: "k", open: true },
    { signal: AbortSignal.timeout(10_000) });
  await assert.rejects(refused, { status: 429, retryAfter: 60_000 });
  assert.equal(asked, 1, "who is told to stay away for a minute does not come sooner");
}

await Promise.all([upload().then(({ id }) => review(id)), openTask(), refusals(), away()]);
await uploadInParts();
console.log("told");
