package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestEnqueue_CallerGaveUp_ItsLabelsAreItsOwnAgain has a caller give up and change its map of labels
// while its job is being committed.
func TestEnqueue_CallerGaveUp_ItsLabelsAreItsOwnAgain(t *testing.T) {
	on(t, func(s *shop) {
		pool, err := s.DB.Write.DB()
		s.fine(err)
		pool.SetMaxOpenConns(1)
		hold := make(chan struct{})
		taken := make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			_ = s.DB.Write.Transaction(func(tx ledger.Gorm) error {
				if s.DB.Pool != nil {
					s.fine(tx.Exec("LOCK TABLE rollcall.tasks IN EXCLUSIVE MODE").Error)
				}
				close(taken)
				<-hold
				return nil
			})
		})
		<-taken
		short, end := context.WithCancel(s.Context())
		for range 2 { // both turns
			all.Go(func() { _, _ = s.plain.Enqueue(short, s.client, map[string]any{"n": 1}) })
			time.Sleep(20 * time.Millisecond)
		}
		labels := map[string]string{"k": "first"}
		ctx, cancel := context.WithCancel(s.Context())
		var gone sync.WaitGroup
		gone.Go(func() {
			_, err := s.plain.Enqueue(ctx, s.client, map[string]any{"n": 2}, worker.Labels(labels), worker.Name("given up"))
			if !errors.Is(err, context.Canceled) {
				t.Error("enqueue:", err)
			}
		})
		for range 3 {
			all.Go(func() { _, _ = s.plain.Enqueue(s.Context(), s.client, map[string]any{"n": 3}) })
		}
		time.Sleep(50 * time.Millisecond)
		end()
		time.Sleep(50 * time.Millisecond)
		cancel()
		gone.Wait()
		labels["k"] = "changed by its owner after Enqueue returned"
		close(hold)
		all.Wait()
		time.Sleep(300 * time.Millisecond)
		var found []tasks.Task
		s.fine(s.DB.Read.Where("name = ?", "given up").Find(&found).Error)
		for _, f := range found {
			if f.Labels["k"] != "first" {
				t.Errorf("the job was committed after its caller had returned, with labels %v", f.Labels)
			}
		}
	})
}

// TestEnqueue_RedisAnswersNothing_CallersWaitASecond: Redis accepts connections and does not answer.
func TestEnqueue_RedisAnswersNothing_CallersWaitASecond(t *testing.T) {
	on(t, func(s *shop) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		s.fine(err)
		defer l.Close()
		opt, err := redisurl.Parse("redis://" + l.Addr().String())
		s.fine(err)
		rdb := redis.NewUniversalClient(opt)
		defer rdb.Close()
		q := queue.NewClient(rdb, queue.ClientOptions{Prefix: "x", Queues: s.Kinds.Queues(), Now: s.DB.Now})
		c := newClient(s.DB, q, s.Kinds, enqueue.Options{})
		took := func(enqueue func(i int) error) time.Duration {
			begun := time.Now()
			var all sync.WaitGroup
			for i := range 300 {
				all.Go(func() { s.fine(enqueue(i)) })
			}
			all.Wait()
			return time.Since(begun)
		}
		alone := took(func(i int) error { // the kind is Unique, so each job has a transaction of its own
			_, err := s.sell.Enqueue(s.Context(), c, product{SKU: fmt.Sprint(i), Price: decimal.NewFromInt(1)})
			return err
		})
		together := took(func(i int) error {
			_, err := s.plain.Enqueue(s.Context(), c, map[string]any{"n": i})
			return err
		})
		if t.Logf("alone %v, together %v", alone, together); together > 2*alone {
			t.Errorf("300 callers at once took %v, with a transaction each %v", together, alone)
		}
	})
}
