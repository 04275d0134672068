package importers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// repeated has keys that occur more than once. Row 4 is invalid.
const repeated = `SKU,Stock,Colour
a,1,red
b,1,red
a,x,red
a,2,blue
c,1,green
b,2,blue
,3,blue
`

// asked returns a function that sets the options of a user on a task, as the API does.
func asked(opt importers.Options) func(*tasks.Task) {
	return func(t *tasks.Task) {
		t.Hold = opt.Hold()
		t.Options = map[string]any{"duplicates": opt.Duplicates, "key_column": opt.KeyColumn}
	}
}

// story returns the outcome of the rows of a task, one line for each.
func (p *splitterEnv) story(t *testing.T, task *tasks.Task) []string {
	t.Helper()
	var out []string
	for e, err := range p.Events.Each(t.Context(), task.Num, events.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		code, message, result := "", "", ""
		if e.Code != nil {
			code, message = *e.Code, *e.Message
		}
		if e.Result != nil {
			result = strings.ReplaceAll(*e.Result, task.ID, "T")
		}
		out = append(out, strings.TrimSpace(fmt.Sprintln(e.Row, e.Key, e.Status, code, message, result)))
	}
	return out
}

func TestDuplicates(t *testing.T) {
	tests := map[string]struct {
		opt  importers.Options
		want []string
	}{
		"all are kept": {importers.Options{Duplicates: importers.KeepAll}, []string{
			"2 a enqueue", "3 b enqueue", `4 a failed INVALID_NUMBER Stock: "x" is not a number`,
			"5 a enqueue", "6 c enqueue", "7 b enqueue", "8  failed REQUIRED SKU is empty",
		}},
		"the last valid one counts": {importers.Options{Duplicates: importers.Latest}, []string{
			`2 a failed SUPERSEDED Row 5 has the same key and is used instead {"superseded_by":"T.4","row":5}`,
			`3 b failed SUPERSEDED Row 7 has the same key and is used instead {"superseded_by":"T.6","row":7}`,
			`4 a failed INVALID_NUMBER Stock: "x" is not a number`,
			"5 a enqueue", "6 c enqueue", "7 b enqueue", "8  failed REQUIRED SKU is empty",
		}},
		"the first valid one counts": {importers.Options{Duplicates: importers.First}, []string{
			"2 a enqueue", "3 b enqueue", `4 a failed INVALID_NUMBER Stock: "x" is not a number`,
			`5 a failed SUPERSEDED Row 2 has the same key and is used instead {"superseded_by":"T.1","row":2}`,
			"6 c enqueue",
			`7 b failed SUPERSEDED Row 3 has the same key and is used instead {"superseded_by":"T.2","row":3}`,
			"8  failed REQUIRED SKU is empty",
		}},
		"later ones are wrong": {importers.Options{Duplicates: importers.Refuse}, []string{
			"2 a enqueue", "3 b enqueue", `4 a failed INVALID_NUMBER Stock: "x" is not a number`,
			"5 a failed DUPLICATE_KEY Row 2 has the same key. Remove one of the two rows, or change one key",
			"6 c enqueue",
			"7 b failed DUPLICATE_KEY Row 3 has the same key. Remove one of the two rows, or change one key",
			"8  failed REQUIRED SKU is empty",
		}},
		"another column is the key": {
			importers.Options{Duplicates: importers.First, KeyColumn: "Colour"}, []string{
				"2 red enqueue",
				`3 red failed SUPERSEDED Row 2 has the same key and is used instead {"superseded_by":"T.1","row":2}`,
				`4 red failed INVALID_NUMBER Stock: "x" is not a number`,
				"5 blue enqueue", "6 green enqueue",
				`7 blue failed SUPERSEDED Row 5 has the same key and is used instead {"superseded_by":"T.4","row":5}`,
				"8 blue failed REQUIRED SKU is empty",
			},
		},
	}
	both(t, func(t *testing.T, p *splitterEnv) {
		for name, tt := range tests {
			created := p.accept(t, repeated, asked(tt.opt))
			task, claim := p.claim(t, time.Minute)
			if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, p.story(t, created)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

// TestAKeyIsComparedAsItIsUnderstood: 7, 07 and 7.0 are one number.
func TestAKeyIsComparedAsItIsUnderstood(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, "SKU,Stock\na,7\nb,07\nc, 7.0 \nd,8\n", asked(importers.Options{
			Duplicates: importers.First, KeyColumn: "stock",
		}))
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		if got := p.after(t, created.ID); got.Superseded != 2 || got.Enqueue != 2 {
			t.Errorf("%d rows are superseded, want 2: %v", got.Superseded, p.story(t, created))
		}
	})
}

// TestPoliciesDecideTheSameAfterACrash ends each splitter after its second commit.
func TestPoliciesDecideTheSameAfterACrash(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		var text strings.Builder
		text.WriteString("SKU,Stock\n")
		for i := range 2000 {
			fmt.Fprintf(&text, "s%d,%d\n", i%700, i)
		}
		want := map[string]string{
			importers.Latest: "superseded 1300, failed 1300, enqueue 700: 1301",
			importers.First:  "superseded 1300, failed 1300, enqueue 700: 1",
			importers.Refuse: "superseded 0, failed 1300, enqueue 700: 1",
		}
		for which, want := range want {
			created := p.accept(t, text.String(), asked(importers.Options{Duplicates: which}))
			p.splitInPieces(t, created.ID)
			got := p.after(t, created.ID)
			waiting, err := p.Events.List(t.Context(), got.Num, events.Filter{
				Statuses: []events.Status{events.Enqueue}, Limit: 1,
			})
			if err != nil || len(waiting) == 0 {
				t.Fatal(waiting, err)
			}
			numbers := fmt.Sprintf("superseded %d, failed %d, enqueue %d: %d", got.Superseded, got.Failed, got.Enqueue,
				waiting[0].ID.Seq())
			if numbers != want || got.Total != 2000 {
				t.Errorf("%s: %s, want %s", which, numbers, want)
			}
		}
	})
}

