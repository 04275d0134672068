package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Bounds of a collection for a scrape: its timeout, and how long its figures are reused.
const (
	lookTimeout = 3 * time.Second
	lookFresh   = time.Second
)

// Figure is a metric that is read on each scrape.
type Figure struct {
	Name   string // without "rollcall_"
	Help   string
	Labels []string
	Count  bool // it is a counter
}

// Tell sets the value of a Figure and of its labels during a collection.
type Tell func(name string, value float64, labels ...string)

// Look adds figures that look reads on each scrape, within three seconds. After an error the scrape
// shows none of them, and counts a fault of this part. Call Look before the first scrape, with each
// name once per process.
func (s *Set) Look(part string, figures []Figure, look func(context.Context, Tell) error) {
	l := &looker{look: look, fault: s.faults.WithLabelValues(part), figures: map[string]figure{}}
	for _, f := range figures {
		kind := prometheus.GaugeValue
		if f.Count {
			kind = prometheus.CounterValue
		}
		l.figures[f.Name] = figure{prometheus.NewDesc("rollcall_"+f.Name, f.Help, f.Labels, nil), kind}
	}
	s.registry.MustRegister(l)
}

type figure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

// looker is a collector that queries its source on each scrape.
type looker struct {
	look    func(context.Context, Tell) error
	fault   prometheus.Counter
	figures map[string]figure

	mu   sync.Mutex
	last []prometheus.Metric
	at   time.Time
}

// Describe sends the descriptions of the metrics.
func (l *looker) Describe(out chan<- *prometheus.Desc) {
	for _, f := range l.figures {
		out <- f.desc
	}
}

// Collect sends the current figures.
func (l *looker) Collect(out chan<- prometheus.Metric) {
	for _, m := range l.now() {
		out <- m
	}
}

// now reads the figures, unless a recent result exists.
func (l *looker) now() []prometheus.Metric {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.at.IsZero() && time.Since(l.at) < lookFresh {
		return l.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookTimeout)
	defer cancel()
	l.last = nil
	var found []prometheus.Metric
	err := l.look(ctx, func(name string, value float64, labels ...string) {
		f := l.figures[name]
		found = append(found, prometheus.MustNewConstMetric(f.desc, f.kind, value, labels...))
	})
	if l.at = time.Now(); err != nil {
		l.fault.Inc()
		return nil
	}
	l.last = found
	return found
}
