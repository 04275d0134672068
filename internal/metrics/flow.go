package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// commits holds the metrics of commits. One commit stores a group of outcomes.
type commits struct {
	size, took prometheus.Observer
}

func newCommits(r *prometheus.Registry) commits {
	return commits{
		histogram(r, "commit_group_size", "Outcomes of jobs in a commit.", sizes()).WithLabelValues(),
		histogram(r, "commit_seconds", "Duration of a commit of outcomes, with all its tries.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 10*time.Second, time.Minute)).WithLabelValues(),
	}
}

// Committed counts a commit. The argument `outcomes` is the number of its outcomes.
func (s *Set) Committed(outcomes int, took time.Duration) {
	s.commits.size.Observe(float64(outcomes))
	s.commits.took.Observe(took.Seconds())
}

// feeds holds the metrics of rows pushed to the queue.
type feeds struct {
	jobs       *prometheus.CounterVec
	size, took prometheus.Observer
}

func newFeeds(r *prometheus.Registry, kinds []string) feeds {
	f := feeds{
		counter(r, "fed_jobs_total", "Jobs that were pushed from the ledger to Redis.", "kind"),
		histogram(r, "feed_chunk_size", "Jobs in a push.", sizes()).WithLabelValues(),
		histogram(r, "feed_seconds", "Duration of reading and pushing a chunk of jobs.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 10*time.Second)).WithLabelValues(),
	}
	for _, name := range kinds {
		f.jobs.WithLabelValues(name)
	}
	return f
}

// Fed counts a push of jobs of a registered kind. The argument `jobs` is their number.
func (s *Set) Fed(kind string, jobs int, took time.Duration) {
	s.feeds.jobs.WithLabelValues(kind).Add(float64(jobs))
	s.feeds.size.Observe(float64(jobs))
	s.feeds.took.Observe(took.Seconds())
}

// deliveries holds the metrics of webhooks and Go callbacks.
type deliveries struct {
	tries *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

func newDeliveries(r *prometheus.Registry, channels []string) deliveries {
	d := deliveries{
		counter(r, "deliveries_total", "Attempts to deliver a webhook or a Go callback: "+
			"delivered, waiting (will be retried) or dead (given up).", "channel", "state"),
		histogram(r, "delivery_seconds", "Duration of an attempt to deliver.",
			seconds(10*time.Millisecond, 100*time.Millisecond, 300*time.Millisecond, time.Second, 3*time.Second,
				10*time.Second, time.Minute), "channel"),
	}
	for _, channel := range channels {
		d.took.WithLabelValues(channel)
		for _, state := range []string{"delivered", "waiting", "dead"} {
			d.tries.WithLabelValues(channel, state)
		}
	}
	return d
}

// CountDelivery counts an attempt of a delivery. The argument `channel` is its notify.Channel, and
// `state` is the state of the delivery after the attempt.
func (s *Set) CountDelivery(channel, state string, took time.Duration) {
	s.deliveries.tries.WithLabelValues(channel, state).Inc()
	s.deliveries.took.WithLabelValues(channel).Observe(took.Seconds())
}
