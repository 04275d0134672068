// client.ts: the client, with a method for each common operation.

import { Caller, type Extras, fateUnknown, pause, pausesLong, Problem, retryAfter, sleep, unique } from "./call.ts";
import type * as schema from "./schema.ts";
import { BrokenStream, records } from "./stream.ts";

export { type Extras, type Options, Problem } from "./call.ts";
export type * as schema from "./schema.ts";

type Task = schema.Task;
type Query<O extends keyof schema.Operations> = Omit<schema.Operations[O]["query"], "limit" | "cursor">;

/** A file to import. */
export interface Upload {
  /** Name of the kind, such as "products.import". */
  kind: string;
  /** From a form in a browser, or from fs.openAsBlob in Node. It is read while it is sent. */
  file: Blob;
  /** Shown to people. The content of the file determines the format. */
  fileName: string;
  /** Name of the task. Default: the name of the file. */
  name?: string;
  options?: schema.ImportOptions;
}

const partBytes = 8 * 1024 * 1024; // size of a part; a larger file is sent in parts
const hang = 10; // the most seconds by which the service delays the response to a poll while the task is unchanged

/** A client of a service with one key. `call` makes the operations that have no method here. */
export class Rollcall extends Caller {
  /**
   * Sends a file and returns the created task. A file of more than 8 MiB is sent in parts. After a broken connection,
   * `upload` continues after the last byte that the service has stored. A later call with the same
   * `extras.idempotencyKey` also continues there.
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
    // By this sum, the service rejects a different file with the same key, even if it has the same size.
    const sum = extras.idempotencyKey ? await digestOf(up.file) : "";
    const { id } = await this.call("createUpload", {}, {
      ...extras, idempotencyKey: `${key}.upload`,
      headers: { ...extras.headers, "Upload-Length": String(up.file.size), "Upload-Metadata": sum ? `filename ${name},sha256 ${sum}` : `filename ${name}` },
    });
    await this.#sendParts(id, up.file, extras);
    const { kind, name: task, options } = up;
    return this.createTask({ kind, name: task, options, upload_id: id }, { ...extras, idempotencyKey: key });
  }

  /** Sends the bytes that the service does not have yet. It gives up after six attempts in a row that stored none. */
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
        const behind = fault instanceof Problem && (fault.code === "WRONG_OFFSET" || fault.status === 408);
        const final = !behind && !fateUnknown(fault) || pausesLong(fault);
        if (final || tries >= 5 || extras.signal?.aborted) throw fault;
        await sleep(pause(fault, tries + 1), extras.signal);
      }
    }
  }

  /** Creates a task of rows, or an open task that gets rows later. */
  createTask(body: schema.TaskRequest, extras?: Extras): Promise<Task> {
    return this.call("createTask", { body }, extras);
  }

  /** Adds up to 1,000 rows to an open task. A rejected row does not affect the other rows. */
  addRows(id: string, rows: schema.Row[], extras?: Extras): Promise<schema.JobsAnswer> {
    return this.call("addJobs", { path: { id }, body: { rows } }, extras);
  }

  /** Closes an open task, so that it accepts no more rows. */
  closeTask(id: string, extras?: Extras): Promise<Task> {
    return this.call("closeTask", { path: { id } }, extras);
  }

  /** Pauses a task. Rows that the service has already passed to workers still run. */
  pause(id: string, extras?: Extras): Promise<Task> {
    return this.call("pauseTask", { path: { id } }, extras);
  }

  /** Continues a paused task. */
  resume(id: string, extras?: Extras): Promise<Task> {
    return this.call("resumeTask", { path: { id } }, extras) as Promise<Task>; // only a dry run, which needs a body, returns another type
  }

  /** Cancels a task. Rows that have not started do not run. */
  cancel(id: string, extras?: Extras): Promise<Task> {
    return this.call("cancelTask", { path: { id } }, extras);
  }

  /** Returns the current state of a task. */
  getTask(id: string, extras?: Extras): Promise<Task> {
    return this.call("getTask", { path: { id } }, extras);
  }

  /**
   * Waits until a task is done, and returns the task. It calls `each` with every state that it reads. The service sets
   * the pace of the polls, so `each` may miss states in between.
   */
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

  /** Iterates over the states of a task until it is done. After a broken connection, it connects again. */
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
        if (!(fault instanceof BrokenStream)) throw fault; // an error of the program or of an event
        if (extras.signal?.aborted) throw fault.cause;
      }
      await sleep(retry * (0.5 + Math.random()), extras.signal);
    }
  }

  /** Iterates over the rows of a task in file order. */
  listEvents(id: string, query: Query<"listEvents"> = {}, extras?: Extras): AsyncGenerator<schema.Event, void> {
    return pages((cursor) => this.call("listEvents", { path: { id }, query: { ...query, ...cursor } }, extras));
  }

  /** Iterates over the bad rows of a task in short form. */
  listErrors(id: string, query: Query<"listErrors"> = {}, extras?: Extras): AsyncGenerator<schema.RowError, void> {
    return pages((cursor) => this.call("listErrors", { path: { id }, query: { ...query, ...cursor } }, extras));
  }

  /** Iterates over the tasks of the key's tenant, newest first. */
  listTasks(query: Query<"listTasks"> = {}, extras?: Extras): AsyncGenerator<Task, void> {
    return pages((cursor) => this.call("listTasks", { query: { ...query, ...cursor } }, extras));
  }

  /** Returns one row with its history. */
  getEvent(id: string, extras?: Extras): Promise<schema.Event> {
    return this.call("getEvent", { path: { id } }, extras);
  }

  /** Changes a row. If the row has another version than `row.version`, it throws a Problem ROW_CHANGED. */
  repair(row: { id: string; version: number }, body: schema.EventPatch, extras: Extras = {}): Promise<schema.Event> {
    const headers = { ...extras.headers, "If-Match": `"${row.version}"` };
    return this.call("patchEvent", { path: { id: row.id }, body }, { ...extras, headers });
  }

  /** Changes cells of many rows, and does not run the rows. */
  repairRows(id: string, body: schema.RepairRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("repairRows", { path: { id }, body }, extras);
  }

  /** Runs bad rows again in the same task; `{ filter: {} }` selects all bad rows. Repeating a call is safe. */
  resubmit(id: string, body: schema.ResubmitRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("resubmitRows", { path: { id }, body }, extras);
  }

  /** Marks bad rows as skipped, or as accepted. With `state: "open"` it undoes both. */
  skip(id: string, body: schema.SkipRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("skipRows", { path: { id }, body }, extras);
  }

  /** Restores the rows that an act of the caller has changed. The response to that act contains its `act_id`. */
  undo(id: string, body: schema.UndoRequest, extras?: Extras): Promise<schema.PressAnswer> {
    return this.call("undoRows", { path: { id }, body }, extras);
  }

  /** Sends a result file that a user has corrected. The service runs the changed rows again. */
  correct(
    id: string, file: { file: Blob; fileName: string; dryRun?: boolean }, extras?: Extras,
  ): Promise<schema.CorrectionsAnswer> {
    const form = new FormData();
    form.set("dry_run", String(file.dryRun ?? false));
    form.set("file", file.file, file.fileName);
    return this.call("correctRows", { path: { id }, body: form }, extras);
  }

  /** Returns the address of the rows of a task as a file, for a link on a page with a session. */
  resultUrl(id: string, query: schema.Operations["getResult"]["query"] = {}): string {
    return this.address("getResult", { path: { id }, query });
  }

  /** Returns the rows of a task as a file. If the response is incomplete, reading it throws an error. */
  result(id: string, query: schema.Operations["getResult"]["query"] = {}, extras?: Extras): Promise<Response> {
    return this.request("getResult", { path: { id }, query }, extras);
  }
}

/** Iterates over the items of all pages of a list. It reads a page when the loop needs it. */
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

/** Returns the SHA-256 of a file in base64, or "" if the platform has no digests, as on pages without TLS. */
async function digestOf(file: Blob): Promise<string> {
  if (!globalThis.crypto?.subtle) return "";
  const sum = await globalThis.crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return btoa(String.fromCharCode(...new Uint8Array(sum)));
}
