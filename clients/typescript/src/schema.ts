// Generated from web/openapi.yaml by go test ./clients/typescript -update.
/** One attempt on a row. */
export type Attempt = {
  /** Number of the attempt, from 1. An interrupted or lost attempt may have the number of the next one. 0: the row ended without a run. */
  attempt: number;
  /** Version of the program that ran the attempt. Only for `ops:read`. */
  build: MaybeText;
  code: MaybeText;
  column: MaybeText;
  ended_at: MaybeTime;
  /** Text of a system fault. Only for `ops:read`. */
  error: MaybeText;
  /** Type of a system fault. Only for `ops:read`. */
  error_type: MaybeText;
  /** Fault of the row; for a system fault, a text without details. */
  message: MaybeText;
  /** `lost`: the process of the attempt ended without an outcome. */
  outcome: "running" | "finish" | "failed" | "retry" | "error" | "interrupted" | "lost";
  queued_at: MaybeTime;
  /** Stack of a panic. Only for `ops:read`. */
  stack: MaybeText;
  started_at: MaybeTime;
  value: MaybeText;
  /** Process that ran the attempt. Only for `ops:read`. */
  worker: MaybeText;
};
export type AuditEntry = {
  /** Name of the act. For a task and its rows: `create`, `pause`, `resume`, `cancel`, `cancel-rows`, `patch`, `fix`, `open`, `skip`, `accept`, `resubmit`, `undo` or `delete-row`. */
  act: string;
  /** Id of an act on rows, for `/undo`. */
  act_id?: string;
  after?: Cells;
  at: MaybeTime;
  before?: Cells;
  /** Id of an API key, `oidc:` and the name of a user, `local` without a credential, or `system` for the service. */
  by: string;
  /** Code of the fault that remains after an edit. */
  code?: string;
  /** Data of the act, such as its filter or the new limits. Null for an act without data. */
  detail: unknown;
  event_id: MaybeText;
  first_row?: number;
  last_row?: number;
  note?: string;
  /** Id of a task, key, webhook, delivery, schedule or file, or name of a queue, node or tenant. */
  target: string;
  /** Number of changed rows or keys. Null: the act is running, or its process died. */
  touched: number | null;
};
export type AuditList = {
  items: Array<AuditEntry>;
  next_cursor: NextCursor;
};
export type BusyKey = {
  /** Number of jobs. */
  count: number;
  /** Last error. */
  error: MaybeText;
  /** Key of the jobs; for a row without a key, id of the row. */
  id: string;
  /** Node that holds the lease; null: the lease has expired. */
  node: MaybeText;
  /** First jobs of the key. */
  payloads: Array<Payload>;
  /** Earliest time to run; null in the morgue. */
  perform_in: MaybeTime;
  /** Number of redeliveries. */
  redelivered: number;
  /** Number of the last retry of the first job, from 0; -1: the job has not failed, or the key is in the morgue. */
  retry_count: number;
  shard: number;
  /** Time at which the key came into the morgue; null outside the morgue. */
  updated_at: MaybeTime;
};
export type BusyKeyList = {
  items: Array<BusyKey>;
  next_cursor: NextCursor;
};
export type CancelAllRequest = {
  /** Run as a task; not with `dry_run` or a cursor. */
  as_task?: boolean;
  /** Only tasks created at this time or later; empty: at any time. */
  created_after?: string;
  /** Only tasks created before this time; empty: at any time. */
  created_before?: string;
  dry_run?: boolean;
  filter: WaitingFilter;
  /** Kind of the tasks; empty: all kinds. */
  kind?: string;
  note?: string;
};
export type CancelAnswer = {
  /** Of these, the canceled ones; 0 in a dry run. */
  canceled: number;
  dry_run: boolean;
  /** Waiting rows that the filter chooses. */
  matched: number;
  /** Of these, those that a worker had taken already; 0 in a dry run. */
  running: number;
};
export type CancelRequest = {
  dry_run?: boolean;
  filter?: WaitingFilter;
  ids?: RowIDs;
  note?: string;
};
/** One step of a cancel of the rows of all tasks. */
export type CancelTotal = {
  /** Of these, the canceled ones; 0 in a dry run. */
  canceled: number;
  dry_run: boolean;
  /** Waiting rows that the filter chooses. */
  matched: number;
  /** Repeat the request with this value as `cursor`; null: all tasks are done. */
  next_cursor: MaybeText;
  /** Of these, those that a worker had taken already; 0 in a dry run. */
  running: number;
  /** Tasks with such rows. */
  tasks: number;
};
/** Either `set` or `replace`. */
export type CellPatch = {
  replace?: {
    column: string;
    /** May be empty only with `whole`. */
    find?: string;
    /** Replaces only cells that equal `find`. Otherwise, each occurrence of `find` in a cell is replaced. */
    whole?: boolean;
    /** If it contains `find`, a repeated request changes cells again. After an error, undo the act first. */
    with?: string;
  };
  set?: RowEdit;
};
/** Texts by column; null is an empty cell. */
export type Cells = Record<string, string | null>;
export type Column = {
  /** The column of the kind; absent if it is none. */
  field?: string;
  /** The heading of the column in the file. */
  header: string;
};
/** `matched` = `resubmitted` + `still_invalid` + `refused` + `conflicts` + `unchanged`. */
export type CorrectionsAnswer = {
  changed: number;
  conflicts: number;
  dry_run: boolean;
  links: Links;
  matched: number;
  message: string;
  refused: number;
  resubmitted: number;
  /** Changed rows that do not run again. */
  rows: Array<{
    code: string;
    column: MaybeText;
    detail: string;
    event_id: string;
    /** Row in the corrected file. */
    row: number;
  }>;
  still_invalid: number;
  /** Rows in `resubmitted` that end as superseded, because a newer row of their key has finished. */
  superseded: number;
  unchanged: number;
  warnings: Array<string>;
};
export type CorrectionsForm = {
  dry_run?: "true" | "false" | "1" | "0" | "";
  file: Blob;
  /** `ImportOptions` as JSON, for how the file is read. */
  options?: string;
  /** `run` also runs superseded rows. */
  superseded?: "" | "run";
};
/** `total` = `enqueue` + `working` + `finish` + `failed` + `error` + `canceled`, at every instant. */
export type Counts = {
  canceled: number;
  enqueue: number;
  /** Rows with a system error that are not retried. */
  error: number;
  /** Rows that a user must correct, skip or accept. */
  failed: number;
  finish: number;
  /** Part of `enqueue`. */
  retrying: number;
  /** Part of `failed` and `error`, with the rows that users have accepted. */
  skipped: number;
  /** Part of `failed`. Rows that did not run because another row of their key counts. */
  superseded: number;
  total: number;
  /** No rows are being added any more. */
  total_is_final: boolean;
  working: number;
};
export type Delivery = {
  attempts: Array<{
    at: MaybeTime;
    duration_ms: number;
    error: MaybeText;
    response: MaybeText;
    /** HTTP status of the response. */
    status: number | null;
  }>;
  channel: "webhook" | "callback_url" | "callback";
  created_at: MaybeTime;
  id: string;
  message_id: string;
  next_try_at: MaybeTime;
  round: number;
  settled_at: MaybeTime;
  state: "waiting" | "delivered" | "dead";
  task_id: string;
  topic: "task.finished" | "task.first_failure" | "task.progress" | "export.ready" | "jobs.exhausted";
  tries: number;
  webhook_id: MaybeText;
};
export type DeliveryList = {
  items: Array<Delivery>;
  next_cursor: NextCursor;
};
export type Ended = {
  /** Number of revoked keys, including the named key or user. */
  keys: number;
  /** Number of paused schedules. */
  schedules: number;
  /** Number of disabled webhooks. */
  webhooks: number;
};
export type ErrorList = {
  items: Array<RowError>;
  next_cursor: NextCursor;
};
/** One row. */
export type Event = {
  attempt: number;
  /** All attempts, oldest first. */
  attempts: Array<Attempt>;
  code: MaybeText;
  column: MaybeText;
  /** Invalid columns, if there are several. */
  fields: Array<FieldFault>;
  finished_at: MaybeTime;
  hint: MaybeText;
  id: string;
  key: MaybeText;
  max_attempts: number;
  message: MaybeText;
  messages: Array<Message>;
  next_run_at: MaybeTime;
  /** Values of the row as texts, by column. */
  params: unknown;
  /** Time at which the row became ready to run; null until the row has started. */
  queued_at: MaybeTime;
  resolution: Resolution | null;
  /** Result of the handler. */
  result: unknown;
  /** Row number in the file, as users see it. */
  row: number;
  /** Number of the data row, from 1. */
  seq: number;
  sheet: MaybeText;
  started_at: MaybeTime;
  status: EventStatus;
  task_id: string;
  value: MaybeText;
  version: number;
};
export type EventList = {
  /** Ids of rows that are not on the page any more; only with `since`. */
  gone?: Array<string>;
  items: Array<Event>;
  next_cursor: NextCursor;
  /** Rows of the page and their versions, to be sent as `since`. */
  version: string;
};
/** At least one of the members. */
export type EventPatch = {
  note?: string;
  params?: RowEdit;
  /** `accepted` is for a row that stays as it is; it needs a note. */
  resolution?: "" | "open" | "fixed" | "skipped" | "accepted";
};
export type EventStatus = "enqueue" | "working" | "finish" | "failed" | "error" | "canceled";
export type Explanation = {
  event_id: string;
  reasons: Array<Reason>;
  status: EventStatus;
  task_id: string;
};
/** One place of a problem. */
export type Fault = {
  code: string;
  column?: string;
  detail: string;
  /** In the request: a JSON pointer, or `?name` of a parameter. */
  pointer?: string;
  row?: number;
};
export type FieldFault = {
  code: string;
  column: string;
  hint?: string;
  message: string;
  value: string;
};
export type FileProblem = {
  choices?: Array<string>;
  code: string;
  column?: string;
  detail: string;
  errors?: Array<{
    code: string;
    column?: string;
    detail: string;
    name?: string;
    near?: string;
    row?: number;
  }>;
  names?: Array<string>;
  row?: number;
  sheet?: string;
  suggested_mapping?: Texts;
};
/** A cause of bad rows. */
export type Group = {
  code: string;
  column: MaybeText;
  count: number;
  /** Type and text of the first of these faults. Only for `ops:read`. */
  fault: MaybeText;
  /** Fingerprint of the system faults of one type and text. Only for `ops:read`; other callers receive all faults with the same code as one group. A task has about 50 fingerprints; further faults share `other`. */
  fingerprint: MaybeText;
  first_row: number;
  fixed: number;
  open: number;
  skipped: number;
  status: EventStatus;
  /** Title of the code, in the language of the request. */
  title: string;
};
export type GroupList = {
  items: Array<Group>;
  next_cursor: NextCursor;
};
export type Health = {
  /** Revision of the build, or unknown. */
  commit: string;
  status: "ok";
  /** Such as v1.4.0, or unknown. */
  version: string;
};
export type HotKey = {
  count: number;
  id: string;
};
export type HotKeyList = {
  items: Array<HotKey>;
  next_cursor: NextCursor;
};
export type ImportForm = {
  /** xlsx, xlsm, csv, tsv, one JSON object a line, or a JSON list; each also as gzip or alone in a zip. */
  file: Blob;
  kind: string;
  name?: string;
  /** `ImportOptions` as JSON. */
  options?: string;
  parent_id?: string;
};
/** How the file is read and its rows are handled. The first six apply to tables in a file. */
export type ImportOptions = {
  /** Ids of tasks. No row runs before they have ended. The task is canceled with them. */
  after?: Array<string> | null;
  /** How the tasks in `after` must end. Default `any`. With `success`, a task with failures must first be repaired. */
  after_outcome?: "" | "any" | "success";
  /** Address that gets `task.finished`. */
  callback_url?: string;
  /** Decimal separator of numbers in texts: a comma or a point. Default: detected. */
  decimal?: string;
  /** What to do with the same file again. Default `none`. */
  dedup?: "" | "none" | "reuse" | "reject";
  /** Separator of the cells of a text file. Default: detected. */
  delimiter?: string;
  /** Which rows run if several have one key. Default `keep_all`. Under `latest` and `first`, rows that do not count end as `failed` with the code `SUPERSEDED`. */
  duplicates?: "" | "keep_all" | "latest" | "first" | "error";
  /** Character set of a text file, such as `windows-1251`. Default: detected. */
  encoding?: string;
  /** 0: the row is detected. */
  header_row?: number;
  /** The heading or column whose values are the keys of the rows, instead of the kind's key. */
  key_column?: string;
  labels?: Texts;
  /** Column for each heading; `""` leaves the heading out. */
  mapping?: Texts;
  /** With more failed rows, the task is canceled. */
  max_failures?: number | null;
  /** Default `best_effort`. */
  mode?: "" | "best_effort" | "all_or_nothing";
  /** Default `fail_row`. `block` pauses a task that has an invalid row. */
  on_invalid?: "" | "fail_row" | "block";
  parent_id?: string;
  priority?: number;
  retention_days?: number | null;
  /** No row runs before this time; the file is read at once. RFC 3339 with a zone. A past time means at once. */
  run_at?: string;
  /** The heading or column with the time before which a row does not run. Later rows of its key wait behind it. Blank or past: at once. Without a zone: UTC. */
  run_at_column?: string;
  /** Default: the first sheet with cells. */
  sheet?: string;
};
export type JobsAnswer = {
  accepted: number;
  items: Array<{
    /** Faults of a row that was not added. */
    errors?: Array<Fault>;
    /** Id of the added row. */
    id?: string;
    /** Index of the row in `rows`, from 0. */
    index: number;
  }>;
  links: Links;
  rejected: number;
};
export type JobsRequest = {
  rows: Array<Row>;
};
export type Key = {
  created_at: MaybeTime;
  created_by: string;
  expires_at: MaybeTime;
  id: string;
  last_used_at: MaybeTime;
  links: Links;
  name: string;
  /** Public prefix of the secret. */
  prefix: string;
  revoked_at: MaybeTime;
  role: "viewer" | "reviewer" | "operator" | "admin" | "owner";
  scopes: Array<string>;
  /** Shown once, in the response that creates it. */
  secret?: string;
  tenant: string;
};
export type KeyList = {
  items: Array<Key>;
  next_cursor: NextCursor;
};
export type KeyRequest = {
  expires_at?: string | null;
  name: string;
  role: Role;
};
export type KeysAnswer = {
  dry_run: boolean;
  /** Keys in `ids` to which the act does not apply, for example because they no longer exist. */
  not_found: Array<string>;
  /** Number of changed keys. */
  touched: number;
};
/** The keys, by `ids` or by `all`. A request with neither, or with both, is rejected. */
export type KeysRequest = {
  /** All keys of the tenant to which the act applies. */
  all?: boolean;
  /** Only count; change nothing. */
  dry_run?: boolean;
  /** Keys, from the lists. */
  ids?: Array<string>;
};
export type Kind = {
  columns: Array<KindColumn>;
  export?: KindExport;
  /** What the kind does with a row. */
  help: MaybeText;
  links?: Links;
  max_retries: number;
  name: string;
  /** JSON Schema of a row; absent if the kind accepts no rows. */
  schema?: Record<string, unknown>;
  shards: number;
  /** Title for users, in the language of the request. */
  title: string;
};
/** A column of the rows of a kind, or a parameter of its exports. */
export type KindColumn = {
  aliases: Array<string>;
  enum: Array<string>;
  example: MaybeText;
  /** Formats of a date, such as `YYYY-MM-DD`. */
  formats: Array<string>;
  hint: MaybeText;
  key: boolean;
  /** Usual values; a row may have others. */
  known: Array<string>;
  locale: MaybeText;
  name: string;
  /** What an empty value means. */
  none: MaybeText;
  required: boolean;
  rules: Array<{
    name: string;
    param: MaybeText;
  }>;
  /** Values are shown as `••••` and their last characters. */
  sensitive: boolean;
  /** Title for users, in the language of the request. */
  title: string;
  type: "text" | "number" | "integer" | "date" | "boolean";
  units: Array<string>;
  /** The values of this column decide which row of a key is the newest. */
  version: boolean;
};
/** Parameters, columns and formats of exports of the kind. */
export type KindExport = {
  columns: Array<{
    name: string;
    type: "text" | "number" | "integer" | "date" | "boolean";
  }>;
  formats: Array<string>;
  params: Array<KindColumn>;
  /** JSON Schema of `params`. */
  schema: Record<string, unknown>;
};
export type KindList = {
  items: Array<Kind>;
  next_cursor: NextCursor;
};
/** 0: the tenant has no limit of its own. */
export type LimitNumbers = {
  bytes: number;
  /** Highest priority of new tasks; 0 means 1000. */
  priority: number;
  rate: number;
  rows: number;
  /** Greatest number of schedules; 0 means 100. */
  schedules: number;
  slots: number;
  tasks: number;
  window: number;
};
/** 0: the tenant has no limit of its own. */
export type Limits = {
  /** Limits that the owner allows. Operators of the tenant can only set lower limits. */
  allowed: LimitNumbers;
  bytes: number;
  /** No further rows of the tenant are started. */
  paused: boolean;
  /** The owner of the service has paused the tenant, and only the owner can resume it. */
  paused_by_owner: boolean;
  /** Highest priority of new tasks; 0 means 1000. */
  priority: number;
  rate: number;
  rows: number;
  /** Part of the day in which rows start, such as `22:00-06:00 Europe/Berlin`; empty: the whole day. Only the owner of the service can set it. */
  run_hours: string;
  /** Greatest number of schedules; 0 means 100. */
  schedules: number;
  slots: number;
  tasks: number;
  tenant: string;
  /** Share of the tenant while other tenants wait, from 1 to 1000. Only the owner of the service can set it. */
  weight: number;
  window: number;
};
/** An absent limit is what the owner allows or, for the owner, the default of the service. */
export type LimitsRequest = {
  /** Bytes of uploads and results that are kept. */
  bytes?: number | null;
  /** No more rows of the tenant start; running ones finish. Absent: unchanged. */
  paused?: boolean | null;
  /** The highest priority of new tasks. */
  priority?: number | null;
  /** Requests a minute of all keys together. */
  rate?: number | null;
  /** Rows that have not ended. */
  rows?: number | null;
  /** Part of the day in which rows start, as `22:00-06:00 Europe/Berlin`; empty: the whole day. Needs `service:write`. Absent: unchanged. */
  run_hours?: string | null;
  /** Schedules. */
  schedules?: number | null;
  /** Rows in the queue or running at once. */
  slots?: number | null;
  /** Tasks that are not done. */
  tasks?: number | null;
  /** Share while other tenants wait; needs `service:write`. Absent or 0: unchanged. */
  weight?: number | null;
  /** Rows of one kind in the queue at once. */
  window?: number | null;
};
export type Links = Record<string, string>;
/** The columns to which the headings of a file were matched. */
export type Mapping = {
  headings: Array<string>;
  id: string;
  kind: string;
  made_by: string;
  /** Column for each heading, for options.mapping. */
  mapping: Texts;
  /** Given by a user; may be empty. */
  name: string;
  used_at: MaybeTime;
};
export type MappingList = {
  items: Array<Mapping>;
  next_cursor: NextCursor;
};
export type MaybeText = string | null;
export type MaybeTime = string | null;
export type Message = {
  at: MaybeTime;
  attempt: number;
  duration_ms: number;
  status: EventStatus;
  text: string;
};
/** Cursor of the next page; null on the last page. */
export type NextCursor = string | null;
export type Node = {
  /** Last heartbeat, by the clock of the node. */
  beat: MaybeTime;
  /** Greatest number of batches that the node runs at once. */
  concurrency: number;
  /** The node hands its shards over to other nodes. */
  draining: boolean;
  /** Jobs that the node has fetched and not settled. */
  in_flight: number;
  name: string;
  /** Number of running handler calls. */
  running: number;
  /** Shards that the node owns, by queue. */
  shards: Record<string, Array<string>>;
};
export type NodeList = {
  items: Array<Node>;
  next_cursor: NextCursor;
};
export type Payload = {
  /** Id of the row; null for a kind that is not tracked. */
  event_id: MaybeText;
  /** Values; sensitive columns are masked. */
  params: unknown;
  row: number | null;
  /** Order of the jobs within the key, lowest first. */
  score: number;
  task_id: MaybeText;
};
export type PressAnswer = {
  act: "repair" | "skip" | "accept" | "open" | "resubmit" | "undo";
  /** Id of the act, for `/undo`. Null: the act changed nothing that can be undone. */
  act_id: MaybeText;
  changed: number;
  /** Rows that were changed in the meantime. */
  conflicts: number;
  /** Changed rows; 0 in a dry run. */
  done: number;
  dry_run: boolean;
  links: Links;
  matched: number;
  /** Of these, the rows that run again; 0 in a dry run. */
  resubmitted: number;
  sample: Array<{
    after: Cells;
    before: Cells;
    event_id: string;
    fields: Array<FieldFault>;
    row: number;
  }>;
  still_invalid: number;
  /** Rows that do not run; a dry run counts them too. If a newer row of their key has finished, they are resubmitted and end as superseded. If another row of their key counts under `duplicates` of `latest` or `first`, they stay superseded. */
  superseded: number;
  valid: number;
};
/** One step of an act on the rows of all tasks. */
export type PressTotal = {
  act: "skip" | "accept" | "open" | "resubmit";
  /** Tasks whose rows can no longer be changed, such as canceled ones. */
  closed: number;
  /** Rows that were changed in the meantime. */
  conflicts: number;
  /** Changed rows; 0 in a dry run. */
  done: number;
  dry_run: boolean;
  matched: number;
  /** Repeat the request with this value as `cursor`; null: all tasks are done. */
  next_cursor: MaybeText;
  /** Of these, the rows that run again; 0 in a dry run. */
  resubmitted: number;
  still_invalid: number;
  /** As in the response for one task. */
  superseded: number;
  /** Tasks with matching rows. */
  tasks: number;
};
export type Preview = {
  columns: Array<Column>;
  counts: {
    invalid: number;
    total: number;
    total_is_final: boolean;
    valid: number;
  };
  delimiter: MaybeText;
  duplicates: {
    examples: Array<{
      first_row: number;
      key: string;
      row: number;
    }>;
    /** Keys that occur more than once. */
    keys: number;
    /** Rows whose key an earlier row of the file has. */
    rows: number;
  };
  encoding: MaybeText;
  error_groups: Array<{
    code: string;
    column: MaybeText;
    count: number;
    first_row: number;
    hint?: string;
    message: string;
    value: string;
  }>;
  /** Expected duration in seconds, computed from the last tasks of the kind. */
  estimate_s: number | null;
  format: string;
  header_row: number | null;
  kind: string;
  missing: Array<{
    field: string;
    /** The most similar heading of the file. */
    nearest?: string;
  }>;
  /** Name of the file. */
  name: string;
  problem: FileProblem | null;
  rows: Array<{
    /** The cells as the file has them. */
    cells: unknown;
    errors: Array<FieldFault> | null;
    key?: string;
    row: number;
    /** The values that the handler gets. */
    values: Record<string, unknown> | null;
  }>;
  sheet: MaybeText;
  sheets: Array<string>;
  suggested_mapping: Texts;
  /** Headings that match no column of the kind. */
  unknown: Array<string>;
  /** Columns with values that are none of their usual values. Handlers may refuse them. */
  unusual: Array<{
    column: string;
    /** Number of valid rows with such a value. */
    count: number;
    first_row: number;
    /** The most frequent of these values. */
    values: Array<string>;
  }>;
  warnings: Array<string>;
};
/** Problem details of RFC 9457. */
export type Problem = {
  /** Values of an option that would solve the problem. */
  choices?: Array<string>;
  /** Stable: see the codes of this document. */
  code: string;
  /** Text for users, in the language of the request. */
  detail: string;
  errors?: Array<Fault>;
  /** The requested address. */
  instance: string;
  request_id: string;
  status: number;
  /** For `options.mapping`: heading to column. */
  suggested_mapping?: Texts;
  title: string;
  type: string;
  /** The current version of a row or schedule that has changed. */
  version?: number;
};
export type Progress = {
  eta_s: number | null;
  message: MaybeText;
  /** Floored percentage; 100 only when the task is done, null while rows are added. */
  percent: number | null;
  phase: "waiting" | "reading" | "processing" | "paused" | "canceling" | "done";
  processed: number;
  rate_per_s: number | null;
};
/** Tenants share a queue. Counts that only `service:read` gets are of keys, each of which has one or more jobs. */
export type Queue = {
  /** Rows that may start and have not started, in the ledger and in Redis. Counted at most 10 minutes ago, for the tenant or, with `service:read`, for all tenants. */
  backlog: number;
  /** Keys that a process has fetched. */
  busy?: number;
  /** Total number of attempts that failed. */
  failed?: number;
  fresh?: number;
  /** Rows that are not in Redis yet, including rows of paused tasks and tenants. Counted at most 10 minutes ago, for the tenant or, with `service:read`, for all tenants. */
  in_ledger: number;
  /** Waiting time, in seconds, of the oldest row that may run: of the tenant, in the ledger; with `service:read`, of all tenants, in the ledger or in Redis. */
  lag: number;
  /** Waiting keys: `fresh` and `retries` together. */
  length?: number;
  /** Keys in the morgue. */
  morgue_length?: number;
  name: string;
  /** Processes that own its shards; 0: no process runs its jobs. */
  nodes?: number;
  /** No further jobs of the queue are started. */
  paused: boolean;
  /** Total number of jobs that were done. */
  processed?: number;
  /** Reasons why the queue does not move, with the codes of `explain` of a row. Empty while the queue moves or no row waits. */
  reasons: Array<Reason>;
  /** Keys are still moving from the earlier shards. This field and the following fields are only for `service:read`. */
  resharding?: boolean;
  retries?: number;
  shards?: number;
};
export type QueueKey = {
  /** Number of jobs. */
  count: number;
  /** Last error. */
  error: MaybeText;
  /** Key of the jobs; for a row without a key, id of the row. */
  id: string;
  /** First jobs of the key. */
  payloads: Array<Payload>;
  /** Earliest time to run; null in the morgue. */
  perform_in: MaybeTime;
  /** Number of the last retry of the first job, from 0; -1: the job has not failed, or the key is in the morgue. */
  retry_count: number;
  /** Time at which the key came into the morgue; null outside the morgue. */
  updated_at: MaybeTime;
};
export type QueueKeyList = {
  items: Array<QueueKey>;
  next_cursor: NextCursor;
};
export type QueueList = {
  items: Array<Queue>;
  next_cursor: NextCursor;
};
export type QueueStats = {
  /** Waiting time, in seconds, of the oldest row that may run, in the ledger or in Redis. */
  lag: number;
  length: number;
  morgue_length: number;
};
export type Readiness = {
  ledger: "ok";
  queue: "ok" | "away";
  status: "ready";
};
export type Reason = {
  /** Time since which, or until which, the reason applies. */
  at: MaybeTime;
  /** Id of the row of the same key that runs first; for BEHIND_TASK and BEHIND_FILE, id of the task. */
  behind: MaybeText;
  /** Later versions may add codes. */
  code: "FILE_UNREAD" | "TASK_HELD" | "TASK_PAUSED" | "TASK_CANCELING" | "TASK_NOT_YET" | "AFTER_TASKS" | "AFTER_SUCCESS" | "QUEUE_AWAY" | "QUEUE_PAUSED" | "NO_WORKER" | "SHARD_UNOWNED" | "SCRIPT_FAILS" | "NO_PROGRESS" | "STRANDED" | "RUNNING" | "FETCHED" | "RUN_LOST" | "BEHIND_ROW" | "WAITS_FOR_RETRY" | "WAITS_FOR_ITS_TIME" | "LIMIT_AT_ONCE" | "LIMIT_RATE" | "DUE" | "LOST" | "OUTSIDE_RUN_HOURS" | "TENANT_PAUSED" | "TENANTS_PAUSED" | "TENANT_SLOTS" | "TENANTS_SLOTS" | "TENANT_TURN" | "KEYS_FILL_WINDOW" | "NOT_PUSHED" | "BEHIND_TASK" | "BEHIND_FILE" | "NOT_FED" | "FINISHED" | "SUPERSEDED" | "CANCELED" | "DUPLICATE" | "FAILED" | "GIVEN_UP" | "IN_MORGUE" | "SKIPPED" | "ACCEPTED";
  /** Reason as a sentence, in the language of the request. */
  detail: string;
  /** Next step, in the language of the request. */
  hint: MaybeText;
  /** Node that runs the row. Only for `ops:read`. */
  node: MaybeText;
  /** Number of rows that run before this row. */
  place: number | null;
};
export type Removed = {
  /** Number of tasks whose rows and files were deleted. */
  emptied: number;
};
/** The rows, by `filter` or `ids`, and the change. */
export type RepairRequest = {
  dry_run?: boolean;
  filter?: RowFilter;
  ids?: RowIDs;
  note?: string;
  patch: CellPatch;
};
export type RequeueAnswer = {
  /** Rows that were changed in the meantime. */
  conflicts: number;
  dry_run: boolean;
  /** Keys in `ids` to which the act does not apply, for example because they no longer exist. */
  not_found: Array<string>;
  /** Rows that run again. */
  resubmitted: number;
  /** Invalid rows, which stay in the morgue. */
  still_invalid: number;
  /** Rows that will not run, because a newer row of their key has finished. */
  superseded: number;
  /** Number of changed keys. */
  touched: number;
};
/** The members of `KeysRequest`, and whether superseded rows run. */
export type RequeueRequest = {
  /** All keys of the tenant that are in the morgue. */
  all?: boolean;
  /** Only count; change nothing. */
  dry_run?: boolean;
  /** Keys, from the lists. */
  ids?: Array<string>;
  /** `run` also runs rows that a newer row of their key has superseded. */
  superseded?: "" | "run";
};
export type ReshardRequest = {
  shards: number;
};
/** What a user has decided about the row. */
export type Resolution = {
  at: MaybeTime;
  by: MaybeText;
  note: MaybeText;
  state: ResolutionState;
};
export type ResolutionState = "open" | "fixed" | "skipped" | "accepted" | "resubmitted" | "superseded";
export type ResubmitAllRequest = {
  /** Run as a task; not with `dry_run` or a cursor. */
  as_task?: boolean;
  dry_run?: boolean;
  filter: RowFilter;
  /** Kind of the tasks; empty: all kinds. Required with `patch`. */
  kind?: string;
  note?: string;
  patch?: CellPatch;
  /** As for `POST /tasks/{id}/resubmit`. */
  superseded?: "" | "run";
};
/** The rows, by `filter` or `ids`, and a change before they run. */
export type ResubmitRequest = {
  dry_run?: boolean;
  filter?: RowFilter;
  ids?: RowIDs;
  note?: string;
  patch?: CellPatch;
  /** `run` also runs rows that a newer row of their key has superseded. */
  superseded?: "" | "run";
};
export type ResumeDryRun = {
  dry_run: boolean;
  /** Waiting rows that would not run. */
  superseded: number;
  /** Waiting rows with a key, at most 10,000. */
  waiting: number;
};
export type ResumeRequest = {
  /** Only count; change nothing. */
  dry_run?: boolean;
  /** `run` also runs rows that a newer row of their key has superseded. */
  superseded?: "" | "run";
};
export type Role = "viewer" | "reviewer" | "operator" | "admin";
export type RotateRequest = {
  /** Seconds. Default: a day. */
  grace_s?: number | null;
};
/** Values by column. */
export type Row = Record<string, string | number | boolean | null>;
/** Values by column; null clears a cell. */
export type RowEdit = Record<string, string | number | boolean | null>;
/** A bad row, in short. */
export type RowError = {
  /** Code of the cause. A corrected row keeps it. */
  code: MaybeText;
  column: MaybeText;
  event_id: string;
  hint: MaybeText;
  /** Null for a corrected row, like `value` and `hint`. */
  message: MaybeText;
  /** What a user has decided about the row: `fixed` for a corrected row. */
  resolution: ResolutionState;
  /** Row number in the file, as users see it. */
  row: number;
  status: EventStatus;
  value: MaybeText;
};
/** Chooses bad rows. Without a condition, `{}` chooses all bad rows. An empty condition is rejected. `/resubmit` takes the status `finish`, too, with `build` or `finished_gte`, for example for rows that a bad deploy ran. */
export type RowFilter = {
  /** The version of the program that last ran the row. */
  build?: string;
  code?: string;
  column?: string;
  fingerprint?: string;
  /** Rows that came to rest at this time or later. */
  finished_gte?: string;
  /** Rows that came to rest before this time. */
  finished_lt?: string;
  key?: string;
  /** A text in the messages or cells of the row. In an act on the rows of one task, also its number in the file. */
  q?: string;
  /** `skipped` chooses accepted rows, too. */
  resolution?: "open" | "fixed" | "skipped" | "accepted" | "superseded";
  row_gte?: number;
  /** `failed`, `error` or `finish`, or several with commas. */
  status?: string;
};
export type RowIDs = Array<string>;
export type RunProblem = {
  /** Code that `POST /api/v1/tasks` would return. */
  code: string;
  detail: string;
  /** Time of the next attempt of this run; null: the run was given up. */
  retry_at: MaybeTime;
  tries: number;
};
export type Schedule = {
  catch_up: "skip" | "once" | "all";
  created_at: MaybeTime;
  /** The user who created or last resumed the schedule; its tasks get this `created_by`. */
  created_by: string;
  cron: string;
  id: string;
  kind: string;
  /** Time at which the last task was created. */
  last_run_at: MaybeTime;
  last_task_id: MaybeText;
  links: Links;
  name: string;
  /** Planned time of the next run; null while the schedule is paused. */
  next_run_at: MaybeTime;
  paused: boolean;
  /** Reason why the last run could not start; null after a run has started. */
  problem: RunProblem | null;
  request: ScheduledRequest;
  time_zone: string;
  type: string;
  updated_at: MaybeTime;
  /** Version of the fields that users can change; also the ETag. */
  version: number;
};
export type ScheduleList = {
  items: Array<Schedule>;
  next_cursor: NextCursor;
};
export type SchedulePatch = {
  /** Runs whose time passed while the service was down. `skip`: runs that are over five minutes late are dropped. `once`: the last missed run starts. `all`: the last hundred missed runs start. */
  catch_up?: "skip" | "once" | "all";
  /** Minute, hour, day of month, month and day of week; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. `L`, `W` and `#` work in the days. The shortest interval is a minute. */
  cron?: string;
  /** Name of the schedule, and of its tasks if the request has no name. */
  name?: string;
  request?: ScheduledRequest;
  /** Name of an IANA time zone, such as `Europe/Berlin`. */
  time_zone?: string;
};
export type ScheduleRequest = {
  /** Runs whose time passed while the service was down. `skip`: runs that are over five minutes late are dropped. `once`: the last missed run starts. `all`: the last hundred missed runs start. */
  catch_up?: "skip" | "once" | "all";
  /** Minute, hour, day of month, month and day of week; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. `L`, `W` and `#` work in the days. The shortest interval is a minute. */
  cron: string;
  /** Name of the schedule, and of its tasks if the request has no name. */
  name: string;
  request: ScheduledRequest;
  /** Name of an IANA time zone, such as `Europe/Berlin`. */
  time_zone?: string;
};
/** A request for `POST /api/v1/tasks` in JSON, up to 64 kB, without `open` and `parent_id`. */
export type ScheduledRequest = Record<string, unknown>;
export type Secret = {
  secret: string;
};
export type Shard = {
  busy: number;
  /** Number of times that the number of shards had changed before this shard was created. */
  cut: number;
  /** Waiting time of the most overdue key, in seconds. */
  lag: number;
  length: number;
  morgue_length: number;
  /** Node that owns the shard. */
  owner: MaybeText;
  retries: number;
  shard: number;
};
export type ShardList = {
  items: Array<Shard>;
  next_cursor: NextCursor;
};
export type SkipAllRequest = {
  /** Run as a task; not with `dry_run` or a cursor. */
  as_task?: boolean;
  dry_run?: boolean;
  filter: RowFilter;
  /** Kind of the tasks; empty: all kinds. */
  kind?: string;
  note?: string;
  /** As for `POST /tasks/{id}/skip`. */
  state?: "" | "skipped" | "accepted" | "open";
};
/** The rows, by `filter` or `ids`. */
export type SkipRequest = {
  dry_run?: boolean;
  filter?: RowFilter;
  ids?: RowIDs;
  note?: string;
  /** `accepted` accepts the rows as they are, with the note as the reason. `open` undoes both. */
  state?: "" | "skipped" | "accepted" | "open";
};
/** The file, and how it was read. */
export type Source = {
  columns: Array<Column> | null;
  delimiter: MaybeText;
  encoding: MaybeText;
  file_id: string;
  format: "xlsx" | "csv" | "tsv" | "jsonl" | "json" | "";
  header_row: number | null;
  name: string;
  sha256: string;
  sheet: MaybeText;
  /** Size in bytes. */
  size: number;
};
export type Stats = {
  by_worker: Record<string, QueueStats>;
  total: QueueStats;
};
export type Task = {
  /** Tasks that must end before this task starts. */
  after?: {
    /** `success`: the tasks must end with success. */
    outcome: "any" | "success";
    /** Ids of the tasks. */
    tasks: Array<string>;
    /** Number of the tasks that have not ended with this outcome yet. */
    waiting: number;
  };
  /** Numbers of the child tasks, for which this task waits. */
  children?: {
    done: number;
    total: number;
  };
  counts: Counts;
  created_at: MaybeTime;
  /** Id of an API key, `oidc:` and the name of a user, or `local` without a credential. */
  created_by: string;
  /** Another request with the same file made the task: see `options.dedup`. Absent if this request made it, also in an earlier attempt. */
  deduplicated?: boolean;
  /** The task has ended. It changes again only on request. */
  done: boolean;
  error_groups: Array<Group>;
  errors: Array<RowError>;
  expires_at: MaybeTime;
  finished_at: MaybeTime;
  id: string;
  kind: string;
  labels: Texts | null;
  links: Links;
  name: string;
  /** Values of `ImportOptions` with which the file was read. */
  options: Record<string, unknown> | null;
  outcome: "success" | "partial" | "failure" | "canceled" | null;
  parent_id?: string;
  /** Planned time of the run; absent for a manual run. */
  planned_at?: Time;
  priority: number;
  problem: TaskProblem | null;
  progress: Progress;
  /** File that an export has written. */
  result: {
    /** Time at which the file was deleted. */
    expired_at?: Time;
    file_id: MaybeText;
    name?: string;
    /** Number of rows, without the headings. */
    rows?: number;
    /** In hexadecimal. */
    sha256?: string;
    /** Size in bytes. */
    size?: number;
  };
  /** Grows with each resubmission, also while the task runs. Within a round, rows that are at rest stay so. */
  round: number;
  /** The task does not start before this time. */
  run_at?: Time;
  /** Schedule that created the task. */
  schedule_id?: string;
  source: Source | null;
  started_at: MaybeTime;
  status: TaskStatus;
  tenant: string;
  type: "import" | "export" | "batch";
  version: number;
  warnings: Array<string>;
};
export type TaskExplanation = {
  /** First waiting row or, without one, first running row; null: no row waits or runs. */
  event_id: MaybeText;
  /** Rows in Redis, waiting or running. Other rows with the status enqueue wait in the database until Redis has room for them. */
  queued: number;
  reasons: Array<Reason>;
  status: TaskStatus;
  task_id: string;
};
export type TaskList = {
  items: Array<Task>;
  next_cursor: NextCursor;
};
/** Why the file of a task could not be read, or why the task does not run. */
export type TaskProblem = {
  code: string;
  column?: string;
  detail: string;
  row?: number;
};
/** Rows to import, or an open task, or an export. The members after `options` are for exports. */
export type TaskRequest = {
  /** For csv and tsv in Unicode: the file begins with a byte order mark, so that Excel detects the character set. Default: false. */
  bom?: boolean;
  /** Columns of the file, in this order. Default: all. */
  columns?: Array<string>;
  /** Not for xlsx. */
  compression?: "gzip" | "zip";
  /** For csv: a comma, a semicolon, a tab or a bar. Default: `,`. */
  delimiter?: string;
  /** For csv and tsv: the WHATWG name of a character set. Default: `utf-8`. */
  encoding?: string;
  format?: "xlsx" | "csv" | "tsv" | "jsonl";
  kind: string;
  labels?: Texts;
  /** Default: the name of the file. An export has no default. */
  name?: string;
  /** Rows are added later, at `/jobs`. The request has no `rows`. */
  open?: boolean;
  options?: ImportOptions;
  /** Parameters of an export, as the kind describes them. */
  params?: Row;
  /** Id of a task that waits for this one. */
  parent_id?: string;
  /** Tasks with a greater priority start sooner. */
  priority?: number;
  /** For csv and tsv: texts as they are, without an apostrophe before formulas. For programs. Default: false. */
  raw?: boolean;
  rows?: Array<Row>;
  type?: "import" | "export";
  /** An upload that has all its bytes, instead of `rows`. A repeated request returns the same task. */
  upload_id?: string;
};
export type TaskStatus = "open" | "splitting" | "running" | "paused" | "canceling" | "finished" | "finished_with_failures" | "failed" | "canceled";
export type TaskTree = {
  /** Sums over all tasks. */
  counts: Counts;
  /** All tasks are done. */
  done: boolean;
  /** The tree has more than 1,000 tasks; further tasks are not counted. */
  more: boolean;
  /** Floored percentage of all rows; 100 only when all tasks are done, null while rows are added to a task. */
  percent: number | null;
  task_id: string;
  /** The task, its children, the tasks after which it starts, and the same of all these tasks. Newest first. */
  tasks: Array<TreeTask>;
};
/** A tenant with its limits and usage. */
export type Tenant = {
  /** Limits that the owner allows. Operators of the tenant can only set lower limits. */
  allowed: LimitNumbers;
  bytes: number;
  /** No further rows of the tenant are started. */
  paused: boolean;
  /** The owner of the service has paused the tenant, and only the owner can resume it. */
  paused_by_owner: boolean;
  /** Highest priority of new tasks; 0 means 1000. */
  priority: number;
  rate: number;
  rows: number;
  /** Part of the day in which rows start, such as `22:00-06:00 Europe/Berlin`; empty: the whole day. Only the owner of the service can set it. */
  run_hours: string;
  /** Greatest number of schedules; 0 means 100. */
  schedules: number;
  slots: number;
  tasks: number;
  tenant: string;
  use: TenantUse;
  /** Share of the tenant while other tenants wait, from 1 to 1000. Only the owner of the service can set it. */
  weight: number;
  window: number;
};
export type TenantList = {
  items: Array<Tenant>;
  next_cursor: NextCursor;
};
export type TenantUse = {
  /** Bytes of stored files. */
  bytes: number;
  /** Rows in the queue or running; their limit is `slots`. */
  queued: number;
  /** Rows that have not ended. */
  rows: number;
  /** Tasks that are not done. */
  tasks: number;
};
export type Texts = Record<string, string>;
export type Time = string;
export type Topic = "task.finished" | "task.first_failure" | "task.progress" | "export.ready";
export type Touched = {
  /** Number of changed keys; 1 for a queue or a node; for a reshard, the new number of shards. 0: nothing has changed. */
  touched: number;
};
export type TreeTask = {
  after?: {
    /** `success`: the tasks must end with success. */
    outcome: "any" | "success";
    /** Ids of the tasks. */
    tasks: Array<string>;
    /** Number of the tasks that have not ended with this outcome yet. */
    waiting: number;
  };
  counts: Counts;
  id: string;
  kind: string;
  name: string;
  parent_id?: string;
  status: TaskStatus;
};
export type UndoRequest = {
  /** `act_id` of the response to the act, or of an entry of `/audit`. */
  act_id: string;
  /** Only count; change nothing. */
  dry_run?: boolean;
};
/** A file that arrives in parts and has no task yet. */
export type Upload = {
  expires_at: MaybeTime;
  /** For upload_id of POST /api/v1/tasks. */
  id: string;
  links: Links;
  /** Name of the file. */
  name: string;
  /** Number of stored bytes. */
  offset: number;
  /** Size in bytes. */
  size: number;
};
/** Chooses waiting rows. Without a condition, `{}` chooses all waiting rows. An empty condition is rejected. `code` and `column` are those of the last failure of a row that waits to run again. */
export type WaitingFilter = {
  code?: string;
  column?: string;
  key?: string;
  /** A text in the cells, or in the message, code or value of the last failure. */
  q?: string;
  row_gte?: number;
};
export type Webhook = {
  created_at: MaybeTime;
  disabled_at: MaybeTime;
  enabled: boolean;
  id: string;
  links: Links;
  /** Shown once, in the response that creates it. */
  secret?: string;
  topics: Array<Topic>;
  url: string;
};
export type WebhookList = {
  items: Array<Webhook>;
  next_cursor: NextCursor;
};
export type WebhookRequest = {
  /** Default: all but `task.progress`. */
  topics?: Array<Topic> | null;
  url: string;
};

