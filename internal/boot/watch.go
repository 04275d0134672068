package boot

import (
	"context"
	"errors"
	"strconv"

	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/queue"
)

// watch registers the metrics that are collected at a scrape, at most once a second. Metrics of the queues
// and of the ledger have the same values in all processes. Metrics of connections and workers are about
// this process.
func (a *app) watch() {
	a.metrics.Collect("queues", queueFigures, a.collectQueues)
	a.metrics.Collect("ledger", ledgerFigures, a.collectLedger)
	a.metrics.Collect("connections", poolFigures, a.collectPools)
	a.metrics.Collect("workers", workerFigures, a.collectWorkers)
}

var queueFigures = []metrics.Figure{
	{Name: "queue_length", Help: "Keys that wait in Redis.", Labels: []string{"queue"}},
	{Name: "queue_retries", Help: "Waiting keys that wait for a retry.", Labels: []string{"queue"}},
	{Name: "queue_busy", Help: "Keys that a worker has fetched and not settled.", Labels: []string{"queue"}},
	{Name: "queue_morgue_length", Help: "Keys with dead jobs.", Labels: []string{"queue"}},
	{Name: "queue_paused", Help: "1 while the queue is paused.", Labels: []string{"queue"}},
	{
		Name: "queue_lag_seconds", Help: "Waiting time of the most overdue key of a shard.",
		Labels: []string{"queue", "shard"},
	},
	{Name: "queue_shards_unowned", Help: "Shards without a worker: their jobs do not run.", Labels: []string{"queue"}},
	{Name: "redis_used_bytes", Help: "Memory that Redis uses; in a cluster, memory of the fullest process."},
	{Name: "redis_max_bytes", Help: "Memory that this Redis process may use; 0: no limit."},
}

func (a *app) collectQueues(ctx context.Context, observe metrics.Observe) error {
	for _, name := range a.kinds.Names() {
		st, err := a.queue.Admin().Stats(ctx, name)
		if errors.Is(err, queue.ErrUnknownQueue) {
			continue // no job was ever pushed to this queue
		}
		if err != nil {
			return err
		}
		observeQueue(st, observe)
	}
	return a.collectMemory(ctx, observe)
}

func observeQueue(st queue.QueueStats, observe metrics.Observe) {
	observe("queue_length", float64(st.Length), st.Name)
	observe("queue_retries", float64(st.Retries), st.Name)
	observe("queue_busy", float64(st.Busy), st.Name)
	observe("queue_morgue_length", float64(st.MorgueLength), st.Name)
	observe("queue_paused", truth(st.Paused), st.Name)
	unowned := 0
	for _, sh := range st.Shards {
		if sh.Owner == "" {
			unowned++
		}
		name := strconv.Itoa(sh.Shard)
		if sh.Generation > 0 {
			name = strconv.Itoa(sh.Generation) + ":" + name
		}
		observe("queue_lag_seconds", sh.Lag.Seconds(), st.Name, name)
	}
	observe("queue_shards_unowned", float64(unowned), st.Name)
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var poolFigures = []metrics.Figure{
	{Name: "postgres_connections", Help: "Connections of this process to Postgres.", Labels: []string{"state"}},
	{Name: "postgres_connections_max", Help: "Connections to Postgres that this process may have."},
	{
		Name: "postgres_waits_total", Count: true,
		Help: "Waits for a connection to Postgres, because all were in use.",
	},
	{Name: "redis_connections", Help: "Connections of this process to Redis.", Labels: []string{"state"}},
	{
		Name: "redis_script_faults_total", Count: true,
		Help: "Scripts of this process that failed in Redis.",
	},
	{
		Name: "redis_pool_timeouts_total", Count: true,
		Help: "Waits for a connection to Redis that ended without one.",
	},
}

func (a *app) collectPools(_ context.Context, observe metrics.Observe) error {
	if a.db.Pool != nil {
		st := a.db.Pool.Stat()
		observe("postgres_connections", float64(st.AcquiredConns()), "used")
		observe("postgres_connections", float64(st.IdleConns()), "idle")
		observe("postgres_connections_max", float64(st.MaxConns()))
		observe("postgres_waits_total", float64(st.EmptyAcquireCount()))
	}
	st := a.rdb.PoolStats()
	observe("redis_connections", float64(st.TotalConns-st.IdleConns), "used")
	observe("redis_connections", float64(st.IdleConns), "idle")
	observe("redis_pool_timeouts_total", float64(st.Timeouts))
	scripts := a.queue.ScriptFaults()
	if w := a.working.Load(); w != nil {
		scripts += w.server.Counts().Scripts
	}
	observe("redis_script_faults_total", float64(scripts))
	return nil
}

var workerFigures = []metrics.Figure{
	{Name: "leases_taken_total", Help: "Shards that this worker has leased since its start.", Count: true},
	{Name: "leases_lost_total", Help: "Leases that expired before this worker released them.", Count: true},
	{Name: "leases_held", Help: "Shards that this worker holds now."},
	{Name: "jobs_settled_total", Help: "Jobs of this worker whose outcome Redis has stored.", Count: true},
	{Name: "jobs_buried_total", Help: "Jobs that this worker moved to the morgue.", Count: true},
	{Name: "jobs_redelivered_total", Help: "Jobs that were delivered again after a crash, a lost lease or a lost response.", Count: true},
	{Name: "jobs_reclaimed_total", Help: "Keys that were put back because the response to their fetch was lost.", Count: true},
	{Name: "redis_faults_total", Help: "Exchanges of jobs with Redis that failed.", Count: true},
	{Name: "workers", Help: "Handler calls that this worker may run at once."},
	{Name: "workers_busy", Help: "Handler calls that run now."},
	{Name: "jobs_in_flight", Help: "Jobs that this worker has fetched and not settled."},
	{Name: "jobs_stuck", Help: "Jobs whose handler runs for longer than STUCK_AFTER.", Labels: []string{"kind"}},
	{Name: "repairs_total", Help: "Repairs by the sweeper of this worker. It should not grow.", Labels: []string{"what"}, Count: true},
}

// collectWorkers reports the metrics of the workers, if the process runs workers.
func (a *app) collectWorkers(_ context.Context, observe metrics.Observe) error {
	w := a.working.Load()
	if w == nil {
		return nil
	}
	c, r := w.server.Counts(), w.sweeper.Repairs()
	for name, n := range map[string]int64{
		"leases_taken_total": c.Taken, "leases_lost_total": c.Lost, "jobs_settled_total": c.Settled,
		"jobs_buried_total": c.Dead, "jobs_redelivered_total": c.Redelivered,
		"jobs_reclaimed_total": c.Reclaimed, "redis_faults_total": c.Faults,
		"leases_held": int64(c.Shards), "workers": int64(c.Concurrency),
		"workers_busy": int64(c.Running), "jobs_in_flight": int64(c.InFlight),
	} {
		observe(name, float64(n))
	}
	for kind, n := range a.stuck(w.recorder) {
		observe("jobs_stuck", float64(n), kind)
	}
	observe("repairs_total", float64(r.Fed), "job_fed")
	observe("repairs_total", float64(r.Ended), "job_ended")
	observe("repairs_total", float64(r.Listed), "key_listed")
	observe("repairs_total", float64(r.Counts), "task_counts")
	return nil
}
