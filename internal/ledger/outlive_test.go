package ledger

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestOutlive_ContextEnds_EndsASecondLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		late, cancel := ReleaseContext(ctx)
		defer cancel()
		if time.Sleep(time.Hour); late.Err() != nil {
			t.Error("ended although the context goes on: a busy ledger would break the release off")
		}
		end()
		if time.Sleep(outliveTimeout / 2); late.Err() != nil {
			t.Error("ended with the context")
		}
		if time.Sleep(outliveTimeout); late.Err() == nil {
			t.Error("has no end")
		}
	})
}
