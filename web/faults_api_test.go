package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// fails starts a process whose script fetch fails on the queue of patients, because the script finds a text
// where it needs a hash. The returned function stops the process.
func (d *depot) fails() (stop func()) {
	d.t.Helper()
	for shard := range 5 {
		fine(d.t, d.redis.Set(fmt.Sprintf("queue:{%s:%d}:crashes", patients, shard), "text"))
	}
	s := queue.NewServer(d.rdb(), queue.ServerOptions{
		Lease: 10 * time.Second, Poll: 20 * time.Millisecond, Now: d.clock,
	}, queue.Worker{Queue: patients, Handle: func(context.Context, *queue.Batch) error { return nil }})
	fine(d.t, s.Start(d.t.Context()))
	d.t.Cleanup(s.Stop)
	for s.Counts().Scripts < 8 { // at least one shard has failed several times
		time.Sleep(5 * time.Millisecond)
	}
	return s.Stop
}

// TestScriptFault_WhileItRepeats_IsNamedToOperatorsAndInExplain: after the last failure, only the page of the
// queue names the script, for an hour.
func TestScriptFault_WhileItRepeats_IsNamedToOperatorsAndInExplain(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	first := d.task + ".1"
	stop := d.fails()
	r := d.acme.why(first, "SCRIPT_FAILS")
	if !strings.Contains(r["detail"].(string), "The script fetch of the queue patients.import fails") || r["at"] == nil {
		t.Errorf("a row is explained by %v", r)
	}
	acme := d.acme.in(t)
	owner := d.home.in(t)
	page := owner.page("/ops/queues/" + patients)
	for _, body := range []string{owner.page("/ops"), page, acme.page("/ops"), acme.page("/ops/queues/" + patients)} {
		if !strings.Contains(body, `</svg> Script fails</span>`) {
			t.Errorf("no page is red:\n%s", body)
		}
	}
	if strings.Contains(acme.page("/ops/queues/"+patients), "Failing scripts") {
		t.Error("a tenant reads the texts of Redis")
	}
	tells(t, page, "Failing scripts", "No row is lost", "fetch", "WRONGTYPE")
	if !strings.Contains(page, `<div class="notice bad"`) {
		t.Error("the list of scripts is not red")
	}
	stop()
	d.pass(time.Minute)
	d.acme.why(first, "NO_WORKER", "DUE")
	page = owner.page("/ops/queues/" + patients)
	if tells(t, page, "Failing scripts", "fetch"); strings.Contains(page, "Script fails") || strings.Contains(page, `<div class="notice bad"`) {
		t.Error("a fault that is over is red")
	}
	d.pass(time.Hour)
	if page := owner.page("/ops/queues/" + patients); strings.Contains(page, "Failing scripts") {
		t.Error("a fault of an hour ago is shown")
	}
}

// TestExplain_KeyInNoList_SaysSo: the explanation does not claim that the row runs soon.
func TestExplain_KeyInNoList_SaysSo(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	for shard := range 5 {
		d.redis.Del(fmt.Sprintf("queue:{%s:%d}:ready", patients, shard))
	}
	d.acme.why(d.task+".1", "NO_WORKER", "STRANDED")
	d.acme.why(d.task+".3", "NO_WORKER", "STRANDED")
}
