// fault.ts: one request of a program whose service cannot answer it at first.
//
// Arguments: the address of the service, the act, and the id of the task, except for the act "create".
// It prints the id of the task.

import { Rollcall } from "./src/client.ts";

const [address, act, id] = process.argv.slice(2);
const rollcall = new Rollcall(address, { tries: 2 });
const acts: Record<string, () => Promise<{ id: string }>> = {
  create: () => rollcall.createTask({ kind: "products.import", open: true }),
  get: () => rollcall.getTask(id),
  close: () => rollcall.closeTask(id),
};
console.log((await acts[act]()).id);
