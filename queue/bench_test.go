package queue

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkProcess measures blank jobs with distinct keys, waiting before the
// node starts, from its start to the last ack.
func BenchmarkProcess(b *testing.B) {
	_, rdb := privateRedis(b)
	w := &world{t: b, rdb: rdb, prefix: "bench"}
	fill(b, w)
	var count atomic.Int64
	done := make(chan struct{})
	s := NewServer(rdb, ServerOptions{Prefix: w.prefix}, Worker{
		Queue: "q", Handle: func(context.Context, *Batch) error {
			if count.Add(1) == int64(b.N) {
				close(done)
			}
			return nil
		},
	})
	b.ResetTimer()
	if err := s.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	<-done
	s.Stop()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	if st := w.stats(); st.Processed != int64(b.N) || st.Length+st.Busy != 0 {
		b.Errorf("stats = %+v, want %d processed", st, b.N)
	}
}

// BenchmarkPush measures pushes of 1,000 jobs with distinct keys.
func BenchmarkPush(b *testing.B) {
	_, rdb := privateRedis(b)
	w := &world{t: b, rdb: rdb, prefix: "bench"}
	b.ResetTimer()
	fill(b, w)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

func fill(b *testing.B, w *world) {
	const most = 1000
	for from := 0; from < b.N; from += most {
		jobs := make([]Job, 0, most)
		for i := from; i < min(from+most, b.N); i++ {
			jobs = append(jobs, Job{Queue: "q", Key: fmt.Sprintf("key:%d", i), Payload: []byte("{}")})
		}
		w.push(jobs...)
	}
}
