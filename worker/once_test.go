package worker_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestAnEffectIsDoneOnce: the effect of a job and a name happens once, when its transaction
// commits, however often the job runs again, and with any library.
func TestAnEffectIsDoneOnce(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Write.Exec(worker.OnceTable()).Error; err != nil {
			t.Fatal(err)
		}
		for begin, run := range beginners(db) {
			job := &worker.Call{ID: begin + ".1"}
			rollback := errors.New("rolled back")
			steps := []struct {
				name  string
				first bool
				end   error
			}{
				{"charge", true, rollback}, {"charge", true, nil}, {"charge", false, nil}, {"mail", true, nil},
			}
			for i, st := range steps {
				first := false
				err := run(func(tx any) (err error) {
					if first, err = job.Once(t.Context(), tx, st.name); err == nil {
						err = st.end
					}
					return err
				})
				if first != st.first || !errors.Is(err, st.end) {
					t.Errorf("%s, step %d: first is %v, %v", begin, i, first, err)
				}
			}
		}
		if _, err := (&worker.Call{ID: "t.1"}).Once(t.Context(), db.Write, "charge"); !errors.Is(err, ledger.ErrNotJoinable) {
			t.Errorf("outside a transaction: %v", err)
		}
	})
}

// beginners lists functions that run a function in a transaction, one for each library that the
// database has.
func beginners(db *ledger.DB) map[string]func(func(tx any) error) error {
	out := map[string]func(func(tx any) error) error{
		"gorm": func(f func(any) error) error {
			return db.Write.Transaction(func(tx ledger.Gorm) error { return f(tx) })
		},
		"sql": func(f func(any) error) error {
			pool, err := db.Write.DB()
			if err != nil {
				return err
			}
			tx, err := pool.Begin()
			if err != nil {
				return err
			}
			if err := f(tx); err != nil {
				return errors.Join(err, tx.Rollback())
			}
			return tx.Commit()
		},
	}
	if db.Pool != nil {
		out["pgx"] = func(f func(any) error) error {
			return pgx.BeginFunc(db.Write.Statement.Context, db.Pool, func(tx pgx.Tx) error { return f(tx) })
		}
	}
	return out
}

// TestAHandlerThatWasCalledHasNoClient checks that Enqueue in a handler of Definition.Call returns
// ErrNoClient.
func TestAHandlerThatWasCalledHasNoClient(t *testing.T) {
	t.Parallel()
	next := worker.Define("next", noop[order])
	first := worker.Define("first", func(ctx context.Context, job *worker.Job[order]) error {
		_, err := next.Enqueue(ctx, job.Client(), order{})
		return err
	})
	if _, err := first.Call(t.Context(), order{}); !errors.Is(err, worker.ErrNoClient) {
		t.Errorf("err = %v", err)
	}
}

func TestOnceWithoutAJob(t *testing.T) {
	t.Parallel()
	if first, err := (&worker.Call{}).Once(t.Context(), nil, "charge"); !first || err != nil {
		t.Errorf("called here and now: %v, %v", first, err)
	}
	bare := jobs.KindOf(worker.Define("bare", func(ctx context.Context, job *worker.Job[order]) error {
		_, err := job.Once(ctx, nil, "charge")
		return err
	}, worker.Track(false)))
	err := bare.Run(t.Context(), &jobs.Call{Params: []byte("{}"), Services: &shown{}})
	if !errors.Is(err, worker.ErrUntracked) {
		t.Errorf("of an untracked kind: %v", err)
	}
}
