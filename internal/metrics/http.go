package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// requests are the metrics of HTTP.
type requests struct {
	total *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

func newRequests(r *prometheus.Registry) requests {
	return requests{
		counter(r, "http_requests_total", "Requests that were answered; those of no route have route \"none\".",
			"method", "route", "status"),
		histogram(r, "http_request_seconds", "What an answer took, with what a poll or a stream waits for.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 3*time.Second, 10*time.Second, time.Minute),
			"method", "route"),
	}
}

// Served counts a request by its method and the pattern of its path, which is empty
// for one that has none.
func (s *Set) Served(method, route string, status int, took time.Duration) {
	if route == "" {
		method, route = "any", "none" // either may be anything
	}
	s.requests.total.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	s.requests.took.WithLabelValues(method, route).Observe(took.Seconds())
}
