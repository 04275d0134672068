// stream.ts: parses server-sent events.

/** The fields of an event by name. `data` joins the data lines of the event. */
export type Fields = { event?: string; id?: string; data?: string; retry?: string };

const silence = 40_000; // ms; the service sends something every 15 s

/** The connection of a stream broke, or the service sent nothing for 40 s. `cause` is the fault of the connection. */
export class BrokenStream extends Error {
  override name = "BrokenStream";
}

/** Iterates over the events of a stream. It throws a BrokenStream if it cannot read on. */
export async function* records(body: ReadableStream<Uint8Array>): AsyncGenerator<Fields, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read()).catch((cause) => {
        throw new BrokenStream("the stream broke", { cause });
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const whole = text.split(/\r?\n\r?\n/);
      text = whole.pop() ?? "";
      for (const one of whole) yield parse(one);
    }
  } finally {
    await reader.cancel().catch(() => {}); // the connection may be broken
  }
}

function parse(text: string): Fields {
  const record: Fields = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "data") record.data = record.data === undefined ? value : `${record.data}\n${value}`;
    else if (name === "event" || name === "id" || name === "retry") record[name] = value;
  }
  return record;
}

function inTime<T>(next: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the service sent nothing for too long")), silence);
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
