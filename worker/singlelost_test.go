package worker_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// losing returns a shop on Postgres. After a call of `arm`, the answer to every second statement that
// contains the text is lost.
func losing(t *testing.T, text string) (s *shop, arm func()) {
	t.Parallel()
	var armed atomic.Bool
	var n atomic.Int64
	wire := testenv.NewPostgresWire(t, ledgers.Postgres(t), func(statement string) bool {
		return armed.Load() && strings.Contains(statement, text) && n.Add(1)%2 == 1
	})
	return newShop(t, wire.URL(), enqueue.Options{}), func() { armed.Store(true) }
}

// TestEnqueue_AnswerToTheCommitIsLost_CallersGetAnErrorAndNoJobIsAddedTwice: Postgres has committed
// jobs, and their callers get no answer.
func TestEnqueue_AnswerToTheCommitIsLost_CallersGetAnErrorAndNoJobIsAddedTwice(t *testing.T) {
	s, arm := losing(t, "INSERT INTO rollcall.tasks (num")
	arm()
	var all sync.WaitGroup
	var failed atomic.Int64
	refs := make([]worker.Ref, 60)
	for i := range refs {
		all.Go(func() {
			var err error
			if refs[i], err = s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": i}, worker.Key(fmt.Sprint(i))); err != nil {
				failed.Add(1)
			}
		})
	}
	all.Wait()
	var keys []string
	s.fine(s.DB.Read.Raw("SELECT key FROM rollcall.events").Scan(&keys).Error)
	added := map[string]int{}
	for _, key := range keys {
		added[key]++
	}
	for i, ref := range refs {
		if n := added[fmt.Sprint(i)]; n != 1 {
			s.Errorf("job %d was added %d times; its caller got %+v", i, n, ref)
		}
	}
	if failed.Load() == 0 {
		s.Error("no answer was lost")
	}
}

func TestEnqueue_UniqueAndTheAnswerIsLost_SecondCallReturnsTheJob(t *testing.T) {
	s, arm := losing(t, "commit")
	arm()
	if ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1")); err == nil {
		s.Fatalf("%+v; the answer was not lost", ref)
	}
	ref, err := s.sell.Enqueue(s.Context(), s.client, anvil("a1"))
	if s.fine(err); !ref.Deduplicated || s.tasks() != 1 {
		s.Errorf("%+v, %d tasks", ref, s.tasks())
	}
}
