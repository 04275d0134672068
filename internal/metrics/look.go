package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Bounds of a look for a scrape: how long it may take, and how old its figures may be
// when several ask.
const (
	lookTimeout = 3 * time.Second
	lookFresh   = time.Second
)

// Figure is a metric that is looked up when somebody asks.
type Figure struct {
	Name   string // without "rollcall_"
	Help   string
	Labels []string
	Count  bool // it only grows
}

// Tell is handed to a look: it takes the value of a Figure and of its labels.
type Tell func(name string, value float64, labels ...string)

// Look adds figures that are looked up for each scrape, within three seconds. After
// an error nothing that it told is shown, and the fault of this part is counted. Call
// it before the first scrape, with each name once in a process.
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

// looker is a collector that asks when it is asked.
type looker struct {
	look    func(context.Context, Tell) error
	fault   prometheus.Counter
	figures map[string]figure

	mu   sync.Mutex
	last []prometheus.Metric
	at   time.Time
}

// Describe tells which figures there are.
func (l *looker) Describe(out chan<- *prometheus.Desc) {
	for _, f := range l.figures {
		out <- f.desc
	}
}

// Collect tells the figures as they are.
func (l *looker) Collect(out chan<- prometheus.Metric) {
	for _, m := range l.now() {
		out <- m
	}
}

// now looks, unless somebody has just done so.
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
