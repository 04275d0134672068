package lanes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// RunRows is the greatest number of rows of a HeldRun.
const RunRows = 256

// HeldRun holds held rows of one key and one task, in file order. The feeder has passed these rows
// without a push, because Redis has enough rows of their key or the key waits for a start time.
type HeldRun struct {
	Key   string
	Place int64 // runs of a key are ordered by place, then task, then seq
	Num   int64 // of the task
	Seqs  []int64
}

func (r HeldRun) first() int64 { return r.Num<<32 | r.Seqs[0] }

func (r HeldRun) last() int64 { return r.Num<<32 | r.Seqs[len(r.Seqs)-1] }

// formatSeqs formats the seqs of the rows, each as the difference from the previous seq.
func (r HeldRun) formatSeqs() string {
	var out []byte
	last := int64(0)
	for _, seq := range r.Seqs {
		out = strconv.AppendInt(append(out, ','), seq-last, 10)
		last = seq
	}
	return string(out[1:])
}

// parseRun parses a run in its stored form, the result of formatSeqs.
func parseRun(key string, place, first int64, seqs string) (HeldRun, error) {
	r, last := HeldRun{Key: key, Place: place, Num: first >> 32}, int64(0)
	for text := range strings.SplitSeq(seqs, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return r, fmt.Errorf("lanes: run of %d: %w", first, err)
		}
		last += n
		r.Seqs = append(r.Seqs, last)
	}
	return r, nil
}

func scanRun(scan ledger.Scan, r *HeldRun) error {
	var key, seqs string
	var place, first int64
	err := scan(&key, &place, &first, &seqs)
	if err == nil {
		*r, err = parseRun(key, place, first, seqs)
	}
	return err
}
