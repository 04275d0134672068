package lanes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// GroupRows is the greatest number of rows of a HeldGroup.
const GroupRows = 256

// HeldGroup is a group of held rows of one key and one task, in file order. The feeder has passed
// these rows without a push, because Redis has enough rows of their key or the key waits for a
// start time.
type HeldGroup struct {
	Key   string
	Place int64 // groups of a key are ordered by place, then task, then seq
	Num   int64 // of the task
	Seqs  []int64
}

func (g HeldGroup) first() int64 { return g.Num<<32 | g.Seqs[0] }

func (g HeldGroup) last() int64 { return g.Num<<32 | g.Seqs[len(g.Seqs)-1] }

// formatSeqs formats the seqs of the rows, each as the difference from the previous seq.
func (g HeldGroup) formatSeqs() string {
	var out []byte
	last := int64(0)
	for _, seq := range g.Seqs {
		out = strconv.AppendInt(append(out, ','), seq-last, 10)
		last = seq
	}
	return string(out[1:])
}

// parseGroup parses a group in its stored form, the result of formatSeqs.
func parseGroup(key string, place, first int64, seqs string) (HeldGroup, error) {
	g, last := HeldGroup{Key: key, Place: place, Num: first >> 32}, int64(0)
	for text := range strings.SplitSeq(seqs, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return g, fmt.Errorf("lanes: group of %d: %w", first, err)
		}
		last += n
		g.Seqs = append(g.Seqs, last)
	}
	return g, nil
}

func scanGroup(scan ledger.Scan, g *HeldGroup) error {
	var key, seqs string
	var place, first int64
	err := scan(&key, &place, &first, &seqs)
	if err == nil {
		*g, err = parseGroup(key, place, first, seqs)
	}
	return err
}
