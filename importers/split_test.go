package importers_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type item struct {
	SKU   string `row:"SKU" key:"true" validate:"required,max=8"`
	Stock int64  `row:"Stock"`
}

var itemKind = worker.Define("items.import",
	func(context.Context, *worker.Job[item]) error { return nil })

// splitterEnv is a splitter with its stores, on one of the databases.
type splitterEnv struct{ *fixture.Service }

func newSplitterEnv(t *testing.T, url string) *splitterEnv {
	t.Helper()
	return &splitterEnv{fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(itemKind)})}
}

// both runs a test on the databases that ledgers.ByTier selects.
func both(t *testing.T, story func(*testing.T, *splitterEnv)) {
	ledgers.ByTier(t, func(t *testing.T, url string) { story(t, newSplitterEnv(t, url)) })
}

func (p *splitterEnv) splitter(opt importers.SplitterOptions) *importers.Splitter {
	return importers.NewSplitter(p.Tasks, p.Events, p.Files, p.Kinds, opt)
}

// accept stores a file and its task, as the API does.
func (p *splitterEnv) accept(t *testing.T, text string, ask ...func(*tasks.Task)) *tasks.Task {
	t.Helper()
	info, err := p.Files.Put(t.Context(), strings.NewReader(text), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	in, err := importers.Inspect(bytes.NewReader([]byte(text)), int64(len(text)), jobs.KindOf(itemKind),
		importers.Options{Name: "items.csv"})
	if err != nil {
		t.Fatal(err)
	}
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "items.import", Type: tasks.Import,
		Status: tasks.Open, Columns: in.Columns, Source: tasks.Source{
			FileID: info.ID, FileName: "items.csv", FileFormat: in.Format, HeaderRow: in.HeaderRow,
			FileEncoding: in.Encoding, FileDelimiter: in.Delimiter,
		},
	}
	for _, f := range ask {
		f(task)
	}
	if err := p.Tasks.Create(t.Context(), task, time.Hour); err != nil {
		t.Fatal(err)
	}
	return task
}

// claim claims the only task.
func (p *splitterEnv) claim(t *testing.T, ttl time.Duration) (*tasks.Task, tasks.Claim) {
	t.Helper()
	task, claim, err := p.Tasks.Picker(tasks.Reading, p.Kinds.Names(), 1).Next(t.Context(), ttl)
	if err != nil || task == nil {
		t.Fatalf("claim = %v, %v", task, err)
	}
	return task, claim
}

func (p *splitterEnv) after(t *testing.T, id string) *tasks.Task {
	t.Helper()
	task, err := p.Tasks.Get(t.Context(), "acme", id)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// lines returns a header and n rows. Row i, counted from 1, has the SKU "s<i>".
func lines(n int) string {
	var b strings.Builder
	b.WriteString("SKU,Stock,Colour\n")
	for i := range n {
		fmt.Fprintf(&b, "s%d,%d,\"r\"\"ed\"\n", i+1, i)
	}
	return b.String()
}

func TestSplitAddsEveryRowOnce(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(3000)+",5,\n toolongsku ,x,\nlast,1,,,extra\n")
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{Chunk: 700}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Total != 3003 || got.Failed != 3 || !got.TotalIsFinal || got.Status != tasks.Running {
			t.Errorf("task = %+v", got)
		}
		n := int64(0)
		for e, err := range p.Events.Each(t.Context(), got.Num, events.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; e.ID.Seq() != n || e.Row != int(n)+1 {
				t.Fatalf("event %d has seq %d and row %d", n, e.ID.Seq(), e.Row)
			}
		}
		rows, err := p.Events.List(t.Context(), got.Num, events.Filter{After: 2999})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, e := range rows {
			code := ""
			if e.Code != nil {
				code = *e.Code
			}
			texts = append(texts, fmt.Sprint(e.Key, " ", e.Status, " ", code, " ", e.Params))
		}
		want := []string{
			`s3000 enqueue  {"SKU":"s3000","Stock":"2999","Colour":"r\"ed"}`,
			` failed REQUIRED {"Stock":"5"}`,
			`toolongsku failed TOO_LONG {"SKU":" toolongsku ","Stock":"x"}`,
			`last failed TOO_MANY_CELLS {"SKU":"last","Stock":"1","column 5":"extra"}`,
		}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Errorf("last rows (-want +got):\n%s", diff)
		}
	})
}