// splitInPieces reads a file with several splitters, each of which ends after its second commit.
func (p *splitterEnv) splitInPieces(t *testing.T, id string) {
	t.Helper()
	for tries := 0; !p.after(t, id).TotalIsFinal; {
		task, claim, err := p.Tasks.Picker(tasks.Reading, p.Kinds.Names(), 1).Next(t.Context(), time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if task == nil {
			continue // the claim of the last splitter must expire
		}
		if tries++; tries > 50 {
			t.Fatal("no end in sight")
		}
		ctx, die := context.WithCancel(t.Context())
		left := 2
		_ = p.splitter(importers.SplitterOptions{Chunk: 300, Claim: time.Millisecond, Added: func() {
			if left--; left == 0 {
				die()
			}
		}}).Split(ctx, task, claim) // an error is expected
		die()
	}
}

// feedable reports whether the feeder may feed the task.
func (p *splitterEnv) feedable(t *testing.T, num int64) bool {
	t.Helper()
	list, err := lanes.New(p.Tasks).Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.Num == num {
			return true
		}
	}
	return false
}

// TestHeldRows: no row is fed before the file is read, even if processes die meanwhile. After that,
// rows are fed only if no row is invalid, or if a user has decided.
func TestHeldRows(t *testing.T) {
	tests := map[string]struct {
		opt     importers.Options
		text    string
		status  tasks.Status
		problem string
		fed     bool
	}{
		"no row is wrong: they run": {
			importers.Options{OnInvalid: importers.Block}, lines(900), tasks.Running, "", true,
		},
		"all are right: they run": {
			importers.Options{Mode: importers.AllOrNothing}, lines(900), tasks.Running, "", true,
		},
		"one is wrong: somebody has to look": {
			importers.Options{OnInvalid: importers.Block}, lines(900) + ",1,x\n", tasks.Paused, "ROWS_INVALID", false,
		},
		"one is wrong: nothing runs": {
			importers.Options{Mode: importers.AllOrNothing}, lines(900) + ",1,x\n", tasks.Canceling, "ROWS_INVALID", false,
		},
		"all are wrong: the task is done": {
			importers.Options{OnInvalid: importers.Block}, "SKU,Stock\na,x\n", tasks.Failed, "", false,
		},
		"all are wrong, all or nothing": {
			importers.Options{Mode: importers.AllOrNothing}, "SKU,Stock\na,x\n", tasks.Failed, "ROWS_INVALID", false,
		},
		"a damaged end, until somebody looks": {
			importers.Options{OnInvalid: importers.Block},
			lines(900) + "s,\"never closed\n",
			tasks.Canceling, tabular.CodeUnclosedQuote, false,
		},
		"a damaged end, all or nothing": {
			importers.Options{Mode: importers.AllOrNothing},
			lines(900) + "s,\"never closed\n",
			tasks.Canceling, tabular.CodeUnclosedQuote, false,
		},
	}
	both(t, func(t *testing.T, p *splitterEnv) {
		for name, tt := range tests {
			created := p.accept(t, tt.text, asked(tt.opt))
			p.halfway(t, created)
			p.splitInPieces(t, created.ID)
			got, problem := p.after(t, created.ID), ""
			if got.Problem != nil {
				problem = got.Problem.Code
			}
			if got.Status != tt.status || problem != tt.problem || p.feedable(t, created.Num) != tt.fed {
				t.Errorf("%s: %s with problem %q, fed %t; want %s, %q, %t", name, got.Status, problem,
					p.feedable(t, created.Num), tt.status, tt.problem, tt.fed)
			}
		}
	})
}

