package queue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// BenchmarkProcess measures the time from the start of a node to its last ack. The jobs already wait.
// They have distinct keys, and their handler does nothing.
func BenchmarkProcess(b *testing.B) {
	_, rdb := privateRedis(b)
	w := worldAt(b, "bench", rdb.Options().Addr)
	fill(b, w)
	var count atomic.Int64
	done := make(chan struct{})
	cpu := info(b, rdb, "used_cpu_user")
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
	b.ReportMetric((info(b, rdb, "used_cpu_user")-cpu)/float64(b.N)*1e6, "redis-us/job")
	if st := w.stats(); st.Processed != int64(b.N) || st.Length+st.Busy != 0 {
		b.Errorf("stats = %+v, want %d processed", st, b.N)
	}
}

// BenchmarkPush measures pushes of 1,000 jobs with distinct keys.
func BenchmarkPush(b *testing.B) {
	_, rdb := privateRedis(b)
	w := worldAt(b, "bench", rdb.Options().Addr)
	b.ResetTimer()
	fill(b, w)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkMemory measures how much memory and time a waiting job costs Redis. The jobs have distinct
// keys and payloads of 20 bytes. Run it with -benchtime 100000x.
func BenchmarkMemory(b *testing.B) {
	_, rdb := privateRedis(b)
	w := worldAt(b, "q", rdb.Options().Addr)
	w.push(Job{Key: "first"}) // what every queue costs once
	before := info(b, rdb, "used_memory")
	cpu := info(b, rdb, "used_cpu_user")
	fill(b, w)
	b.ReportMetric((info(b, rdb, "used_memory")-before)/float64(b.N), "B/job")
	b.ReportMetric((info(b, rdb, "used_cpu_user")-cpu)/float64(b.N)*1e6, "redis-us/job")
}

// info reads a figure of INFO.
func info(b *testing.B, rdb *redis.Client, name string) float64 {
	b.Helper()
	for line := range strings.Lines(rdb.Info(b.Context(), "everything").Val()) {
		if text, ok := strings.CutPrefix(line, name+":"); ok {
			f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				b.Fatal(err)
			}
			return f
		}
	}
	b.Fatalf("no %s in INFO", name)
	return 0
}

func fill(b *testing.B, w *world) {
	const most = 1000
	for from := 0; from < b.N; from += most {
		jobs := make([]Job, 0, most)
		for i := from; i < min(from+most, b.N); i++ {
			key, payload := fmt.Sprintf("key:%d", i), []byte("twenty bytes or less")
			jobs = append(jobs, Job{Queue: "q", Key: key, Payload: payload})
		}
		w.push(jobs...)
	}
}
