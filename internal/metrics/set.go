package metrics

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/rollcall-dev/rollcall/internal/version"
)

// scrapeTimeout bounds one response of Handler.
const scrapeTimeout = 10 * time.Second

// Set holds all metrics of one process. Make it with New; it is safe for concurrent use.
type Set struct {
	registry   *prometheus.Registry
	jobs       jobs
	commits    commits
	feeds      feeds
	deliveries deliveries
	requests   requests
	refusals   *prometheus.CounterVec
	faults     *prometheus.CounterVec
}

// New returns the metrics of a process with the given kinds of jobs and channels of deliveries.
func New(kinds, channels []string) *Set {
	s := &Set{registry: prometheus.NewRegistry()}
	s.registry.MustRegister(collectors.NewGoCollector(), build(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	s.jobs = newJobs(s.registry, kinds)
	s.commits = newCommits(s.registry)
	s.feeds = newFeeds(s.registry, kinds)
	s.deliveries = newDeliveries(s.registry, channels)
	s.requests = newRequests(s.registry)
	s.refusals = counter(s.registry, "job_refusals_total",
		"Jobs that went back to the queue because a limit of their kind had no room.", "kind")
	for _, name := range kinds {
		s.refusals.WithLabelValues(name)
	}
	s.faults = counter(s.registry, "scrape_faults_total",
		"Failed reads of Redis or the ledger for a scrape: the metrics of this part are missing.", "part")
	return s
}

// Handler returns the HTTP handler of scrapes.
func (s *Set) Handler() http.Handler {
	return promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, Timeout: scrapeTimeout,
	})
}

// build returns a metric whose labels hold the version of the running program.
func build() prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rollcall_build_info", Help: "Always 1; the labels hold the version.",
		ConstLabels: prometheus.Labels{
			"version": version.Number(), "commit": version.Commit(), "goversion": runtime.Version(),
		},
	})
	g.Set(1)
	return g
}

func counter(r *prometheus.Registry, name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "rollcall_" + name, Help: help}, labels)
	r.MustRegister(c)
	return c
}

func histogram(r *prometheus.Registry, name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rollcall_" + name, Help: help, Buckets: buckets,
	}, labels)
	r.MustRegister(h)
	return h
}

// seconds converts the bounds of histogram buckets to seconds.
func seconds(bounds ...time.Duration) []float64 {
	out := make([]float64, len(bounds))
	for i, d := range bounds {
		out[i] = d.Seconds()
	}
	return out
}

// sizes returns the bounds of histogram buckets for the sizes of groups of jobs.
func sizes() []float64 { return []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10000} }
