package queue

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var (
	slotRe = regexp.MustCompile(`(?:KEYS|ARGV)\[\d+(?:\.\.)?\]`)
	tailRe = regexp.MustCompile(`(?m)^local .*\bfirst\b.*= (\d+)`)
)

// slots lists the KEYS[n] and ARGV[n] that a text names.
func slots(text string) []string {
	list := slotRe.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// TestScriptHeaders checks that the header of each Lua file names exactly the keys and arguments of
// the code; for ARGV[n..] the code has first = n.
func TestScriptHeaders(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(os.DirFS("lua"), "*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts found: %v", err)
	}
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile("lua/" + name)
			if err != nil {
				t.Fatal(err)
			}
			header, code, _ := strings.Cut(string(src), "\n\n")
			used := slots(code)
			if m := tailRe.FindStringSubmatch(code); m != nil {
				used = append(used, "ARGV["+m[1]+"..]")
				slices.Sort(used)
			}
			if told := slots(header); !slices.Equal(told, used) {
				t.Errorf("header tells %v, code uses %v", told, used)
			}
			if !strings.Contains(header, "-- Returns ") {
				t.Error("header does not say what the script returns")
			}
		})
	}
}

func TestShardOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string][2]int{
		"0": {4, 17}, "1": {3, 23}, "2": {2, 13}, "10": {1, 9}, "42": {3, 8},
		"abc": {3, 18}, "order-1": {4, 7}, "00000000-0000-0000-0000-000000000000": {0, 1},
	} {
		if got := [2]int{shardOf(key, 5), shardOf(key, 24)}; got != want {
			t.Errorf("shardOf(%q) of 5 and 24 = %v, want %v", key, got, want)
		}
	}
}

func TestJobLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		job  Job
		ok   bool
	}{
		{"a key is enough", Job{Key: "k"}, true},
		{"the longest key", Job{Key: strings.Repeat("k", 512)}, true},
		{"the largest payload", Job{Key: "k", Payload: make([]byte, 256<<10)}, true},
		{"a key is required", Job{}, false},
		{"a longer key", Job{Key: strings.Repeat("k", 513)}, false},
		{"a key of bytes", Job{Key: "\xff"}, false},
		{"a larger payload", Job{Key: "k", Payload: make([]byte, 256<<10+1)}, false},
		{"score NaN", Job{Key: "k", Score: math.NaN()}, false},
		{"score infinite", Job{Key: "k", Score: math.Inf(-1)}, false},
		{"before 1970", Job{Key: "k", RunAt: time.UnixMilli(-1)}, false},
		{"after 2200: milliseconds taken for seconds", Job{Key: "k", RunAt: time.Unix(1.7e12, 0)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := tt.job.validate(); errors.Is(err, ErrInvalidJob) == tt.ok {
				t.Errorf("validate = %v, want ok %v", err, tt.ok)
			}
		})
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1e12)
	fail := errors.New("no")
	retry := func(s int) Outcome {
		return Outcome{Kind: Retry, At: now.Add(time.Duration(s) * time.Second), Err: "no"}
	}
	second := func(n int) time.Duration { return time.Duration(n+1) * time.Second }
	tests := []struct {
		name  string
		max   int
		count int
		err   error
		want  Outcome
	}{
		{"nil is done", 3, -1, nil, Outcome{Kind: Done}},
		{"the first failure is retry 0", 3, -1, fail, retry(1)},
		{"the last retry", 3, 1, fail, retry(3)},
		{"three retries are four attempts", 3, 2, fail, Outcome{Kind: Dead, Err: "no"}},
		{"one retry is two attempts", 1, -1, fail, retry(1)},
		{"no retries", NoRetries, -1, fail, Outcome{Kind: Dead, Err: "no"}},
		{"25 by default", 0, 23, fail, retry(25)},
		{"and no more", 0, 24, fail, Outcome{Kind: Dead, Err: "no"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := Worker{MaxRetries: tt.max, RetryIn: second}
			got := w.Next(&Delivery{RetryCount: tt.count}, tt.err, now)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestClip_AnyText_IsValidAndWithinItsBound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc"},
		{"aé", 3, "aé"},
		{"aéé", 4, "aé"},
		{"aéé", 2, "a"},
		{"€", 2, ""},
		{"a\xffb", 5, "a\uFFFDb"},
		{"a\xff", 3, "a"},
		{"\xffa\xffa", 6, "\uFFFDa"},
		{"a\xe2\x82", 3, "a"},
		{"", 0, ""},
	} {
		if got := clipAt(tt.text, tt.most); got != tt.want {
			t.Errorf("%q of %q, want %q", got, tt.text, tt.want)
		}
	}
	if got := clip(strings.Repeat("\xffa", maxErrorBytes)); len(got) > maxErrorBytes || len(got) < maxErrorBytes-utf8.UTFMax {
		t.Errorf("%d bytes, want at most %d", len(got), maxErrorBytes)
	}
}

func TestRetryIn(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]int{0: {15, 44}, 1: {16, 74}, 10: {10015, 10334}} {
		for range 100 {
			got := int(retryDelay(n) / time.Second)
			if got < want[0] || got > want[1] {
				t.Fatalf("retryDelay(%d) = %ds, want %v", n, got, want)
			}
		}
	}
}

