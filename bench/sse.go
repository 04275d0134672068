package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// These are the numbers of streams and of their tasks, and the interval and duration of the changes of
// each task.
const (
	audience   = 10_000
	shows      = 100
	showChange = time.Second
	showTime   = 15 * time.Second
	audienceIn = 32 // streams that are opened at once
)

// benchSSE measures how soon the streams report each change of their tasks, and the peak memory of the
// process that serves the streams.
func benchSSE(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var p50, p99, most, memory, busy []float64
	for range runs {
		took, mb, cpu, err := l.showOnce(ctx)
		if err != nil {
			return nil, err
		}
		p50, p99 = append(p50, ms(took[len(took)/2])), append(p99, ms(took[len(took)*99/100]))
		most = append(most, ms(took[len(took)-1]))
		memory, busy = append(memory, mb), append(busy, 100*cpu.Seconds()/showTime.Seconds())
	}
	name := fmt.Sprintf("sse, %d streams of %d tasks", audience, shows)
	return []figure{
		figureOf(name+": change to client, p50", "ms", p50),
		figureOf(name+": change to client, p99", "ms", p99),
		figureOf(name+": change to client, the slowest", "ms", most),
		figureOf(name+": peak RSS of api", "MB", memory),
		figureOf(name+": processor of api", "% of one", busy),
	}, nil
}

// showOnce returns the times from the update of a task to the arrival of the change, for each stream.
func (l *lab) showOnce(ctx context.Context) (took []time.Duration, mb float64, cpu time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	s, db, err := l.apiAlone(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	var list []task
	for range shows {
		t, err := openTask(s.url, "show")
		if err != nil {
			return nil, 0, 0, err
		}
		list = append(list, t)
	}
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	a := &audienceOf{}
	defer func() { leave(); a.all.Wait() }()
	if err := a.enter(ctx, s.url, list); err != nil {
		return nil, 0, 0, err
	}
	pid := s.procs["api"].PID()
	before, err := cpuTime(pid)
	if err != nil {
		return nil, 0, 0, err
	}
	changes, err := a.play(ctx, db)
	if err != nil {
		return nil, 0, 0, err
	}
	after, err := cpuTime(pid)
	if err != nil {
		return nil, 0, 0, err
	}
	time.Sleep(2 * showChange) // the last change may still be in flight
	if mb, err = peakRSS(pid); err != nil {
		return nil, 0, 0, err
	}
	leave()
	took, err = a.waitForChanges(changes)
	return took, mb, after - before, err
}

// play changes every task once per showChange. The names of the tasks contain the number of the change.
func (a *audienceOf) play(ctx context.Context, db *pgx.Conn) (changes int, err error) {
	tick := time.NewTicker(showChange)
	defer tick.Stop()
	for end := time.Now().Add(showTime); time.Now().Before(end); changes++ {
		a.at[changes].Store(time.Now().UnixNano())
		_, err := db.Exec(ctx, `UPDATE rollcall.tasks SET name = $1, total = total + 1, finish = finish + 1,
			version = version + 1`, fmt.Sprint("change ", changes))
		if err != nil {
			return 0, err
		}
		<-tick.C
	}
	return changes, nil
}

// audienceOf holds all streams and the changes that have arrived.
type audienceOf struct {
	all  sync.WaitGroup
	in   atomic.Int64
	at   [showTime/showChange + 2]atomic.Int64 // when each change was made, unix ns
	mu   sync.Mutex
	took []time.Duration
	err  error
}

// enter opens the streams, and waits until each has received data.
func (a *audienceOf) enter(ctx context.Context, base string, list []task) error {
	host := strings.TrimPrefix(base, "http://")
	door := make(chan struct{}, audienceIn)
	for i := range audience {
		a.all.Go(func() { a.note(listen(ctx, host, list[i%len(list)].ID, a, door)) })
	}
	for a.in.Load() < audience {
		if err := a.fault(); err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

func (a *audienceOf) note(took []time.Duration, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.took = append(a.took, took...)
	a.err = errors.Join(a.err, err)
}

func (a *audienceOf) fault() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// waitForChanges waits for the end of all streams, and returns the sorted times that listen returned. It returns an
// error if a stream missed the last change.
func (a *audienceOf) waitForChanges(changes int) ([]time.Duration, error) {
	a.all.Wait()
	if a.err == nil && len(a.took) != changes*audience {
		a.err = fmt.Errorf("%w: received %d changes, want %d", errWrong, len(a.took), changes*audience)
	}
	slices.Sort(a.took)
	return a.took, a.err
}

// listen reads one stream. It returns the time from each change to its arrival. A change that a later one
// replaced before it was sent arrives with the later one.
func listen(
	ctx context.Context, host, id string, a *audienceOf, door chan struct{},
) (took []time.Duration, err error) {
	door <- struct{}{}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err == nil {
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // it is closed twice
		_, err = fmt.Fprintf(conn, "GET /api/v1/tasks/%s/stream HTTP/1.1\r\nHost: %s\r\n\r\n", id, host)
	}
	in := bufio.NewReaderSize(conn, 2<<10)
	if err == nil {
		_, err = in.ReadSlice('{')
	}
	<-door
	a.in.Add(1)
	for err == nil {
		var line []byte
		if line, err = in.ReadSlice(','); errors.Is(err, bufio.ErrBufferFull) {
			err = nil // another field
		}
		if text, ok := bytes.CutPrefix(line, []byte(`"name":"change `)); ok && err == nil {
			var change int
			change, err = strconv.Atoi(string(bytes.TrimSuffix(text, []byte(`",`))))
			for len(took) <= change && err == nil {
				took = append(took, time.Since(time.Unix(0, a.at[len(took)].Load())))
			}
		}
	}
	if ctx.Err() != nil {
		err = nil // the bench has ended the streams
	}
	return took, err
}
