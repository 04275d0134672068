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

// These are the time for which a crowd polls as fast as it gets responses, and the interval at which the
// task of the bench poll-changing gets a new version.
const (
	hurryTime  = 5 * time.Second
	changeTime = 20 * time.Millisecond
)

// benchPoll304 measures polls of an unchanged task by clients that have it already (If-None-Match: *),
// beside the hello world of Gin.
func benchPoll304(ctx context.Context, l *lab, runs int) ([]figure, error) {
	return l.pollBesideHello(ctx, "poll-304", runs, func(_ *pgx.Conn, t task) (crowdAsks, func()) {
		return crowdAsks{path: "/api/v1/tasks/" + t.ID, header: "If-None-Match: *\r\n", status: "304"}, func() {}
	})
}

// benchPollChanging measures polls of a task that changes all the time, by clients that receive the whole
// task.
func benchPollChanging(ctx context.Context, l *lab, runs int) ([]figure, error) {
	return l.pollBesideHello(ctx, "poll-changing", runs, func(db *pgx.Conn, t task) (crowdAsks, func()) {
		return crowdAsks{path: "/api/v1/tasks/" + t.ID, status: "200"}, keepChanging(ctx, db, t)
	})
}

// keepChanging gives the task a new version every changeTime, until stop is called.
func keepChanging(ctx context.Context, db *pgx.Conn, t task) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var loop sync.WaitGroup
	loop.Go(func() {
		tick := time.NewTicker(changeTime)
		defer tick.Stop()
		for ctx.Err() == nil {
			// A failed change does not affect the figures: the crowd continues to poll.
			_, _ = db.Exec(ctx, `UPDATE rollcall.tasks SET total = total + 1, finish = finish + 1,
				version = version + 1 WHERE id = $1`, t.ID)
			<-tick.C
		}
	})
	return func() { cancel(); loop.Wait() }
}

// pollBesideHello measures a crowd that polls the API and the peer alternately.
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

// crowdAsks is the request of each client of a crowd, with the expected status.
type crowdAsks struct{ path, header, status string }

// hurry makes a crowd send requests as fast as it gets responses. It returns the number of responses per
// second, and their sorted durations.
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

// skipAnswer reads one response, and parses as little of it as possible, because the crowd runs on the
// processors that it measures.
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
