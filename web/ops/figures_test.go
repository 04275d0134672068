package ops

import (
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// TestLines_GreatestValue_IsThatOfTheTop: the scale of a line is the greatest value that it shows.
func TestLines_GreatestValue_IsThatOfTheTop(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	at := func(minutes, processed int) queue.Sample {
		return queue.Sample{At: begin.Add(time.Duration(minutes) * time.Minute), Processed: int64(processed)}
	}
	line := sparkline([]queue.Sample{at(0, 0), at(1, 60), at(2, 780)}, at(3, 840), begin)
	if want := "1.6,19.3 3.2,1.0 4.8,19.3"; line.Points != want || line.Most != 12 {
		t.Errorf("the line is %+v, want %s with at most 12 a second", line, want)
	}
	if line := sparkline(nil, at(0, 5), begin); line != (opsLine{}) {
		t.Errorf("a line of one sample is %+v", line)
	}
	if line := trendLine([]int64{0, 3, 1}); line.Most != 3 {
		t.Errorf("the trend has at most %v", line.Most)
	}
	if line := trendLine([]int64{0, 0}); line.Most != 0 {
		t.Errorf("a trend of nothing has at most %v", line.Most)
	}
}

func TestHistory_Before_NamesNoRateOfAnHourThatItLacks(t *testing.T) {
	t.Parallel()
	minutes := func(n int) *opsHistory {
		h := &opsHistory{}
		for i := range n {
			h.Points = append(h.Points, opsPoint{ms: int64(i) * queue.SampleEvery.Milliseconds(), Done: 2})
		}
		return h
	}
	for n, want := range map[int]string{0: "no earlier figures", 1: "no earlier figures", 13: "no figures older than 12 min", 60: "2.0/s an hour ago"} {
		if got := minutes(n).before("en"); got != want {
			t.Errorf("after %d minutes: %q, want %q", n, got, want)
		}
	}
}

func TestHistory_SamplesOfTheMinute_StayAsTheyWere(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	all := []queue.Sample{{At: at, Length: 1}, {At: at.Add(queue.SampleEvery), Length: 2}, {At: at.Add(2 * queue.SampleEvery), Length: 3}}
	for n := range len(all) { // the last minute of the samples is that of `now`, and a later one
		for _, later := range []time.Duration{0, queue.SampleEvery} {
			list := slices.Clone(all)
			new(opsHistory).add(list[:n+1], queue.Sample{At: list[n].At.Add(later), Length: 9})
			if !slices.Equal(list, all) {
				t.Errorf("%d samples, now %v later: they have become %+v", n+1, later, list)
			}
		}
	}
}
