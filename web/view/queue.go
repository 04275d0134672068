package view

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
)

// Queue is the state of a queue. It covers all tenants if the caller has the scope service:read.
// Otherwise, its numbers cover only the tenant of the caller.
type Queue struct {
	Name     string  `json:"name"`
	Paused   bool    `json:"paused" doc:"No further jobs of the queue are started."`
	Backlog  int64   `json:"backlog" doc:"Rows that may start and have not started, in the ledger and in Redis. Counted at most 10 minutes ago, for the tenant or, with 'service:read', for all tenants."`
	InLedger int64   `json:"in_ledger" doc:"Rows that are not in Redis yet, including rows of paused tasks and tenants. Counted at most 10 minutes ago, for the tenant or, with 'service:read', for all tenants."`
	Lag      float64 `json:"lag" doc:"Waiting time, in seconds, of the oldest row that may run: of the tenant, in the ledger; with 'service:read', of all tenants, in the ledger or in Redis."`

	Reasons []Reason `json:"reasons" doc:"Reasons why the queue does not move, with the codes of 'explain' of a row. Empty while the queue moves or no row waits."`

	*QueueTotals // nil for one tenant
}

// QueueTotals holds the numbers of a queue for all tenants together. Length, Fresh, Retries, Busy and
// MorgueLength count keys. Processed counts payloads, and Failed counts attempts.
type QueueTotals struct {
	Resharding   bool  `json:"resharding" doc:"Keys are still moving from the earlier shards. This field and the following fields are only for 'service:read'."`
	Shards       int   `json:"shards"`
	Nodes        int   `json:"nodes" doc:"Processes that own its shards; 0: no process runs its jobs."`
	Length       int64 `json:"length" doc:"Waiting keys: 'fresh' and 'retries' together."`
	Fresh        int64 `json:"fresh"`
	Retries      int64 `json:"retries"`
	Busy         int64 `json:"busy" doc:"Keys that a process has fetched."`
	MorgueLength int64 `json:"morgue_length" doc:"Keys in the morgue."`
	Processed    int64 `json:"processed" doc:"Total number of jobs that were done."`
	Failed       int64 `json:"failed" doc:"Total number of attempts that failed."`
}

// OfQueue returns the view of a queue for the owner of the service.
func OfQueue(st queue.QueueStats) Queue {
	return Queue{
		Name: st.Name, Paused: st.Paused, Lag: st.Lag.Seconds(), Reasons: []Reason{},
		QueueTotals: &QueueTotals{
			st.Resharding, len(st.Shards), st.Nodes(), st.Length, st.Fresh, st.Retries, st.Busy, st.MorgueLength,
			st.Processed, st.Stats.Failed,
		},
	}
}

// Shard is the state of a shard. After the number of shards has changed, the earlier shards remain
// until they are empty.
type Shard struct {
	Shard        int     `json:"shard"`
	Cut          int     `json:"cut" doc:"Number of times that the number of shards had changed before this shard was created."`
	Owner        *string `json:"owner" doc:"Node that owns the shard."`
	Length       int64   `json:"length"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag" doc:"Waiting time of the most overdue key, in seconds."`
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
	ID         string    `json:"id" doc:"Key of the jobs; for a row without a key, id of the row."`
	PerformIn  *string   `json:"perform_in" doc:"Earliest time to run; null in the morgue." schema:"time"`
	UpdatedAt  *string   `json:"updated_at" doc:"Time at which the key came into the morgue; null outside the morgue." schema:"time"`
	RetryCount int       `json:"retry_count" doc:"Number of the last retry of the first job, from 0; -1: the job has not failed, or the key is in the morgue."`
	Count      int       `json:"count" doc:"Number of jobs."`
	Payloads   []Payload `json:"payloads" doc:"First jobs of the key."`
	Error      *string   `json:"error" doc:"Last error."`
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
	EventID *string         `json:"event_id" doc:"Id of the row; null for a kind that is not tracked."`
	TaskID  *string         `json:"task_id"`
	Row     *int            `json:"row"`
	Score   float64         `json:"score" doc:"Order of the jobs within the key, lowest first."`
	Params  json.RawMessage `json:"params" doc:"Values; sensitive columns are masked."`
}

// plainJSON returns a text unchanged if it is JSON. Otherwise, it returns the text as a JSON string.
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

// BusyKey is a key whose jobs a process has fetched.
type BusyKey struct {
	QueueKey
	Shard       int     `json:"shard"`
	Node        *string `json:"node" doc:"Node that holds the lease; null: the lease has expired."`
	Redelivered int     `json:"redelivered" doc:"Number of redeliveries."`
}

// HotKey is a key with its number of waiting payloads.
type HotKey struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// Node is a process that runs jobs. Its numbers come from its last heartbeat.
type Node struct {
	Name        string              `json:"name"`
	Concurrency int                 `json:"concurrency" doc:"Greatest number of batches that the node runs at once."`
	Running     int                 `json:"running" doc:"Number of running handler calls."`
	InFlight    int                 `json:"in_flight" doc:"Jobs that the node has fetched and not settled."`
	Beat        *string             `json:"beat" doc:"Last heartbeat, by the clock of the node." schema:"time"`
	Shards      map[string][]string `json:"shards" doc:"Shards that the node owns, by queue."`
	Draining    bool                `json:"draining" doc:"The node hands its shards over to other nodes."`
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

// OfPayload returns the view of a payload, with masked sensitive values. A payload of an untracked kind
// has no row.
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

// Touched is the response to an act on a whole queue or node.
type Touched struct {
	Touched int `json:"touched" doc:"Number of changed keys; 1 for a queue or a node; for a reshard, the new number of shards. 0: nothing has changed." schema:"minimum=0"`
}

// KeysResult is the result of an act on keys. For a dry run, it is the result that the act would have.
type KeysResult struct {
	Touched  int      `json:"touched" doc:"Number of changed keys." schema:"minimum=0"`
	DryRun   bool     `json:"dry_run"`
	NotFound []string `json:"not_found" doc:"Keys in 'ids' to which the act does not apply, for example because they no longer exist."`
}

// RequeueResult is the result of a requeue of dead keys, with the outcome for their rows.
type RequeueResult struct {
	KeysResult
	Resubmitted  int   `json:"resubmitted" doc:"Rows that run again." schema:"minimum=0"`
	Superseded   int64 `json:"superseded" doc:"Rows that will not run, because a newer row of their key has finished." schema:"minimum=0"`
	StillInvalid int64 `json:"still_invalid" doc:"Invalid rows, which stay in the morgue." schema:"minimum=0"`
	Conflicts    int64 `json:"conflicts" doc:"Rows that were changed in the meantime." schema:"minimum=0"`
}
