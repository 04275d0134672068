// client.ts: what programs do with a service.

import { Caller, type Extras, Problem, retryAfter, sleep, unique } from "./call.ts";
import type * as schema from "./schema.ts";
import { records } from "./stream.ts";

export { type Extras, type Options, Problem } from "./call.ts";
export type * as schema from "./schema.ts";

type Task = schema.Task;
type Query<O extends keyof schema.Operations> = Omit<schema.Operations[O]["query"], "limit" | "cursor">;

/** A file to import. */
export interface Upload {
  /** The registered name of the import, such as "products.import". */
  kind: string;
  /** Of a browser's form, or of Node's fs.openAsBlob: it is read as it is sent. */
  file: Blob;
  /** As people know it; tells the format, too. */
  fileName: string;
  /** Of the task. Default: the file's. */
  name?: string;
  options?: schema.ImportOptions;
}

const partBytes = 8 * 1024 * 1024; // from which a file is sent in parts, and of a part
const hang = 10; // seconds that a poll may wait for another version

/** A service as one key sees it. Every operation of the contract can be made with `call`. */
export class Rollcall extends Caller {
  /**
   * Sends a file and returns the task that it became. More than 8 MiB are sent in parts: after a broken connection, and
   * in a later call with the same key, the sending continues where the service has stored the last byte.
   */
  upload(up: Upload, extras: Extras = {}): Promise<Task> {
    if (up.file.size > partBytes) return this.#uploadParts(up, extras);
    const form = new FormData();
    form.set("kind", up.kind);
    if (up.name) form.set("name", up.name);
    if (up.options) form.set("options", JSON.stringify(up.options));
    form.set("file", up.file, up.fileName);
    return this.call("createTask", { body: form }, extras);
  }

