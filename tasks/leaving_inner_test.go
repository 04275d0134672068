package tasks

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestLeaving_ContextEnds_EndsASecondLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		late, cancel := leaving(ctx)
		defer cancel()
		if time.Sleep(time.Hour); late.Err() != nil {
			t.Error("ended although the context goes on: a busy ledger would break the release off")
		}
		end()
		if time.Sleep(leaveTimeout / 2); late.Err() != nil {
			t.Error("ended with the context")
		}
		if time.Sleep(leaveTimeout); late.Err() == nil {
			t.Error("has no end")
		}
	})
}
