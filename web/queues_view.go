package web

import (
	"encoding/json"
	"strings"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// queueView is how a queue is, for the owner or for one tenant.
type queueView struct {
	Name    string  `json:"name"`
	Paused  bool    `json:"paused" doc:"Nothing more of it is started."`
	Backlog int64   `json:"backlog" doc:"Rows that have not begun and may, in the ledger and in Redis, as counted at most 10 minutes ago. Of the tenant; for 'service:read' of all tenants."`
	Lag     float64 `json:"lag" doc:"Seconds that the oldest row that may run has waited: of the tenant, in the ledger; for 'service:read' of all tenants, in the ledger or in Redis."`

	Reasons []reasonView `json:"reasons" doc:"Why it does not move, as 'explain' of a row names it; empty while it does, or nothing waits."`

	*queueTotals // nil for one tenant
}

// queueTotals are the figures of a queue that all tenants share. Counts are of keys but for
// processed, which is of payloads, and failed, which is of attempts.
type queueTotals struct {
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

func viewQueue(st queue.QueueStats) queueView {
	return queueView{
		Name: st.Name, Paused: st.Paused, Lag: st.Lag.Seconds(), Reasons: []reasonView{},
		queueTotals: &queueTotals{
			st.Resharding, len(st.Shards), st.Nodes(), st.Length, st.Fresh, st.Retries, st.Busy, st.MorgueLength,
			st.Processed, st.Stats.Failed,
		},
	}
}

// shardView is how a shard of a queue is. After a change of the number of
// shards, those of the older cut are there until they are empty.
type shardView struct {
	Shard        int     `json:"shard"`
	Cut          int     `json:"cut" doc:"How often the number of shards had been changed before."`
	Owner        *string `json:"owner" doc:"The node that works it."`
	Length       int64   `json:"length"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag" doc:"Seconds that its most overdue key has waited."`
}

func viewShards(st queue.QueueStats) []shardView {
	list := []shardView{}
	for _, sh := range st.Shards {
		list = append(list, shardView{
			sh.Shard, sh.Cut, optional(sh.Owner), sh.Length, sh.Retries, sh.Busy, sh.MorgueLength,
			sh.Lag.Seconds(),
		})
	}
	return list
}

// keyOfQueue is a key that waits, or is dead.
type keyOfQueue struct {
	ID         string        `json:"id" doc:"The key that orders jobs; of a row without one its own id."`
	PerformIn  *string       `json:"perform_in" doc:"Earliest time to run; null in the morgue." schema:"time"`
	UpdatedAt  *string       `json:"updated_at" doc:"When it was given up; null elsewhere." schema:"time"`
	RetryCount int           `json:"retry_count" doc:"-1: its first job has not failed."`
	Count      int           `json:"count" doc:"Jobs in all."`
	Payloads   []payloadView `json:"payloads" doc:"The first of them."`
	Error      *string       `json:"error" doc:"The last."`
}

func viewQueueKey(tenant string, kind worker.Kind, k *queue.KeyInfo) keyOfQueue {
	v := keyOfQueue{
		ID: strings.TrimPrefix(k.Key, tenant+"/"), RetryCount: k.RetryCount, Count: k.Count,
		Error: optional(strings.ToValidUTF8(k.Err, "�")), Payloads: []payloadView{},
	}
	if !k.RunAt.IsZero() {
		v.PerformIn = instant(k.RunAt.UnixMilli())
	}
	if !k.UpdatedAt.IsZero() {
		v.UpdatedAt = instant(k.UpdatedAt.UnixMilli())
	}
	for _, p := range k.Payloads {
		v.Payloads = append(v.Payloads, viewPayload(kind, p))
	}
	return v
}

// payloadView is one payload of a key.
type payloadView struct {
	EventID *string         `json:"event_id" doc:"The row; null of a kind that is not tracked."`
	TaskID  *string         `json:"task_id"`
	Row     *int            `json:"row"`
	Score   float64         `json:"score" doc:"Lowest first."`
	Params  json.RawMessage `json:"params" doc:"What it holds; sensitive columns are masked."`
}

// plainJSON is a text that should be JSON as JSON.
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

// busyView is a key in flight.
type busyView struct {
	keyOfQueue
	Shard       int     `json:"shard"`
	Node        *string `json:"node" doc:"Null: its lease has run out."`
	Redelivered int     `json:"redelivered" doc:"How often it was."`
}

// hotView is a key with its number of payloads that wait.
type hotView struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// nodeView is a process that runs jobs, as of its last heartbeat.
type nodeView struct {
	Name        string              `json:"name"`
	Concurrency int                 `json:"concurrency" doc:"Batches that it may run at once."`
	Running     int                 `json:"running" doc:"Batches that it runs."`
	InFlight    int                 `json:"in_flight" doc:"Jobs that it has fetched and not settled."`
	Beat        *string             `json:"beat" doc:"When it last told, by its clock." schema:"time"`
	Shards      map[string][]string `json:"shards" doc:"That it owns, by queue."`
	Draining    bool                `json:"draining" doc:"It gives its shards to the others."`
}

func viewNode(n *queue.NodeReport) nodeView {
	v := nodeView{
		n.Name, n.Concurrency, n.Running, n.InFlight, instant(n.Beat), n.Shards, n.Draining,
	}
	if v.Shards == nil {
		v.Shards = map[string][]string{}
	}
	return v
}
