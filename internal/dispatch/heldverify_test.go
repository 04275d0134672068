package dispatch_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/dispatch"
)

// TestVerify_WrongCountOfHeldRows_IsMended has a feed count more held rows than there are.
func TestVerify_WrongCountOfHeldRows_IsMended(t *testing.T) {
	on(t, func(f *farm) {
		f.rowsOfKeys(times(50, "a")...)
		f.feed()
		f.sql("UPDATE feeds SET held = held + 5")
		v, told := f.verify(dispatch.VerifyOptions{})
		if v.Sound() || !strings.Contains(told, "rows are held, its runs say") {
			f.t.Fatalf("%+v\n%s", v, told)
		}
		f.verify(dispatch.VerifyOptions{Repair: true})
		f.silent("after the repair")
		var r ran
		defer f.work(&r, 0)()
		f.drain("held rows", func(int) {})
	})
}
