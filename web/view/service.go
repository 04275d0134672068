package view

// Health is the response of GET /healthz. It holds the version of the process.
type Health struct {
	Status  string `json:"status" schema:"enum=ok"`
	Version string `json:"version" doc:"Such as v1.4.0, or unknown."`
	Commit  string `json:"commit" doc:"Revision of the build, or unknown."`
}

// Readiness holds the states of the parts of the service.
type Readiness struct {
	Status string `json:"status" schema:"enum=ready"`
	Ledger string `json:"ledger" schema:"enum=ok"`
	Queue  string `json:"queue" schema:"enum=ok|away"` // if away, the service still reads and accepts tasks
}

// Stats holds the numbers of waiting and dead keys, in the format of Lowkiq, a job queue for Ruby.
type Stats struct {
	Total    QueueStats            `json:"total"`
	ByWorker map[string]QueueStats `json:"by_worker"`
}

// QueueStats holds the numbers of waiting and dead keys of a queue.
type QueueStats struct {
	Length       int64   `json:"length"`
	MorgueLength int64   `json:"morgue_length"`
	Lag          float64 `json:"lag" doc:"Waiting time, in seconds, of the oldest row that may run, in the ledger or in Redis."`
}
