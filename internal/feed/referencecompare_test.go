package feed_test

import (
	"fmt"
	"maps"
	"strings"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// located returns the rows of a lane that are in Redis and have not ended.
func (tr *trial) located(lane string) map[events.ID]queue.Place {
	var ids []events.ID
	var refs []queue.Ref
	tenant, kind, _ := strings.Cut(lane, "/")
	for _, l := range tr.plan.lots {
		for i, r := range l.rows {
			if id := events.NewID(l.num, int64(i)+1); l.lane == lane && !r.ended {
				ids = append(ids, id)
				refs = append(refs, queue.Ref{
					Key: tenant + "/" + r.key, Score: float64(id), Head: fmt.Sprintf("%016x", int64(id)),
				})
			}
		}
	}
	places, err := tr.Queue.Admin().Locate(tr.t.Context(), kind, refs...)
	tr.fine(err)
	out := map[events.ID]queue.Place{}
	for i, p := range places {
		if p.Waiting+p.Busy > 0 {
			out[ids[i]] = p
		}
	}
	return out
}

// keyBound is the greatest number of rows of a key in Redis. It is a limit of two rows, which a
// feeder may double, and as many rows in flight. For each worker that stopped, as many are added,
// because its rows in flight were put back.
const keyBound = 8

// compare checks that Redis has no new row of a paused task, and few rows of each key. If the
// window has room, Redis must have a row of each key that may run.
func (tr *trial) compare(t *rapid.T, lane string, ending int64, in map[events.ID]queue.Place) {
	keys, over, ended := map[string]int64{}, map[string]bool{}, map[string]bool{}
	for id := range in {
		l := tr.lot(id)
		r := l.rows[id.Seq()-1]
		if l.canceled { // a worker will drop the row, and run the next row of its key
			ended[r.key] = true
			continue
		}
		if l.paused && !r.pushed {
			t.Fatalf("row %d of paused task %d was pushed\n%s", id.Seq(), l.num, tr.dump(lane))
		}
		r.pushed = true
		keys[r.key]++
		over[r.key] = over[r.key] || r.again
	}
	for key, n := range keys {
		if n > keyBound*(1+tr.crashed) && !over[key] {
			t.Fatalf("%d rows of key %s are in Redis\n%s", n, key, tr.dump(lane))
		}
	}
	if tr.full(lane, in, keys, ending) {
		return
	}
	for id, l := range tr.plan.may(lane) {
		if key := l.rows[id.Seq()-1].key; keys[key] == 0 && !ended[key] && !l.paused {
			t.Fatalf("row %d of task %d may run, and Redis has %d rows of the lane and none of key %s\n%s",
				id.Seq(), l.num, len(in), key, tr.dump(lane))
		}
	}
}

// full reports whether the window of a lane has too little room for a push. For each key with held
// rows, the window counts one row less, but at least one.
func (tr *trial) full(lane string, in map[events.ID]queue.Place, keys map[string]int64, n int64) bool {
	counted := maps.Clone(keys)
	for _, l := range tr.plan.order(lane) {
		for i, r := range l.rows[:l.passed] {
			if _, there := in[events.NewID(l.num, int64(i)+1)]; !there && !r.ended && keys[r.key] > 0 {
				counted[r.key] = max(keys[r.key]-1, 1)
			}
		}
	}
	waiting, all := n, n+int64(len(in))
	for _, one := range counted {
		waiting += one
	}
	share := tr.plan.share(lane, tr.room.least)
	return share-waiting < max(share/4, 1) || tr.room.most-all < max(tr.room.most/4, 1)
}