// TestSplitResumes ends a splitter at many places. The next one continues after the last commit.
func TestSplitResumes(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(2000))
		for tries := 0; ; {
			task, claim, err := p.Tasks.Picker(tasks.Reading, p.Kinds.Names(), 1).Next(t.Context(), time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if task == nil {
				if got := p.after(t, created.ID); got.TotalIsFinal {
					break
				}
				continue // the claim of the last splitter must expire
			}
			ctx, die := context.WithCancel(t.Context())
			left := 2 // number of commits before the splitter is stopped
			s := p.splitter(importers.SplitterOptions{
				Chunk: 300, Claim: time.Millisecond,
				Added: func() {
					if left--; left == 0 {
						die()
					}
				},
			})
			err = s.Split(ctx, task, claim)
			die()
			if tries++; tries > 50 {
				t.Fatalf("no end in sight: %v", err)
			}
		}
		got := p.after(t, created.ID)
		if got.Total != 2000 || got.Enqueue != 2000 {
			t.Errorf("total %d, enqueue %d, want 2000 of both", got.Total, got.Enqueue)
		}
		keys := map[string]bool{}
		for e, err := range p.Events.Each(t.Context(), got.Num, events.Filter{}) {
			if err != nil || keys[e.Key] || e.Key != fmt.Sprintf("s%d", e.ID.Seq()) {
				t.Fatalf("event %d has key %s (%v)", e.ID.Seq(), e.Key, err)
			}
			keys[e.Key] = true
		}
	})
}

func TestALostClaimStopsTheSplit(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(2000))
		task, stale := p.claim(t, -time.Second)
		p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, stale); err == nil {
			t.Error("a splitter without the claim went on")
		}
		if got := p.after(t, created.ID); got.Total != 0 {
			t.Errorf("it added %d rows", got.Total)
		}
	})
}

func TestAFileThatBreaksOffIsAProblem(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(1500)+"s1501,\"never closed\n")
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Problem == nil || got.Problem.Code != tabular.CodeUnclosedQuote || got.Problem.Row != 1502 {
			t.Errorf("problem = %+v", got.Problem)
		}
		if !got.TotalIsFinal || got.Total != 1500 || got.Enqueue != 1500 {
			t.Errorf("task = %+v", got)
		}
	})
}

func TestAFileThatIsGoneIsAProblem(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(2))
		if err := p.Files.Delete(t.Context(), created.FileID); err != nil {
			t.Fatal(err)
		}
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Status != tasks.Failed || got.Problem == nil || got.Problem.Code != importers.CodeFileGone {
			t.Errorf("task = %s, problem %+v", got.Status, got.Problem)
		}
	})
}

func TestInspectRefusesTwoColumnsForOneField(t *testing.T) {
	t.Parallel()
	text := "SKU,s k u\na,b\n"
	_, err := importers.Inspect(strings.NewReader(text), int64(len(text)), jobs.KindOf(itemKind), importers.Options{})
	p, ok := err.(*tabular.Problem)
	if !ok || p.Code != tabular.CodeDuplicateHeader || !strings.Contains(p.Detail, `"s k u"`) {
		t.Errorf("Inspect = %v", err)
	}
}

// TestARowTooLargeCostsTheRow: a row that is too large for the queue is invalid, and is stored in a
// short form.
func TestARowTooLargeCostsTheRow(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		wide := "SKU,Stock" + strings.Repeat(",H", 12) + "\n"
		for i := range 12 {
			wide = strings.Replace(wide, ",H", fmt.Sprintf(",h%d", i), 1)
		}
		cells := strings.Repeat(","+strings.Repeat("<", 30_000), 12)
		created := p.accept(t, wide+"a,1"+cells+"\nb,2"+strings.Repeat(",", 12)+"\n")
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		rows, err := p.Events.List(t.Context(), created.Num, events.Filter{})
		if err != nil || len(rows) != 2 || rows[0].Code == nil || *rows[0].Code != rowschema.CodeRowTooLarge ||
			len(rows[0].Params) > 10_000 || rows[1].Status != events.Enqueue {
			t.Errorf("rows = %d, %v", len(rows), err)
		}
	})
}

