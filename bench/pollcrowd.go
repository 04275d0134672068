package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// How long a crowd asks as fast as it is answered, and how often the task of
// poll-changing becomes another version meanwhile.
const (
	hurryTime  = 5 * time.Second
	changeTime = 20 * time.Millisecond
)

// benchPoll304 measures polls of a task that does not change, by clients that
// know its version, beside Gin's hello world.
func benchPoll304(ctx context.Context, l *lab, runs int) ([]figure, error) {
	return l.pollBesideHello(ctx, "poll-304", runs, func(_ *pgx.Conn, t task) (crowdAsks, func()) {
		return crowdAsks{path: "/api/v1/tasks/" + t.ID, header: "If-None-Match: *\r\n", status: "304"}, func() {}
	})
}

// benchPollChanging measures polls of a task that changes all the time, by
// clients that get all of it.
func benchPollChanging(ctx context.Context, l *lab, runs int) ([]figure, error) {
	return l.pollBesideHello(ctx, "poll-changing", runs, func(db *pgx.Conn, t task) (crowdAsks, func()) {
		return crowdAsks{path: "/api/v1/tasks/" + t.ID, status: "200"}, keepChanging(ctx, db, t)
	})
}

// keepChanging makes a version after the other, until it is told to stop.
func keepChanging(ctx context.Context, db *pgx.Conn, t task) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var loop sync.WaitGroup
	loop.Go(func() {
		tick := time.NewTicker(changeTime)
		defer tick.Stop()
		for ctx.Err() == nil {
			// A change that fails shows in the figures of nobody: the crowd goes on.
			_, _ = db.Exec(ctx, `UPDATE rollcall.tasks SET total = total + 1, finish = finish + 1,
				version = version + 1 WHERE id = $1`, t.ID)
			<-tick.C
		}
	})
	return func() { cancel(); loop.Wait() }
}

// pollBesideHello has a crowd hurry at the API and at the peer, in turn.
func (l *lab) pollBesideHello(
	ctx context.Context, name string, runs int, asks func(*pgx.Conn, task) (crowdAsks, func()),
) ([]figure, error) {
	defer l.leave(len(l.cleanup))
	hello := testenv.StartProcess(l, l.program("hello"), nil).URL()
	api, db, err := l.apiAlone(ctx)
	if err != nil {
		return nil, err
	}
	t, err := openTask(api.url, name)
	if err != nil {
		return nil, err
	}
	var ours, theirs, p50, p99 []float64
	for range runs {
		ask, stop := asks(db, t)
		n, took, err := hurry(ctx, api.url, ask)
		stop()
		if err != nil {
			return nil, err
		}
		ours, p50 = append(ours, n), append(p50, ms(took[len(took)/2]))
		p99 = append(p99, ms(took[len(took)*99/100]))
		if n, _, err = hurry(ctx, hello, crowdAsks{path: "/hello", status: "200"}); err != nil {
			return nil, err
		}
		theirs = append(theirs, n)
	}
	return []figure{
		figureOf(name+", 64 connections", "/s", ours).above("Gin's hello world", median(theirs)),
		figureOf(name+", 64 connections, p50", "ms", p50),
		figureOf(name+", 64 connections, p99", "ms", p99),
	}, nil
}

// crowdAsks is what each of a crowd asks for, and the status that is right.
type crowdAsks struct{ path, header, status string }

// hurry has a crowd ask as fast as it is answered, and returns how many answers
// came a second and how long each took, the shortest first.
func hurry(ctx context.Context, base string, ask crowdAsks) (rate float64, took []time.Duration, err error) {
	host := strings.TrimPrefix(base, "http://")
	ctx, cancel := context.WithTimeout(ctx, hurryTime)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	begun := time.Now()
	for range crowdSize {
		all.Go(func() {
			one, fault := hurryOne(ctx, host, ask)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, one...)
			if fault != nil {
				err = fault
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return float64(len(took)) / time.Since(begun).Seconds(), took, err
}

func hurryOne(ctx context.Context, host string, ask crowdAsks) (took []time.Duration, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", ask.path, host, ask.header)
	in := bufio.NewReaderSize(conn, 16<<10)
	for ctx.Err() == nil {
		begun := time.Now()
		if _, err := conn.Write(request); err != nil {
			return took, err
		}
		if err := skipAnswer(in, ask.status); err != nil {
			return took, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}

// skipAnswer reads one answer and as little of it as can be, since the crowd
// runs on the processors that it measures.
func skipAnswer(in *bufio.Reader, status string) error {
	line, err := in.ReadSlice('\n')
	if err == nil && !bytes.HasPrefix(line, []byte("HTTP/1.1 "+status)) {
		err = fmt.Errorf("%w: %s", errWrong, line)
	}
	length := 0
	for err == nil && len(line) > 2 {
		if line, err = in.ReadSlice('\n'); err != nil {
			break
		}
		if text, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, err = strconv.Atoi(string(bytes.TrimSpace(text)))
		}
	}
	if err == nil {
		_, err = io.CopyN(io.Discard, in, int64(length))
	}
	return err
}
