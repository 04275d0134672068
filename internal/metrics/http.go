package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// requests holds the metrics of HTTP.
type requests struct {
	total   *prometheus.CounterVec
	took    *prometheus.HistogramVec
	givenUp *prometheus.CounterVec
}

func newRequests(r *prometheus.Registry) requests {
	givenUp := counter(r, "http_connections_given_up_total",
		"Connections that were closed or rejected, because there were too many or a client read too slowly.", "reason")
	for _, why := range conns.Reasons() {
		givenUp.WithLabelValues(string(why))
	}
	return requests{
		counter(r, "http_requests_total", "Requests by the pattern of their path; requests for unknown paths have the route \"none\".",
			"method", "route", "status"),
		histogram(r, "http_request_seconds", "Duration of a response, with the waiting time of polls and streams.",
			seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond,
				100*time.Millisecond, 300*time.Millisecond, time.Second, 3*time.Second, 10*time.Second, time.Minute),
			"method", "route"),
		givenUp,
	}
}

// Served counts a request by its method and route. The argument `route` is the pattern that matches the
// path of the request. If it is empty, because no pattern matches, Served counts the method "any" and the
// route "none".
func (s *Set) Served(method, route string, status int, took time.Duration) {
	if route == "" {
		method, route = "any", "none" // both may be any text
	}
	s.requests.total.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	s.requests.took.WithLabelValues(method, route).Observe(took.Seconds())
}

// GivenUp counts a connection that was closed or refused.
func (s *Set) GivenUp(why conns.Reason) { s.requests.givenUp.WithLabelValues(string(why)).Inc() }
