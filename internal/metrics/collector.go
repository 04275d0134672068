package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// collectTimeout bounds the read of figures for a scrape. collectMaxAge is how long these figures are
// reused.
const (
	collectTimeout = 3 * time.Second
	collectMaxAge  = time.Second
)

// Figure is a metric that is read on a scrape.
type Figure struct {
	Name   string // without "rollcall_"
	Help   string
	Labels []string
	Count  bool // whether the metric is a counter; otherwise it is a gauge
}

// Observe is a function that sets the value of the Figure with the given name for the values of its
// labels.
type Observe func(name string, value float64, labels ...string)

// Collect adds figures. The function `collect` reads them on a scrape, at most once a second, within
// three seconds. After an error, the scrape contains none of these figures, and the metric
// scrape_faults_total of the argument `part` rises by 1. The caller calls Collect before the first
// scrape. Each name may be used once per process.
func (s *Set) Collect(part string, figures []Figure, collect func(context.Context, Observe) error) {
	l := &figureCollector{collect: collect, fault: s.faults.WithLabelValues(part), figures: map[string]figure{}}
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

// figureCollector is a collector that reads its source on scrapes, at most once per collectMaxAge.
type figureCollector struct {
	collect func(context.Context, Observe) error
	fault   prometheus.Counter
	figures map[string]figure

	mu   sync.Mutex
	last []prometheus.Metric
	at   time.Time
}

// Describe sends the descriptions of the metrics.
func (l *figureCollector) Describe(out chan<- *prometheus.Desc) {
	for _, f := range l.figures {
		out <- f.desc
	}
}

// Collect sends the current figures.
func (l *figureCollector) Collect(out chan<- prometheus.Metric) {
	for _, m := range l.read() {
		out <- m
	}
}

// read returns the figures. It reads the source only if the last result is older than collectMaxAge.
func (l *figureCollector) read() []prometheus.Metric {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.at.IsZero() && time.Since(l.at) < collectMaxAge {
		return l.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectTimeout)
	defer cancel()
	l.last = nil
	var found []prometheus.Metric
	err := l.collect(ctx, func(name string, value float64, labels ...string) {
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
