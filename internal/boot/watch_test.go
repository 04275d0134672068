package boot

import (
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
)

func TestWaitingRows_PausedTenant_CountsThoseThatStillRun(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		feed tasks.Feed
		want int64
	}{
		"running":         {tasks.Feed{Status: tasks.Running, Unfed: 5, Waiting: 2}, 7},
		"a paused task":   {tasks.Feed{Status: tasks.Paused, Unfed: 5, Waiting: 2}, 2},
		"a paused tenant": {tasks.Feed{Status: tasks.Running, TenantPaused: true, Unfed: 5, Waiting: 2}, 2},
	} {
		if got := waitingRows(tt.feed); got != tt.want {
			t.Errorf("%s: %d rows wait, want %d", name, got, tt.want)
		}
	}
}
