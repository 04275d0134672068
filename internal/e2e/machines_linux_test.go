//go:build outside

package e2e

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// withFault imports two files with the same keys, and causes a fault in the middle of the first.
// Then every row has taken effect once, in the order of its key.
func withFault(t *testing.T, do func(*fleet)) {
	t.Parallel()
	f := newFleet(t)
	door := f.door(1, "default")
	var ids []string
	for range 2 {
		ids = append(ids, start(t, f.door(0, "default"), keyedFile(t, f.keys)).ID)
	}
	until(t, door, ids[0], processed(keyedRows()/4))
	begun := time.Now()
	do(f)
	for _, id := range ids {
		if v := until(t, door, id, done); v.Counts.Finish != keyedRows() {
			t.Errorf("task %s ended as %+v", id, v.Counts)
		}
	}
	t.Logf("all ended %v after the fault", time.Since(begun))
	if code, out := f.verify(); code != 0 {
		t.Errorf("verify, exit code %d:\n%s", code, out)
	}
	f.close()
	inOrder(t, f.db, ids, f.keys, false)
	f.once(2 * keyedRows())
}

// once checks that the catalogue was written once for each row.
func (f *fleet) once(rows int) {
	f.t.Helper()
	var writes int
	if err := f.db.Read.Raw("SELECT count(*) FROM catalogue_log").Scan(&writes).Error; err != nil || writes != rows {
		f.t.Errorf("the catalogue was written %d times, want %d (%v)", writes, rows, err)
	}
}

func TestMachines_MasterOfRedisIsKilled_EachRowRunsOnceInOrder(t *testing.T) {
	withFault(t, func(f *fleet) { f.cluster.KillBusiest() })
}

func TestMachines_PostgresIsKilled_StandbyTakesOver(t *testing.T) {
	withFault(t, func(f *fleet) {
		f.database.KillPrimary()
		f.database.Promote()
	})
}

// TestMachines_MachineOfPostgresIsLost_StandbyTakesOver drops all packets of the machine, so no
// process learns that its connections have ended.
func TestMachines_MachineOfPostgresIsLost_StandbyTakesOver(t *testing.T) {
	withFault(t, func(f *fleet) {
		f.database.Primary.CutOff()
		f.database.Promote()
	})
}

// TestMachines_WorkerIsCutOff_OthersTakeItsRows cuts a running worker off the network. It reconnects
// after others have taken its shards.
func TestMachines_WorkerIsCutOff_OthersTakeItsRows(t *testing.T) {
	withFault(t, func(f *fleet) {
		f.workers[0].CutOff()
		time.Sleep(3 * lease) // it has lost its shards by then
		f.workers[0].Reconnect()
	})
}

// TestMachines_LargeImportAndFailover_SmallTenantEndsFirst: the rows of one tenant end during a
// large import of another, although a master of Redis dies.
func TestMachines_LargeImportAndFailover_SmallTenantEndsFirst(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	large, want := sample(t, samples.Options{Rows: 12_000, Format: "csv", Seed: 7, Invalid: 300, Failing: 200, Errors: 3, Repeats: 600})
	small, few := sample(t, samples.Options{Rows: 10, Format: "csv", Seed: 8})
	big, other := f.door(0, "big"), f.door(1, "small")
	id := start(t, big, large).ID
	until(t, big, id, processed(want.Rows/20))
	f.cluster.KillBusiest()
	v := until(t, other, start(t, other, small).ID, done)
	if beside := until(t, big, id, func(task) bool { return true }); beside.Done || v.Counts.Finish != few.Rows {
		t.Errorf("the small import ended as %+v, beside %+v", v.Counts, beside.Counts)
	}
	v = until(t, big, id, done)
	f.close()
	record(t, f.db, v, want)
}
