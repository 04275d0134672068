package view

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
)

// Queue is the state of a queue, for the owner or for one tenant.
type Queue struct {
	Name     string  `json:"name"`
	Paused   bool    `json:"paused" doc:"Nothing more of it is started."`
	Backlog  int64   `json:"backlog" doc:"Rows that have not begun and may, in the ledger and in Redis, as counted at most 10 minutes ago. Of the tenant; for 'service:read' of all tenants."`
	InLedger int64   `json:"in_ledger" doc:"Rows that are not in Redis yet, also those of paused tasks and tenants, as counted at most 10 minutes ago. Of the tenant; for 'service:read' of all tenants."`
	Lag      float64 `json:"lag" doc:"Seconds that the oldest row that may run has waited: of the tenant, in the ledger; for 'service:read' of all tenants, in the ledger or in Redis."`

	Reasons []Reason `json:"reasons" doc:"Why it does not move, as 'explain' of a row names it; empty while it does, or nothing waits."`

	*QueueTotals // nil for one tenant
}

// QueueTotals are the figures of a queue that all tenants share. They count keys, except Processed,
// which counts payloads, and Failed, which counts attempts.
type QueueTotals struct {
	Resharding   bool  `json:"resharding" doc:"Keys still leave the shards of before. This and what follows is for 'service:read'."`
	Shards       int   `json:"shards"`
	Nodes        int   `json:"nodes" doc:"Processes that hold its shards; 0: none works it."`
	Length       int64 `json:"length" doc:"That wait: 'fresh' and 'retries'."`
	Fresh        int64 `json:"fresh"`
	Retries      int64 `json:"retries"`
	Busy         int64 `json:"busy" doc:"That a process has fetched."`
	MorgueLength int64 `json:"morgue_length" doc:"That are given up."`
	Processed    int64 `json:"processed" doc:"Jobs that were done, ever."`
	Failed       int64 `json:"failed" doc:"Attempts that were not, ever."`
}

// OfQueue returns the view of a queue for the owner.
func OfQueue(st queue.QueueStats) Queue {
	return Queue{
		Name: st.Name, Paused: st.Paused, Lag: st.Lag.Seconds(), Reasons: []Reason{},
		QueueTotals: &QueueTotals{
			st.Resharding, len(st.Shards), st.Nodes(), st.Length, st.Fresh, st.Retries, st.Busy, st.MorgueLength,
			st.Processed, st.Stats.Failed,
		},
	}
}

// Shard is the state of a shard. After a change of the number of shards, shards of the older layout
// stay until they are empty.
type Shard struct {
	Shard        int     `json:"shard"`
	Cut          int     `json:"cut" doc:"How often the number of shards had been changed before."`
	Owner        *string `json:"owner" doc:"The node that works it."`
	Length       int64   `json:"length"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag" doc:"Seconds that its most overdue key has waited."`
}

// OfShards returns the views of the shards of a queue.
func OfShards(st queue.QueueStats) []Shard {
	list := []Shard{}
	for _, sh := range st.Shards {
		list = append(list, Shard{
			sh.Shard, sh.Generation, textutil.Optional(sh.Owner), sh.Length, sh.Retries, sh.Busy, sh.MorgueLength,
			sh.Lag.Seconds(),
		})
	}
	return list
}

// QueueKey is a waiting or dead key.
type QueueKey struct {
	ID         string    `json:"id" doc:"The key that orders jobs; of a row without one its own id."`
	PerformIn  *string   `json:"perform_in" doc:"Earliest time to run; null in the morgue." schema:"time"`
	UpdatedAt  *string   `json:"updated_at" doc:"When it was given up; null elsewhere." schema:"time"`
	RetryCount int       `json:"retry_count" doc:"-1: its first job has not failed."`
	Count      int       `json:"count" doc:"Jobs in all."`
	Payloads   []Payload `json:"payloads" doc:"The first of them."`
	Error      *string   `json:"error" doc:"The last."`
}