/** What each operation takes, and answers. */
export interface Operations {
  /** Lists the audit log of the tenant, newest first */
  listAudit: {
    path: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: AuditList;
  };
  /** Downloads the audit log of the tenant as a file, oldest first */
  exportAudit: {
    path: {};
    query: { format?: "jsonl" | "csv"; at_gte?: string; at_lt?: string };
    body: undefined;
    answer: Response;
  };
  /** Returns one row with its history */
  getEvent: {
    path: { id: string };
    query: { fields?: string };
    body: undefined;
    answer: Event;
  };
  /** Repairs or skips one bad row */
  patchEvent: {
    path: { id: string };
    query: {};
    body: EventPatch;
    answer: Event;
  };
  /** Deletes the contents of one row */
  deleteEvent: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Explains why a row waits, runs or has ended */
  explainEvent: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Explanation;
  };
  /** Downloads an upload or the file of an export, byte for byte */
  getFile: {
    path: { id: string };
    query: { expires?: string; account?: string; by?: string; signature?: string };
    body: undefined;
    answer: Response;
  };
  /** Creates a link to the file, which expires and needs no credential */
  createLink: {
    path: { id: string };
    query: {};
    body: {
  /** Seconds. */
  expires_in?: number;
};
    answer: {
  expires_at: Time;
  /** Relative to this service. */
  url: string;
};
  };
  /** Previews an import: validates a request of `POST /api/v1/tasks` without storing it */
  previewImport: {
    path: {};
    query: { kind?: string; name?: string; parent_id?: string; options?: string };
    body: TaskRequest | string | FormData;
    answer: Preview;
  };
  /** Lists the keys of the tenant, newest first, with revoked and expired keys */
  listKeys: {
    path: {};
    query: { tenant?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: KeyList;
  };
  /** Creates a key */
  createKey: {
    path: {};
    query: {};
    body: KeyRequest;
    answer: Key;
  };
  /** Revokes a key or a user */
  revokeKey: {
    path: { id: string };
    query: { with_made?: boolean };
    body: undefined;
    answer: Ended;
  };
  /** Lists changes of a key, newest first */
  listKeyAudit: {
    path: { id: string };
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: AuditList;
  };
  /** Replaces the secret of a key; the new secret is shown once */
  rotateKey: {
    path: { id: string };
    query: {};
    body: RotateRequest | undefined;
    answer: Key;
  };
  /** Lists the kinds of imports and exports */
  listKinds: {
    path: {};
    query: {};
    body: undefined;
    answer: KindList;
  };
  /** Returns one kind with its columns */
  getKind: {
    path: { kind: string };
    query: {};
    body: undefined;
    answer: Kind;
  };
  /** Downloads a template, a file to fill in */
  getTemplate: {
    path: { kind: string };
    query: { format?: "xlsx" | "csv" };
    body: undefined;
    answer: Response;
  };
  /** Lists the stored column mappings, the last used first */
  listMappings: {
    path: {};
    query: {};
    body: undefined;
    answer: MappingList;
  };
  /** Deletes a stored column mapping */
  deleteMapping: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Lists the processes that run jobs, as of their last heartbeats */
  listNodes: {
    path: {};
    query: {};
    body: undefined;
    answer: NodeList;
  };
  /** Drains a process: it hands its shards over to other processes */
  drainNode: {
    path: { node: string };
    query: {};
    body: undefined;
    answer: Touched;
  };
  /** Ends the draining of a process: it takes shards again */
  undrainNode: {
    path: { node: string };
    query: {};
    body: undefined;
    answer: Touched;
  };
  /** Lists the queues, in order of name */
  listQueues: {
    path: {};
    query: {};
    body: undefined;
    answer: QueueList;
  };
  /** Returns one queue */
  getQueue: {
    path: { queue: string };
    query: {};
    body: undefined;
    answer: Queue;
  };
  /** Lists the keys of the tenant that a process has fetched */
  listBusyJobs: {
    path: { queue: string };
    query: { limit?: number };
    body: undefined;
    answer: BusyKeyList;
  };
  /** Deletes keys of the tenant that wait for a retry */
  deleteFailed: {
    path: { queue: string };
    query: {};
    body: KeysRequest;
    answer: KeysAnswer;
  };
  /** Lists the waiting keys of the tenant in Redis */
  listQueueJobs: {
    path: { queue: string };
    query: { by?: "id" | "perform_in" | "retry_count"; dir?: "asc" | "desc"; fields?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: QueueKeyList;
  };
  /** Lists the keys of the tenant with the most waiting jobs */
  listHotKeys: {
    path: { queue: string };
    query: { top?: number };
    body: undefined;
    answer: HotKeyList;
  };
  /** Moves keys of the tenant that wait for a retry to the morgue */
  killFailed: {
    path: { queue: string };
    query: {};
    body: KeysRequest;
    answer: KeysAnswer;
  };
  /** Lists the keys of the tenant in the morgue, whose jobs were given up */
  listMorgue: {
    path: { queue: string };
    query: { tenant?: string; by?: "id" | "updated_at"; dir?: "asc" | "desc"; fields?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: QueueKeyList;
  };
  /** Deletes keys from the morgue */
  deleteMorgue: {
    path: { queue: string };
    query: {};
    body: KeysRequest;
    answer: KeysAnswer;
  };
  /** Runs jobs in the morgue again */
  requeueMorgue: {
    path: { queue: string };
    query: {};
    body: RequeueRequest;
    answer: RequeueAnswer;
  };
  /** Pauses a queue: no more of its jobs start */
  pauseQueue: {
    path: { queue: string };
    query: {};
    body: undefined;
    answer: Touched;
  };
  /** Makes waiting keys of the tenant due now */
  performAllNow: {
    path: { queue: string };
    query: {};
    body: KeysRequest;
    answer: KeysAnswer;
  };
  /** Changes the number of shards of a queue */
  reshardQueue: {
    path: { queue: string };
    query: {};
    body: ReshardRequest;
    answer: Touched;
  };
  /** Resumes a paused queue */
  resumeQueue: {
    path: { queue: string };
    query: {};
    body: undefined;
    answer: Touched;
  };
  /** Lists the shards of a queue and their owners */
  listShards: {
    path: { queue: string };
    query: {};
    body: undefined;
    answer: ShardList;
  };
  /** Cancels waiting rows of all tasks */
  cancelAllRows: {
    path: {};
    query: { cursor?: string };
    body: CancelAllRequest;
    answer: CancelTotal | Task;
  };
  /** Runs bad rows of all tasks again, edited or not */
  resubmitAllRows: {
    path: {};
    query: { cursor?: string };
    body: ResubmitAllRequest;
    answer: PressTotal | Task;
  };
  /** Skips or accepts bad rows of all tasks, or opens them again */
  skipAllRows: {
    path: {};
    query: { cursor?: string };
    body: SkipAllRequest;
    answer: PressTotal | Task;
  };
  /** Lists the schedules of the tenant, newest first */
  listSchedules: {
    path: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: ScheduleList;
  };
  /** Creates a schedule */
  createSchedule: {
    path: {};
    query: {};
    body: ScheduleRequest;
    answer: Schedule;
  };
  /** Returns one schedule */
  getSchedule: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Schedule;
  };
  /** Changes a schedule */
  patchSchedule: {
    path: { id: string };
    query: {};
    body: SchedulePatch;
    answer: Schedule;
  };
  /** Deletes a schedule; its tasks stay */
  deleteSchedule: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Pauses a schedule */
  pauseSchedule: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Schedule;
  };
  /** Resumes a paused schedule; missed times are skipped */
  resumeSchedule: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Schedule;
  };
  /** Creates a task of a schedule now, even while the schedule is paused */
  runSchedule: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Task;
  };
  /** Returns what waits in Redis, per kind */
  getStats: {
    path: {};
    query: {};
    body: undefined;
    answer: Stats;
  };
  /** Lists tasks, newest first by default */
  listTasks: {
    path: {};
    query: { status?: TaskStatus; kind?: string; label?: string; created_by?: string; created_after?: string; created_before?: string; q?: string; sort?: "-created_at" | "created_at"; fields?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: TaskList;
  };
  /** Starts an import or an export */
  createTask: {
    path: {};
    query: { kind?: string; name?: string; parent_id?: string; options?: string };
    body: TaskRequest | string | FormData;
    answer: Task;
  };
  /** Returns a task, to be polled: counts, progress, the first 20 errors, causes */
  getTask: {
    path: { id: string };
    query: { wait?: number; fields?: string };
    body: undefined;
    answer: Task;
  };
  /** Deletes a task that is done */
  deleteTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Lists changes of a task and its rows, newest first */
  listTaskAudit: {
    path: { id: string };
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: AuditList;
  };
  /** Cancels a task */
  cancelTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Task;
  };
  /** Closes an open task, so that no more rows can be added */
  closeTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Task;
  };
  /** Uploads a corrected result file */
  correctRows: {
    path: { id: string };
    query: { dry_run?: boolean };
    body: FormData;
    answer: CorrectionsAnswer;
  };
  /** Lists deliveries of a task, newest first */
  listTaskDeliveries: {
    path: { id: string };
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: DeliveryList;
  };
  /** Sends a delivery again */
  replayTaskDelivery: {
    path: { id: string; delivery: string };
    query: {};
    body: undefined;
    answer: Delivery;
  };
  /** Lists the causes of the bad rows of a task */
  listErrorGroups: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: GroupList;
  };
  /** Lists the rows of a task that failed or are in error */
  listErrors: {
    path: { id: string };
    query: { status?: string; code?: string; column?: string; key?: string; row_gte?: number; fingerprint?: string; build?: string; finished_gte?: string; finished_lt?: string; q?: string; resolution?: ResolutionState; superseded?: "true" | "false"; sort?: "row" | "-row"; fields?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: ErrorList;
  };
  /** Lists the rows of a task, in the order of the file */
  listEvents: {
    path: { id: string };
    query: { status?: string; code?: string; column?: string; key?: string; row_gte?: number; fingerprint?: string; build?: string; finished_gte?: string; finished_lt?: string; q?: string; resolution?: ResolutionState; superseded?: "true" | "false"; since?: string; sort?: "row" | "-row"; fields?: string; limit?: number; cursor?: string };
    body: undefined;
    answer: EventList;
  };
  /** Explains why a task does not move */
  explainTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: TaskExplanation;
  };
  /** Adds rows to an open task */
  addJobs: {
    path: { id: string };
    query: {};
    body: JobsRequest;
    answer: JobsAnswer;
  };
  /** Pauses a task that waits or runs */
  pauseTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Task;
  };
  /** Edits bad rows, which do not run yet */
  repairRows: {
    path: { id: string };
    query: {};
    body: RepairRequest;
    answer: PressAnswer;
  };
  /** Runs bad rows again, edited or not */
  resubmitRows: {
    path: { id: string };
    query: {};
    body: ResubmitRequest;
    answer: PressAnswer;
  };
  /** Downloads the rows of a task as a file, in the order of the upload; or the file of an export */
  getResult: {
    path: { id: string };
    query: { format?: "xlsx" | "csv" | "tsv" | "jsonl"; only?: "all" | "failed" | "error" | "finish" | "unprocessed"; partial?: boolean; raw?: boolean };
    body: undefined;
    answer: Response;
  };
  /** Resumes a paused task */
  resumeTask: {
    path: { id: string };
    query: {};
    body: ResumeRequest | undefined;
    answer: Task | ResumeDryRun;
  };
  /** Cancels waiting rows of a task */
  cancelRows: {
    path: { id: string };
    query: {};
    body: CancelRequest;
    answer: CancelAnswer;
  };
  /** Skips or accepts bad rows, or opens them again */
  skipRows: {
    path: { id: string };
    query: {};
    body: SkipRequest;
    answer: PressAnswer;
  };
  /** Streams a task as server-sent events */
  streamTask: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Returns a task with all tasks that it waits for */
  getTaskTree: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: TaskTree;
  };
  /** Undoes an act of the caller on rows */
  undoRows: {
    path: { id: string };
    query: {};
    body: UndoRequest;
    answer: PressAnswer;
  };
  /** Lists the tenants with their limits and usage, in order of name */
  listTenants: {
    path: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: TenantList;
  };
  /** Removes a tenant */
  removeTenant: {
    path: { tenant: string };
    query: { confirm?: string; cancel?: boolean };
    body: undefined;
    answer: Removed;
  };
  /** Exports all records of a tenant, without secrets and files */
  exportTenant: {
    path: { tenant: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Returns the limits of a tenant */
  getLimits: {
    path: { tenant: string };
    query: {};
    body: undefined;
    answer: Limits;
  };
  /** Sets the limits of a tenant */
  putLimits: {
    path: { tenant: string };
    query: {};
    body: LimitsRequest;
    answer: Limits;
  };
  /** Pauses a tenant: no more of its rows start */
  pauseTenant: {
    path: { tenant: string };
    query: {};
    body: undefined;
    answer: Limits;
  };
  /** Resumes a paused tenant */
  resumeTenant: {
    path: { tenant: string };
    query: {};
    body: undefined;
    answer: Limits;
  };
  /** Starts an upload in parts */
  createUpload: {
    path: {};
    query: {};
    body: undefined;
    answer: Upload;
  };
  /** Returns the number of stored bytes of an upload */
  getUpload: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Upload;
  };
  /** Stores the next bytes of an upload */
  continueUpload: {
    path: { id: string };
    query: {};
    body: string;
    answer: Response;
  };
  /** Deletes an upload */
  deleteUpload: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Lists the webhooks of the tenant, newest first */
  listWebhooks: {
    path: {};
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: WebhookList;
  };
  /** Registers a webhook */
  createWebhook: {
    path: {};
    query: {};
    body: WebhookRequest;
    answer: Webhook;
  };
  /** Replaces the secret for the callback URLs of the tenant */
  createCallbackSecret: {
    path: {};
    query: {};
    body: undefined;
    answer: Secret;
  };
  /** Returns one webhook */
  getWebhook: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Webhook;
  };
  /** Deletes a webhook */
  deleteWebhook: {
    path: { id: string };
    query: {};
    body: undefined;
    answer: Response;
  };
  /** Lists deliveries of a webhook, newest first */
  listWebhookDeliveries: {
    path: { id: string };
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: DeliveryList;
  };
  /** Sends a delivery again */
  replayWebhookDelivery: {
    path: { id: string; delivery: string };
    query: {};
    body: undefined;
    answer: Delivery;
  };
}

