package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the sizes of the long task and of a page, in rows, and how often each page is read.
const (
	pagedRows  = 1_000_000
	pageRows   = 50
	pageReads  = 200
	leapRows   = 500 // rows of a page on the way to the last page
	lastCursor = pagedRows - pageRows
)

// benchEventsPages measures the first and the last page of 50 rows of a task of a million rows, on
// Postgres.
func benchEventsPages(ctx context.Context, l *lab, runs int) ([]figure, error) {
	defer l.leave(len(l.cleanup))
	s, _, err := l.apiAlone(ctx)
	if err != nil {
		return nil, err
	}
	id, err := fillLedger(ctx, s.ledger)
	if err != nil {
		return nil, err
	}
	first := s.url + "/api/v1/tasks/" + id + "/events"
	cursor, err := leap(first)
	if err != nil {
		return nil, err
	}
	last := first + "?cursor=" + cursor
	var near, far, worst []float64
	for range runs {
		one, slow, err := readPage(first, 1)
		if err != nil {
			return nil, err
		}
		other, slower, err := readPage(last, lastCursor+1)
		if err != nil {
			return nil, err
		}
		near, far, worst = append(near, ms(one)), append(far, ms(other)), append(worst, ms(max(slow, slower)))
	}
	return []figure{
		figureOf("events-pages, page 20,000 of 10^6 rows, p50", "ms", far).below("page 1", median(near)),
		figureOf("events-pages, page 1, p50", "ms", near),
		figureOf("events-pages, the slower p99", "ms", worst),
	}, nil
}

// fillLedger creates a task of many rows in the same way as the splitter.
func fillLedger(ctx context.Context, url string) (id string, err error) {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: "default", Kind: queueName, Type: tasks.Batch, Status: tasks.Splitting,
	}
	claim, err := tasks.New(db, tasks.Options{}).CreateHeld(ctx, t, tasks.Terms{Keep: time.Hour}, time.Minute)
	if err != nil {
		return "", err
	}
	store := events.New(db, events.Options{})
	for first := 0; first < pagedRows; first += appendChunk {
		rows := make([]events.Draft, appendChunk)
		for i := range rows {
			rows[i] = wideRow(first + i)
		}
		_, err := store.Append(ctx, events.Chunk{
			Num: t.Num, Claim: int64(claim), TTL: time.Minute, Rows: rows,
			Final: first+appendChunk >= pagedRows,
		})
		if err != nil {
			return "", err
		}
	}
	return t.ID, nil
}

// eventsPage holds the fields of a page of rows that benches read.
type eventsPage struct {
	Items      []struct{ Seq int }
	NextCursor string `json:"next_cursor"`
}

// leap reads pages up to the last one, and returns the cursor of the last page.
func leap(first string) (cursor string, err error) {
	for at := 0; at < lastCursor; {
		n := min(leapRows, lastCursor-at)
		p, err := getPage(fmt.Sprintf("%s?limit=%d&cursor=%s", first, n, cursor))
		if err != nil {
			return "", err
		}
		at, cursor = at+n, p.NextCursor
	}
	return cursor, nil
}

func getPage(url string) (p eventsPage, err error) {
	resp, err := client.Get(url)
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s: %w", resp.Status, errWrong)
	}
	return p, json.NewDecoder(resp.Body).Decode(&p)
}

// readPage reads a page pageReads times, one after another, and returns the p50 and the p99. It returns
// an error unless the first row has the number seq.
func readPage(url string, seq int) (p50, p99 time.Duration, err error) {
	var took []time.Duration
	for range pageReads {
		begun := time.Now()
		p, err := getPage(url)
		if err != nil {
			return 0, 0, err
		}
		took = append(took, time.Since(begun))
		if len(p.Items) != pageRows || p.Items[0].Seq != seq {
			return 0, 0, fmt.Errorf("%w: %d rows from %v", errWrong, len(p.Items), p.Items)
		}
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100], nil
}