// OfQueueKey returns the view of a key of a tenant.
func OfQueueKey(tenant string, kind jobs.Kind, k *queue.KeyInfo) QueueKey {
	v := QueueKey{
		ID: strings.TrimPrefix(k.Key, tenant+"/"), RetryCount: k.RetryCount, Count: k.Count,
		Error: textutil.Optional(strings.ToValidUTF8(k.Err, "�")), Payloads: []Payload{},
	}
	if !k.RunAt.IsZero() {
		v.PerformIn = textutil.Instant(k.RunAt.UnixMilli())
	}
	if !k.UpdatedAt.IsZero() {
		v.UpdatedAt = textutil.Instant(k.UpdatedAt.UnixMilli())
	}
	for _, p := range k.Payloads {
		v.Payloads = append(v.Payloads, OfPayload(kind, p))
	}
	return v
}

// Payload is one payload of a key.
type Payload struct {
	EventID *string         `json:"event_id" doc:"The row; null of a kind that is not tracked."`
	TaskID  *string         `json:"task_id"`
	Row     *int            `json:"row"`
	Score   float64         `json:"score" doc:"Lowest first."`
	Params  json.RawMessage `json:"params" doc:"Values; sensitive columns are masked."`
}

// plainJSON returns a text as JSON: unchanged if it is JSON, else as a string.
func plainJSON(text []byte) json.RawMessage {
	if json.Valid(text) {
		return text
	}
	b, err := json.Marshal(strings.ToValidUTF8(string(text), "�"))
	if err != nil { // a text always encodes
		return json.RawMessage("null")
	}
	return b
}

// BusyKey is a key in flight.
type BusyKey struct {
	QueueKey
	Shard       int     `json:"shard"`
	Node        *string `json:"node" doc:"Null: its lease has run out."`
	Redelivered int     `json:"redelivered" doc:"How often it was."`
}

// HotKey is a key with its number of waiting payloads.
type HotKey struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// Node is a process that runs jobs, as of its last heartbeat.
type Node struct {
	Name        string              `json:"name"`
	Concurrency int                 `json:"concurrency" doc:"Batches that it may run at once."`
	Running     int                 `json:"running" doc:"Calls of handlers that run."`
	InFlight    int                 `json:"in_flight" doc:"Jobs that it has fetched and not settled."`
	Beat        *string             `json:"beat" doc:"Last heartbeat, by the clock of the node." schema:"time"`
	Shards      map[string][]string `json:"shards" doc:"That it owns, by queue."`
	Draining    bool                `json:"draining" doc:"It gives its shards to the others."`
}

// OfNode returns the view of a node.
func OfNode(n *queue.NodeReport) Node {
	v := Node{
		n.Name, n.Concurrency, n.Running, n.InFlight, textutil.Instant(n.Beat), n.Shards, n.Draining,
	}
	if v.Shards == nil {
		v.Shards = map[string][]string{}
	}
	return v
}

// OfPayload returns the view of a payload: its row, and its params without sensitive values.
// A payload of an untracked kind consists of params alone.
func OfPayload(kind jobs.Kind, p queue.PayloadInfo) Payload {
	v := Payload{Score: p.Score}
	env, err := jobs.Unpack(p.Payload)
	if kind.Untracked || err != nil {
		env.Params = p.Payload
	} else {
		v.EventID, v.TaskID = textutil.Optional(env.Event.JobID(env.TaskID)), textutil.Optional(env.TaskID)
		v.Row = &env.Row
	}
	v.Params = plainJSON(kind.Show(env.Params))
	return v
}

// Touched is the number of items that an act on a whole queue or node changed.
type Touched struct {
	Touched int `json:"touched" doc:"Keys; of a queue or a node 1, or its new number of shards; 0: it was so already." schema:"minimum=0"`
}

// KeysResult is the result of an act on keys or, for a dry run, the expected result.
type KeysResult struct {
	Touched  int      `json:"touched" doc:"Keys." schema:"minimum=0"`
	DryRun   bool     `json:"dry_run"`
	NotFound []string `json:"not_found" doc:"Those of 'ids' that the act cannot be done to, as when they are not there any more."`
}

// RequeueResult is the outcome of dead keys and their rows.
type RequeueResult struct {
	KeysResult
	Resubmitted  int   `json:"resubmitted" doc:"Rows that run again." schema:"minimum=0"`
	Superseded   int64 `json:"superseded" doc:"Rows that will not run, because a newer row of their key has finished." schema:"minimum=0"`
	StillInvalid int64 `json:"still_invalid" doc:"Invalid rows, which stay in the morgue." schema:"minimum=0"`
	Conflicts    int64 `json:"conflicts" doc:"Rows that were changed in the meantime." schema:"minimum=0"`
}
