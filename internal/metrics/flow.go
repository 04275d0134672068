package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// commits holds the metrics of outcomes written in groups.
type commits struct {
	size, took prometheus.Observer
}

func newCommits(r *prometheus.Registry) commits {
	return commits{
		histogram(r, "commit_group_size", "Outcomes of jobs that were committed at once.", sizes()).WithLabelValues(),
		histogram(r, "commit_seconds", "What a commit of outcomes took, with all its tries.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 10*time.Second, time.Minute)).WithLabelValues(),
	}
}

// Committed counts a commit of so many outcomes.
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
		histogram(r, "feed_chunk_size", "Jobs that were pushed at once.", sizes()).WithLabelValues(),
		histogram(r, "feed_seconds", "What reading and pushing a chunk of jobs took.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 10*time.Second)).WithLabelValues(),
	}
	for _, name := range kinds {
		f.jobs.WithLabelValues(name)
	}
	return f
}

// Fed counts a push of so many jobs of a known kind.
func (s *Set) Fed(kind string, jobs int, took time.Duration) {
	s.feeds.jobs.WithLabelValues(kind).Add(float64(jobs))
	s.feeds.size.Observe(float64(jobs))
	s.feeds.took.Observe(took.Seconds())
}

// letters holds the metrics of webhooks and Go callbacks.
type letters struct {
	tries *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

func newLetters(r *prometheus.Registry, lanes []string) letters {
	l := letters{
		counter(r, "deliveries_total", "Tries to tell a webhook or a Go callback: "+
			"delivered, waiting (failed, and tried again) or dead (given up).", "lane", "state"),
		histogram(r, "delivery_seconds", "What a try to tell took.",
			seconds(10*time.Millisecond, 100*time.Millisecond, 300*time.Millisecond, time.Second, 3*time.Second,
				10*time.Second, time.Minute), "lane"),
	}
	for _, lane := range lanes {
		l.took.WithLabelValues(lane)
		for _, state := range []string{"delivered", "waiting", "dead"} {
			l.tries.WithLabelValues(lane, state)
		}
	}
	return l
}

// Told counts an attempt of a delivery, on a lane.
func (s *Set) Told(lane, state string, took time.Duration) {
	s.letters.tries.WithLabelValues(lane, state).Inc()
	s.letters.took.WithLabelValues(lane).Observe(took.Seconds())
}
