package feed_test

import "github.com/rollcall-dev/rollcall/internal/reconcile"

import (
	"strings"
	"testing"
)

// TestVerify_WrongCountOfHeldRows_IsMended has a feed count more held rows than it has.
func TestVerify_WrongCountOfHeldRows_IsMended(t *testing.T) {
	onBoth(t, func(f *farm) {
		f.rowsOfKeys(times(50, "a")...)
		f.feed()
		f.sql("UPDATE rollcall.feeds SET held = held + 5")
		v, findings := f.verify(reconcile.VerifyOptions{})
		if v.OK() || !strings.Contains(findings, "the stored count of held rows is") {
			f.t.Fatalf("%+v\n%s", v, findings)
		}
		f.verify(reconcile.VerifyOptions{Repair: true})
		f.silent("after the repair")
		var r ran
		defer f.work(&r, 0)()
		f.drain("held rows", func(int) {})
	})
}