// halfway ends a splitter after its first commit, and checks that no row may be fed.
func (p *splitterEnv) halfway(t *testing.T, created *tasks.Task) {
	t.Helper()
	task, claim := p.claim(t, time.Millisecond)
	ctx, die := context.WithCancel(t.Context())
	defer die()
	_ = p.splitter(importers.SplitterOptions{
		Chunk: 100, Claim: time.Millisecond, Added: die,
	}).Split(ctx, task, claim) // an error is expected
	if p.feedable(t, created.Num) && !p.after(t, created.ID).TotalIsFinal {
		t.Error("rows may be fed before the file is read")
	}
}

// TestResumeOfAHeldTask: a resume before the file is read does not start the task, because the user
// has not seen its invalid rows. A later resume starts it.
func TestResumeOfAHeldTask(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(50)+",1,x\n", asked(importers.Options{OnInvalid: importers.Block}))
		for _, turn := range []func(context.Context, string, string) error{p.Tasks.Pause, p.Tasks.Resume} {
			if err := turn(t.Context(), "acme", created.ID); err != nil {
				t.Fatal(err)
			}
		}
		if p.feedable(t, created.Num) {
			t.Error("resumed before it was read, it is fed")
		}
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		if err := p.Tasks.Resume(t.Context(), "acme", created.ID); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Status != tasks.Running || got.Problem != nil || !p.feedable(t, created.Num) {
			t.Errorf("resumed, it is %s with problem %+v", got.Status, got.Problem)
		}
	})
}

// TestARefusedFileEndsAsFailed: its valid rows are canceled, and its invalid ones keep their
// reasons.
func TestARefusedFileEndsAsFailed(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(900)+",1,x\n", asked(importers.Options{Mode: importers.AllOrNothing}))
		p.splitInPieces(t, created.ID)
		r := events.Range{Num: created.Num, Last: 901}
		if _, err := p.Events.Cancel(t.Context(), r, true); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Status != tasks.Failed || got.Outcome != "failure" || got.Canceled != 900 || got.Failed != 1 ||
			got.Problem == nil || !strings.HasPrefix(got.Problem.Detail, "1 of 901 rows of the file are invalid, so none was run.") {
			t.Errorf("task = %+v, problem %+v", got, got.Problem)
		}
		bad, err := p.Events.Bad(t.Context(), created.Num, events.Filter{})
		if err != nil || len(bad) != 1 || *bad[0].Code != rowschema.CodeRequired {
			t.Errorf("invalid rows = %v, %v", bad, err)
		}
		if _, err := p.mend(t, created.Num); !errors.Is(err, events.ErrClosed) || !review.Closed(got) {
			t.Errorf("a row that was refused runs again: %v", err)
		}
	})
}