// told is a plan with its payloads by name.
type told struct {
	Done, Failed, Retry, Again int
	RunAt                      int64
	Err                        string
	Kept, Dead                 string
}

func TestSettleRules(t *testing.T) {
	t.Parallel()
	now, due, later := time.UnixMilli(5000), time.UnixMilli(1000), time.UnixMilli(9000)
	fail := errors.New("no")
	w := &Worker{MaxRetries: 2, RetryIn: func(int) time.Duration { return 4 * time.Second }}
	none, done := Outcome{}, Outcome{Kind: Done}
	retry := Outcome{Kind: Retry, At: later, Err: "r"}
	tests := []struct {
		name     string
		count    int
		outcomes []Outcome
		v        callResult
		want     told
	}{
		{
			"nil ends all", 1,
			[]Outcome{none, none},
			callResult{},
			told{Done: 2, Retry: -1, RunAt: 1000},
		},
		{
			"an error blames the oldest, the rest follows", 0,
			[]Outcome{none, none},
			callResult{err: fail},
			told{Failed: 1, Retry: 1, RunAt: 9000, Err: "no", Kept: "ab"},
		},
		{
			"the last attempt buries only the oldest", 1,
			[]Outcome{none, none, none},
			callResult{err: fail},
			told{Failed: 1, Retry: -1, RunAt: 5000, Err: "no", Kept: "bc", Dead: "a"},
		},
		{
			"behind a done payload the count starts anew", 1,
			[]Outcome{done, none},
			callResult{err: fail},
			told{Done: 1, Failed: 1, Retry: 0, RunAt: 9000, Err: "no", Kept: "b"},
		},
		{
			"a retry holds what is unresolved", -1,
			[]Outcome{retry, none},
			callResult{},
			told{Failed: 1, Retry: 0, RunAt: 9000, Err: "r", Kept: "ab"},
		},
		{
			"but not what is resolved", -1,
			[]Outcome{retry, {Kind: Done}},
			callResult{},
			told{Done: 1, Failed: 1, Retry: 0, RunAt: 9000, Err: "r", Kept: "a"},
		},
		{
			"a return uses no attempt and keeps its place", 1,
			[]Outcome{{Kind: Return}, none},
			callResult{},
			told{Retry: 1, RunAt: 1000, Kept: "ab"},
		},
		{
			"a return may wait", 1,
			[]Outcome{{Kind: Return, At: later}},
			callResult{},
			told{Retry: 1, RunAt: 9000, Kept: "a"},
		},
		{
			"dead restarts the rest", 1,
			[]Outcome{{Kind: Dead, Err: "d"}, {Kind: Return}},
			callResult{},
			told{Failed: 1, Retry: -1, RunAt: 5000, Err: "d", Kept: "b", Dead: "a"},
		},
		{
			"a retry behind a return never comes early", 1,
			[]Outcome{{Kind: Return}, retry},
			callResult{},
			told{Failed: 1, Retry: 1, RunAt: 9000, Err: "r", Kept: "ab"},
		},
		{
			"a stop uses no attempt", 1,
			[]Outcome{none, none},
			callResult{err: fail, interrupted: true},
			told{Retry: 1, RunAt: 1000, Kept: "ab"},
		},
		{
			"a stop that the handler survived", 1,
			[]Outcome{none},
			callResult{interrupted: true},
			told{Done: 1, Retry: -1, RunAt: 1000},
		},
		{
			"doubt is counted", 1,
			[]Outcome{{Kind: Return, Redelivered: true}},
			callResult{},
			told{Retry: 1, Again: 1, RunAt: 1000, Kept: "a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list := make([]*Delivery, len(tt.outcomes))
			for i, o := range tt.outcomes {
				list[i] = &Delivery{RetryCount: -1, RunAt: due, Payload: []byte{byte('a' + i)}, outcome: o}
			}
			list[0].RetryCount = tt.count
			tt.v.now = now
			w.resolve(list, tt.v)
			p := planOf(list, now)
			got := told{p.done, p.failed, p.retry, p.redeliveries, p.runAt, p.err, names(p.kept), names(p.dead)}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func names(list []*Delivery) (s string) {
	for _, d := range list {
		s += string(d.Payload)
	}
	return s
}

func TestRedeliveriesCountAnewBehindAnEnd(t *testing.T) {
	t.Parallel()
	list := []*Delivery{
		{RetryCount: 3, Redelivered: 4, outcome: Outcome{Kind: Done}},
		{RetryCount: -1, Redelivered: 4, outcome: Outcome{Kind: Return}},
	}
	if p := planOf(list, time.UnixMilli(1)); p.redeliveries != 1 {
		t.Errorf("again = %d, want 1: still in doubt, but not a fifth time", p.redeliveries)
	}
}

func TestKeysAndChain(t *testing.T) {
	t.Parallel()
	d := func(key string) *Delivery { return &Delivery{Key: key} }
	b := &Batch{Deliveries: []*Delivery{d("a"), d("a"), d("b")}}
	var got []string
	for key, list := range b.Keys() {
		got = append(got, key+strings.Repeat("*", len(list)))
	}
	if want := []string{"a**", "b*"}; !slices.Equal(got, want) {
		t.Errorf("Keys = %v, want %v", got, want)
	}
	fail := errors.New("no")
	err := Recover(func(context.Context, *Batch) error { panic(fail) })(t.Context(), b)
	var pe *PanicError
	if !errors.As(err, &pe) || !errors.Is(err, fail) || len(pe.Stack) == 0 {
		t.Errorf("Recover gave %v, want a PanicError of %v", err, fail)
	}
}

func FuzzDecodeItem(f *testing.F) {
	f.Add(1.5, []byte("payload;with;semicolons"), "rest")
	f.Add(-1e300, []byte{}, "")
	f.Fuzz(func(t *testing.T, score float64, payload []byte, rest string) {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			return
		}
		it, left, err := decodeItem(string(appendItem(nil, score, payload)) + rest)
		if err != nil || it.score != score || it.payload != string(payload) || left != rest {
			t.Fatalf("decode(encode(%v, %q)) = %v, %q, %v", score, payload, it, left, err)
		}
	})
}

func FuzzDecodeRecord(f *testing.F) {
	f.Add("1;1.7e+12;-1;0;-1;" + encodeBody(1, []byte("x")))
	f.Add("1;1.7e+12;-1;0;-1;1;1;x")
	f.Add("1;2;3;4;1;5;abc")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		rec, err := decodeRecord(s)
		if err == nil && len(rec.items) == 0 {
			t.Fatalf("decodeRecord(%q) has no items and no error", s)
		}
		if err != nil && !errors.Is(err, errRecord) {
			t.Fatalf("decodeRecord(%q) = %v, want errRecord", s, err)
		}
	})
}

func FuzzShardOf(f *testing.F) {
	f.Add("", uint8(1))
	f.Add("order:42", uint8(16))
	f.Fuzz(func(t *testing.T, key string, n uint8) {
		shards := int(n) + 1
		if got := shardOf(key, shards); got < 0 || got >= shards || got != shardOf(key, shards) {
			t.Fatalf("shardOf(%q, %d) = %d", key, shards, got)
		}
	})
}

// FuzzCursor checks that a cursor of any bytes is refused or accepted, and that the cursor of a
// page continues after it.
func FuzzCursor(f *testing.F) {
	f.Add("", "k", 1.5)
	f.Add("aWQ7ZmFsc2U7MDtr", "a;b", -1.0)
	f.Fuzz(func(t *testing.T, cursor, key string, num float64) {
		if _, err := newSearch(Query{Cursor: cursor}, ByKey); err != nil && !errors.Is(err, ErrBadQuery) {
			t.Fatalf("newSearch = %v, want ErrBadQuery", err)
		}
		if math.IsNaN(num) {
			return
		}
		q := Query{By: ByRunAt}
		q.Cursor = q.cursor(position{num, key})
		s, err := newSearch(q, ByRunAt)
		if err != nil || *s.after != (position{num, key}) {
			t.Fatalf("resumed at %+v, %v, want %v %q", s, err, num, key)
		}
	})
}

// FuzzLayout checks that no hash in Redis gives a layout with too many shards.
func FuzzLayout(f *testing.F) {
	f.Add("5", "1", "7")
	f.Add("-1", "x", "99999999999999999999")
	f.Fuzz(func(t *testing.T, shards, cut, old string) {
		l := readLayout(map[string]string{"shards": shards, "generation": cut, "old_shards": old})
		if n := len(l.ids("q")); n > 2*MaxShards {
			t.Fatalf("%d shards", n)
		}
	})
}
