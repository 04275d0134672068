package boot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// tellMetrics serves METRICS_LISTEN, if set, until the caller calls the returned function. It needs no
// credential: it serves no data of a tenant, and changes nothing.
func (a *app) tellMetrics(ctx context.Context) (stop func(), err error) {
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
	a.log.Info("telling metrics", "url", "http://"+l.Addr().String()+"/metrics")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := srv.Serve(conns.NewTable(conns.Limits{GivenUp: a.metrics.GivenUp}, nil).Listen(l)); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("metrics are not told any more", "err", err)
		}
	}()
	return func() {
		_ = srv.Close() // an aborted scrape is harmless
		<-ended
	}, nil
}

// forMachines returns the handler of METRICS_LISTEN; stopping ends when the process stops.
func (a *app) forMachines(stopping context.Context) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		err := stopping.Err()
		if err == nil {
			err = errors.Join(a.ledgerReady.answer(r.Context()), a.queueReady.answer(r.Context()))
		}
		say(w, err)
	})
	return mux
}

// say answers a probe. It does not send the error, because the error may contain an address with a
// password.
func say(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