/** Where each operation is. */
export const routes = {
  listAudit: ["GET", "/api/v1/audit"],
  exportAudit: ["GET", "/api/v1/audit/export"],
  getEvent: ["GET", "/api/v1/events/{id}"],
  patchEvent: ["PATCH", "/api/v1/events/{id}"],
  deleteEvent: ["DELETE", "/api/v1/events/{id}"],
  explainEvent: ["GET", "/api/v1/events/{id}/explain"],
  getFile: ["GET", "/api/v1/files/{id}/content"],
  createLink: ["POST", "/api/v1/files/{id}/links"],
  previewImport: ["POST", "/api/v1/imports/preview"],
  listKeys: ["GET", "/api/v1/keys"],
  createKey: ["POST", "/api/v1/keys"],
  revokeKey: ["DELETE", "/api/v1/keys/{id}"],
  listKeyAudit: ["GET", "/api/v1/keys/{id}/audit"],
  rotateKey: ["POST", "/api/v1/keys/{id}/rotate"],
  listKinds: ["GET", "/api/v1/kinds"],
  getKind: ["GET", "/api/v1/kinds/{kind}"],
  getTemplate: ["GET", "/api/v1/kinds/{kind}/template"],
  listMappings: ["GET", "/api/v1/mappings"],
  deleteMapping: ["DELETE", "/api/v1/mappings/{id}"],
  listNodes: ["GET", "/api/v1/nodes"],
  drainNode: ["POST", "/api/v1/nodes/{node}/drain"],
  undrainNode: ["POST", "/api/v1/nodes/{node}/undrain"],
  listQueues: ["GET", "/api/v1/queues"],
  getQueue: ["GET", "/api/v1/queues/{queue}"],
  listBusyJobs: ["GET", "/api/v1/queues/{queue}/busy"],
  deleteFailed: ["POST", "/api/v1/queues/{queue}/delete-failed"],
  listQueueJobs: ["GET", "/api/v1/queues/{queue}/jobs"],
  listHotKeys: ["GET", "/api/v1/queues/{queue}/keys"],
  killFailed: ["POST", "/api/v1/queues/{queue}/kill-failed"],
  listMorgue: ["GET", "/api/v1/queues/{queue}/morgue"],
  deleteMorgue: ["POST", "/api/v1/queues/{queue}/morgue/delete"],
  requeueMorgue: ["POST", "/api/v1/queues/{queue}/morgue/requeue"],
  pauseQueue: ["POST", "/api/v1/queues/{queue}/pause"],
  performAllNow: ["POST", "/api/v1/queues/{queue}/perform-all-now"],
  reshardQueue: ["POST", "/api/v1/queues/{queue}/reshard"],
  resumeQueue: ["POST", "/api/v1/queues/{queue}/resume"],
  listShards: ["GET", "/api/v1/queues/{queue}/shards"],
  cancelAllRows: ["POST", "/api/v1/rows/cancel"],
  resubmitAllRows: ["POST", "/api/v1/rows/resubmit"],
  skipAllRows: ["POST", "/api/v1/rows/skip"],
  listSchedules: ["GET", "/api/v1/schedules"],
  createSchedule: ["POST", "/api/v1/schedules"],
  getSchedule: ["GET", "/api/v1/schedules/{id}"],
  patchSchedule: ["PATCH", "/api/v1/schedules/{id}"],
  deleteSchedule: ["DELETE", "/api/v1/schedules/{id}"],
  pauseSchedule: ["POST", "/api/v1/schedules/{id}/pause"],
  resumeSchedule: ["POST", "/api/v1/schedules/{id}/resume"],
  runSchedule: ["POST", "/api/v1/schedules/{id}/run"],
  getStats: ["GET", "/api/v1/stats"],
  listTasks: ["GET", "/api/v1/tasks"],
  createTask: ["POST", "/api/v1/tasks"],
  getTask: ["GET", "/api/v1/tasks/{id}"],
  deleteTask: ["DELETE", "/api/v1/tasks/{id}"],
  listTaskAudit: ["GET", "/api/v1/tasks/{id}/audit"],
  cancelTask: ["POST", "/api/v1/tasks/{id}/cancel"],
  closeTask: ["POST", "/api/v1/tasks/{id}/close"],
  correctRows: ["POST", "/api/v1/tasks/{id}/corrections"],
  listTaskDeliveries: ["GET", "/api/v1/tasks/{id}/deliveries"],
  replayTaskDelivery: ["POST", "/api/v1/tasks/{id}/deliveries/{delivery}/replay"],
  listErrorGroups: ["GET", "/api/v1/tasks/{id}/error-groups"],
  listErrors: ["GET", "/api/v1/tasks/{id}/errors"],
  listEvents: ["GET", "/api/v1/tasks/{id}/events"],
  explainTask: ["GET", "/api/v1/tasks/{id}/explain"],
  addJobs: ["POST", "/api/v1/tasks/{id}/jobs"],
  pauseTask: ["POST", "/api/v1/tasks/{id}/pause"],
  repairRows: ["POST", "/api/v1/tasks/{id}/repair"],
  resubmitRows: ["POST", "/api/v1/tasks/{id}/resubmit"],
  getResult: ["GET", "/api/v1/tasks/{id}/result"],
  resumeTask: ["POST", "/api/v1/tasks/{id}/resume"],
  cancelRows: ["POST", "/api/v1/tasks/{id}/rows/cancel"],
  skipRows: ["POST", "/api/v1/tasks/{id}/skip"],
  streamTask: ["GET", "/api/v1/tasks/{id}/stream"],
  getTaskTree: ["GET", "/api/v1/tasks/{id}/tree"],
  undoRows: ["POST", "/api/v1/tasks/{id}/undo"],
  listTenants: ["GET", "/api/v1/tenants"],
  removeTenant: ["DELETE", "/api/v1/tenants/{tenant}"],
  exportTenant: ["GET", "/api/v1/tenants/{tenant}/export"],
  getLimits: ["GET", "/api/v1/tenants/{tenant}/limits"],
  putLimits: ["PUT", "/api/v1/tenants/{tenant}/limits"],
  pauseTenant: ["POST", "/api/v1/tenants/{tenant}/pause"],
  resumeTenant: ["POST", "/api/v1/tenants/{tenant}/resume"],
  createUpload: ["POST", "/api/v1/uploads"],
  getUpload: ["GET", "/api/v1/uploads/{id}"],
  continueUpload: ["PATCH", "/api/v1/uploads/{id}"],
  deleteUpload: ["DELETE", "/api/v1/uploads/{id}"],
  listWebhooks: ["GET", "/api/v1/webhooks"],
  createWebhook: ["POST", "/api/v1/webhooks"],
  createCallbackSecret: ["POST", "/api/v1/webhooks/callback-secret"],
  getWebhook: ["GET", "/api/v1/webhooks/{id}"],
  deleteWebhook: ["DELETE", "/api/v1/webhooks/{id}"],
  listWebhookDeliveries: ["GET", "/api/v1/webhooks/{id}/deliveries"],
  replayWebhookDelivery: ["POST", "/api/v1/webhooks/{id}/deliveries/{delivery}/replay"],
} as const;