  async #uploadParts(up: Upload, extras: Extras): Promise<Task> {
    const key = extras.idempotencyKey ?? unique();
    const name = btoa(String.fromCharCode(...new TextEncoder().encode(up.fileName)));
    // With a key of the caller, another file is refused, also one of the same size.
    const sum = extras.idempotencyKey ? await digestOf(up.file) : "";
    const { id } = await this.call("createUpload", {}, {
      ...extras, idempotencyKey: `${key}.upload`,
      headers: { ...extras.headers, "Upload-Length": String(up.file.size), "Upload-Metadata": sum ? `filename ${name},sha256 ${sum}` : `filename ${name}` },
    });
    await this.#sendParts(id, up.file, extras);
    const { kind, name: task, options } = up;
    return this.createTask({ kind, name: task, options, upload_id: id }, { ...extras, idempotencyKey: key });
  }

  /** Sends what the service lacks of an upload; gives up after some attempts without a new byte. */
  async #sendParts(id: string, file: Blob, extras: Extras): Promise<void> {
    for (let tries = 0, stored = -1;; tries++) {
      let { offset } = await this.call("getUpload", { path: { id } }, extras);
      if (offset > stored) [tries, stored] = [0, offset];
      try {
        for (; offset < file.size; offset += partBytes) {
          await this.call("continueUpload", { path: { id }, body: file.slice(offset, offset + partBytes) as unknown as string }, {
            ...extras, headers: { ...extras.headers, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
          });
        }
        return;
      } catch (fault) {
        const final = fault instanceof Problem && fault.code !== "WRONG_OFFSET" && fault.status !== 408;
        if (final || tries >= 5 || extras.signal?.aborted) throw fault;
        await sleep(1000 * (tries + 1) * (0.5 + Math.random() / 2), extras.signal);
      }
    }
  }

  /** Starts a task of rows, or an open one that gets them later. */
  createTask(body: schema.TaskRequest, extras?: Extras): Promise<Task> {
    return this.call("createTask", { body }, extras);
  }

  /** Adds up to 1,000 rows to an open task; a row that is rejected harms no other. */
  addRows(id: string, rows: schema.Row[], extras?: Extras): Promise<schema.JobsAnswer> {
    return this.call("addJobs", { path: { id }, body: { rows } }, extras);
  }

  /** Says that an open task gets no more rows. */
  closeTask(id: string, extras?: Extras): Promise<Task> {
    return this.call("closeTask", { path: { id } }, extras);
  }

  /** Holds a task up; what has been handed to workers still runs. */
  pause(id: string, extras?: Extras): Promise<Task> {
    return this.call("pauseTask", { path: { id } }, extras);
  }

  /** Lets a paused task go on. */
  resume(id: string, extras?: Extras): Promise<Task> {
    return this.call("resumeTask", { path: { id } }, extras) as Promise<Task>; // without a body it is no dry run
  }

  /** Ends a task for good: rows that have not begun never run. */
  cancel(id: string, extras?: Extras): Promise<Task> {
    return this.call("cancelTask", { path: { id } }, extras);
  }

  /** Reads a task as it stands. */
  getTask(id: string, extras?: Extras): Promise<Task> {
    return this.call("getTask", { path: { id } }, extras);
  }

  /** Waits until a task is done, at the pace that the service asks for; each is told every version met. */
  async waitForTask(id: string, each: (task: Task) => void = () => {}, extras: Extras = {}): Promise<Task> {
    for (let tag = "";;) {
      const known: Record<string, string> = tag ? { "If-None-Match": tag } : {};
      const query = tag ? { wait: hang } : {};
      const answer = await this.request("getTask", { path: { id }, query }, {
        ...extras, headers: { ...extras.headers, ...known }, patience: tag ? 1000 * hang : 0,
      });
      if (answer.status !== 304) {
        const task: Task = await answer.json();
        each(task);
        if (task.done) return task;
        tag = answer.headers.get("ETag") ?? "";
      }
      await sleep(retryAfter(answer) || 1000, extras.signal);
    }
  }

  /** The versions of a task as they come, until it is done. A stream that breaks off is taken up again. */
  async *streamTask(id: string, extras: Extras = {}): AsyncGenerator<Task, void> {
    for (let seen = "";;) {
      const known: Record<string, string> = seen ? { "Last-Event-ID": seen } : {};
      const answer = await this.request("streamTask", { path: { id } }, {
        ...extras, headers: { ...extras.headers, ...known },
      });
      if (answer.status === 204 || !answer.body) return;
      let retry = 2000;
      try {
        for await (const record of records(answer.body)) {
          retry = Number(record.retry) || retry;
          if (!record.data) continue;
          const task: Task = JSON.parse(record.data);
          seen = record.id ?? seen;
          yield task;
          if (task.done) return;
        }
      } catch (fault) {
        if (extras.signal?.aborted || fault instanceof SyntaxError) throw fault;
      }
      await sleep(retry * (0.5 + Math.random()), extras.signal);
    }
  }

  /** The rows of a task in file order. */
  listEvents(id: string, query: Query<"listEvents"> = {}, extras?: Extras): AsyncGenerator<schema.Event, void> {
    return pages((cursor) => this.call("listEvents", { path: { id }, query: { ...query, ...cursor } }, extras));
  }

  /** The bad rows of a task, in short. */
  listErrors(id: string, query: Query<"listErrors"> = {}, extras?: Extras): AsyncGenerator<schema.RowError, void> {
    return pages((cursor) => this.call("listErrors", { path: { id }, query: { ...query, ...cursor } }, extras));
  }

  /** The tasks of the key's tenant, newest first. */
  listTasks(query: Query<"listTasks"> = {}, extras?: Extras): AsyncGenerator<Task, void> {
    return pages((cursor) => this.call("listTasks", { query: { ...query, ...cursor } }, extras));
  }

  /** Reads one row with its history. */
  getEvent(id: string, extras?: Extras): Promise<schema.Event> {
    return this.call("getEvent", { path: { id } }, extras);
  }

  /** Changes a row as it was read. A Problem ROW_CHANGED says that somebody else was faster. */
  repair(row: { id: string; version: number }, body: schema.EventPatch, extras: Extras = {}): Promise<schema.Event> {
    const headers = { ...extras.headers, "If-Match": `"${row.version}"` };
    return this.call("patchEvent", { path: { id: row.id }, body }, { ...extras, headers });
  }

  /** Writes into many rows, without running them. */
  repairRows(id: string, body: schema.RepairRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("repairRows", { path: { id }, body }, extras);
  }

  /** Runs bad rows again, in the same task; `{ filter: {} }` is all of them. It may be repeated. */
  resubmit(id: string, body: schema.ResubmitRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("resubmitRows", { path: { id }, body }, extras);
  }

  /** Gives bad rows up or, with `state: "open"`, takes that back. */
  skip(id: string, body: schema.SkipRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("skipRows", { path: { id }, body }, extras);
  }

  /** Restores the rows that an act of the caller has changed; `act_id` is in the answer to the act. */
  undo(id: string, body: schema.UndoRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("undoRows", { path: { id }, body }, extras);
  }

  /** Sends a result file that a person has corrected: rows that changed run again. */
  correct(
    id: string, file: { file: Blob; fileName: string; dryRun?: boolean }, extras?: Extras,
  ): Promise<schema.CorrectionsAnswer> {
    const form = new FormData();
    form.set("dry_run", String(file.dryRun ?? false));
    form.set("file", file.file, file.fileName);
    return this.call("correctRows", { path: { id }, body: form }, extras);
  }

  /** Where the rows of a task are as a file, for a link on a page with a session. */
  resultUrl(id: string, query: schema.Operations["getResult"]["query"] = {}): string {
    return this.address("getResult", { path: { id }, query });
  }

  /** The rows of a task as a file. An answer that breaks off throws as it is read. */
  result(id: string, query: schema.Operations["getResult"]["query"] = {}, extras?: Extras): Promise<Response> {
    return this.request("getResult", { path: { id }, query }, extras);
  }
}

/** Reads a list to its end, page by page, as the loop goes on. */
async function* pages<T>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
): AsyncGenerator<T, void> {
  for (let cursor: string | undefined;;) {
    const page = await read({ limit: 500, cursor });
    yield* page.items;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** Returns the SHA-256 of a file in base64; empty where the platform has no digests (pages without TLS). */
async function digestOf(file: Blob): Promise<string> {
  if (!globalThis.crypto?.subtle) return "";
  const sum = await globalThis.crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return btoa(String.fromCharCode(...new Uint8Array(sum)));
}