// TestALongFileKeepsItsClaim holds the splitter for longer than a third of its claim. The
// splitter renews the claim, and no other splitter gets the file.
func TestALongFileKeepsItsClaim(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		const ttl = 6 * time.Second
		created := p.accept(t, lines(300))
		task, claim := p.claim(t, ttl)
		added, hold := make(chan struct{}, 9), make(chan struct{})
		s := p.splitter(importers.SplitterOptions{Claim: ttl, Added: func() { added <- struct{}{}; <-hold }})
		ended := make(chan error)
		go func() { ended <- s.Split(t.Context(), task, claim) }()
		<-added
		before := p.claimed(t, created.Num)
		fixture.Eventually(t, "the claim is renewed", func() bool { return p.claimed(t, created.Num) > before })
		if other, _, err := p.Tasks.Picker(tasks.Reading, p.Kinds.Names(), 1).Next(t.Context(), time.Second); err != nil || other != nil {
			t.Errorf("another splitter got %v, %v", other, err)
		}
		close(hold)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// claimed returns the time at which the claim of a splitter ends, in unix ms.
func (p *splitterEnv) claimed(t *testing.T, num int64) (until int64) {
	t.Helper()
	if err := p.DB.Read.Table("rollcall.tasks").Where("num = ?", num).Pluck("split_until", &until).Error; err != nil {
		t.Fatal(err)
	}
	return until
}

func TestInspectNamesTheNearestHeading(t *testing.T) {
	t.Parallel()
	text := "Skuu,Stock\na,1\n"
	_, err := importers.Inspect(strings.NewReader(text), int64(len(text)), jobs.KindOf(itemKind), importers.Options{})
	p, ok := err.(*tabular.Problem)
	if !ok || p.Code != tabular.CodeMissingColumn || !strings.Contains(p.Errors[0].Detail, `"Skuu"`) {
		t.Errorf("Inspect = %v", err)
	}
}

// TestSplit_WarningsOfTheUpload_Stay: the warnings about rows follow the warnings of the upload.
func TestSplit_WarningsOfTheUpload_Stay(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, "Goods of May\nSKU,Stock,Colour\na,1,'=x\n", func(task *tasks.Task) {
			task.Warnings = []string{"Colour is not used."}
		})
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		all := fmt.Sprint(p.after(t, created.ID).Warnings)
		for _, said := range []string{"Colour is not used.", "1 (\"Goods of May\")", "Row 3 has a cell with an apostrophe"} {
			if !strings.Contains(all, said) {
				t.Errorf("warnings %s, want %q", all, said)
			}
		}
	})
}

// TestSplit_WorkbookWithTooManyRows_AddsNone also tests rows at the boundary of the buffer for
// unpacked bytes.
func TestSplit_WorkbookWithTooManyRows_AddsNone(t *testing.T) {
	t.Parallel()
	p := newSplitterEnv(t, ledgers.SQLite(t))
	for rows, want := range map[int]int64{9000: 9000, 9001: 0} {
		created := p.accept(t, sheetOf(t, rows))
		task, claim := p.claim(t, time.Minute)
		opt := importers.SplitterOptions{Limits: tabular.Limits{Rows: 9000}}
		if err := p.splitter(opt).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		got := p.after(t, created.ID)
		if got.Total != want || (want == 0) != (got.Problem != nil && got.Problem.Code == tabular.CodeTooManyRows) {
			t.Errorf("%d rows: %d added, problem %v, want %d", rows, got.Total, got.Problem, want)
		}
	}
}

// sheetOf returns a workbook with the given number of data rows.
func sheetOf(t *testing.T, rows int) string {
	t.Helper()
	f := excelize.NewFile()
	w, err := f.NewStreamWriter("Sheet1")
	for i := 0; err == nil && i <= rows; i++ {
		row := []any{fmt.Sprint("sku", i), i}
		if i == 0 {
			row = []any{"SKU", "Stock"}
		}
		err = w.SetRow(fmt.Sprint("A", i+1), row)
	}
	if err == nil {
		err = w.Flush()
	}
	var b bytes.Buffer
	if err == nil {
		err = f.Write(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSplit_TextWithTooManyRows_AddsNone: the file is refused before its first row.
func TestSplit_TextWithTooManyRows_AddsNone(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		for rows, want := range map[int]int64{400: 400, 401: 0} {
			created := p.accept(t, lines(rows))
			task, claim := p.claim(t, time.Minute)
			opt := importers.SplitterOptions{Limits: tabular.Limits{Rows: 400}}
			if err := p.splitter(opt).Split(t.Context(), task, claim); err != nil {
				t.Fatal(err)
			}
			got := p.after(t, created.ID)
			if got.Total != want || (want == 0) != (got.Problem != nil) {
				t.Errorf("%d rows: %d added, problem %v, want %d", rows, got.Total, got.Problem, want)
			}
		}
	})
}
