package web

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// queueView is how a queue is. Counts are of all tenants: of keys but for
// processed, which is of payloads, and failed, which is of attempts.
type queueView struct {
	Name         string  `json:"name"`
	Paused       bool    `json:"paused"`
	Resharding   bool    `json:"resharding"`
	Shards       int     `json:"shards"`
	Nodes        int     `json:"nodes"` // that hold shards of it
	Length       int64   `json:"length"`
	Fresh        int64   `json:"fresh"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag"` // seconds
	Processed    int64   `json:"processed"`
	Failed       int64   `json:"failed"`
}

func viewQueue(st queue.QueueStats) queueView {
	var owners []string
	for i := range st.Shards {
		if owner := st.Shards[i].Owner; owner != "" && !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	return queueView{
		st.Name, st.Paused, st.Resharding, len(st.Shards), len(owners),
		st.Length, st.Fresh, st.Retries, st.Busy, st.MorgueLength, st.Lag.Seconds(),
		st.Processed, st.Stats.Failed,
	}
}

// shardView is how a shard of a queue is. After a change of the number of
// shards, those of the older cut are there until they are empty.
type shardView struct {
	Shard        int     `json:"shard"`
	Cut          int     `json:"cut"`
	Owner        *string `json:"owner"`
	Length       int64   `json:"length"`
	Retries      int64   `json:"retries"`
	Busy         int64   `json:"busy"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag"` // seconds
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
	ID         string        `json:"id"`
	PerformIn  *string       `json:"perform_in"` // earliest time to run; null in the morgue
	UpdatedAt  *string       `json:"updated_at"` // time of death; null elsewhere
	RetryCount int           `json:"retry_count"`
	Count      int           `json:"count"`    // payloads in all
	Payloads   []payloadView `json:"payloads"` // the first of them
	Error      *string       `json:"error"`
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
	EventID *string         `json:"event_id"` // null for an untracked kind
	TaskID  *string         `json:"task_id"`
	Row     *int            `json:"row"`
	Score   float64         `json:"score"`
	Params  json.RawMessage `json:"params"`
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
	Node        *string `json:"node"`        // null: its lease has run out
	Redelivered int     `json:"redelivered"` // how often it was, after crashes
}

// hotView is a key with its number of payloads that wait.
type hotView struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// nodeView is a process that runs jobs, as of its last heartbeat.
type nodeView struct {
	Name        string              `json:"name"`
	Concurrency int                 `json:"concurrency"` // batches it may run at once
	Running     int                 `json:"running"`     // batches it runs
	InFlight    int                 `json:"in_flight"`   // payloads it has fetched and not settled
	Beat        *string             `json:"beat"`        // time of the heartbeat, by its clock
	Shards      map[string][]string `json:"shards"`      // those it owns, by queue
	Draining    bool                `json:"draining"`
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
