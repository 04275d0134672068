package notify_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestDeliverer_OneTenantHangs_AnotherReceivesAtOnce: nine webhooks of one tenant do not answer.
func TestDeliverer_OneTenantHangs_AnotherReceivesAtOnce(t *testing.T) {
	offices(t, func(o *office) {
		for i := range 9 {
			o.webhook("acme", fmt.Sprintf("/hang%d", i), tasks.TopicFinished)
		}
		for range 5 {
			o.end("acme", nil, events.Finish)
		}
		hanging, over, arrived := make(chan struct{}, 64), make(chan struct{}), make(chan struct{})
		o.inbox.answers(func(_ http.ResponseWriter, m message) {
			if m.path == "/well" {
				close(arrived)
				return
			}
			hanging <- struct{}{}
			<-over
		})
		ctx, stop := context.WithCancel(t.Context())
		c := o.delivererWith(guard.Client(guard.Options{AllowPrivate: true, Timeout: time.Minute}))
		var wg sync.WaitGroup
		wg.Go(func() { c.Run(ctx, nil) })
		for range 32 {
			<-hanging
		}
		o.webhook("globex", "/well")
		o.end("globex", nil, events.Finish)
		c.Wake()
		<-arrived
		if n := len(hanging); n != 0 {
			t.Errorf("%d tries of one tenant are under way, want 32", 32+n)
		}
		close(over)
		stop()
		wg.Wait()
	})
}

// TestRoute_LongBacklogOfATenant_RoutesOtherTenants: all tenants are in the same batch.
func TestRoute_LongBacklogOfATenant_RoutesOtherTenants(t *testing.T) {
	offices(t, func(o *office) {
		for range 10 {
			o.end("acme", nil, events.Finish)
		}
		w := o.webhook("globex", "/well")
		o.end("globex", nil, events.Finish)
		if n, err := o.Notify.Route(t.Context(), notify.Subscribers{Kinds: []string{"k"}}, 4); err != nil || n != 3 {
			t.Fatalf("%d notices are routed, %v; want two of one tenant and one of another", n, err)
		}
		if d := o.log(w); d.State != notify.StateWaiting {
			t.Errorf("the delivery is %s", d.State)
		}
	})
}
