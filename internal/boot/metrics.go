package boot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// serveMetrics serves the address METRICS_LISTEN until the caller calls `stop`. If METRICS_LISTEN is not
// set, serveMetrics is a no-op. Requests need no credential, because they change nothing, and the responses
// contain no data of tenants.
func (a *app) serveMetrics(ctx context.Context) (stop func(), err error) {
	if a.cfg.MetricsListen == "" {
		return func() {}, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", a.cfg.MetricsListen)
	if err != nil {
		return nil, fmt.Errorf("METRICS_LISTEN: %w", err)
	}
	srv := conns.Server(a.forMachines(ctx))
	srv.ReadTimeout = conns.HeaderTime // no request has a body
	a.log.Info("serving metrics", "url", "http://"+l.Addr().String()+"/metrics")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := srv.Serve(conns.NewTable(conns.Limits{GivenUp: a.metrics.GivenUp}, nil).Listen(l)); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("serving METRICS_LISTEN failed: no metrics and health checks until a restart", "err", err)
		}
	}()
	return func() {
		_ = srv.Close() // an aborted scrape is harmless
		<-ended
	}, nil
}

// forMachines returns the handler for METRICS_LISTEN. Once the context `stopping` has ended, /readyz
// reports that the process is not ready.
func (a *app) forMachines(stopping context.Context) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answerProbe(w, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		err := stopping.Err()
		if err == nil {
			err = errors.Join(a.ledgerReady.answer(r.Context()), a.queueReady.answer(r.Context()))
		}
		answerProbe(w, err)
	})
	return mux
}

// answerProbe answers a health check. It does not send `err`, because `err` may contain a URL with
// a password.
func answerProbe(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
