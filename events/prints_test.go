package events_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/recount"
)

// word returns a text without digits that differs for each number.
func word(n int) string {
	var b strings.Builder
	for ; n > 0; n /= 26 {
		b.WriteByte(byte('a' + n%26))
	}
	return "fault " + b.String() + "."
}

// broken returns the move that ends a row with a system error of the given text.
func broken(id events.ID, text string) events.Move {
	return events.Move{
		ID: id, Row: int(id.Seq()), From: events.Enqueue, To: events.Error, Attempt: 1, FinishedAt: 1,
		Failure: &events.Failure{Code: "SYSTEM_ERROR"},
		Notes: []events.Note{{
			Status: events.Error, Text: text, Ended: &events.Ending{Outcome: events.LastFault, Type: "net.Error"},
		}},
	}
}

// countStatements has Postgres count the statements that insert or delete error groups. On SQLite,
// the count is always 0.
func countStatements(t *testing.T, db *ledger.DB) (count func() int) {
	t.Helper()
	if db.Pool == nil {
		return func() int { return 0 }
	}
	for _, text := range []string{
		"CREATE SEQUENCE statements",
		`CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS
		 $$ BEGIN PERFORM nextval('statements'); RETURN NULL; END $$`,
		`CREATE TRIGGER count_statements AFTER INSERT OR DELETE ON rollcall.error_groups
		 FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`,
	} {
		run(t, db, text)
	}
	return func() (n int) {
		if err := db.Read.Raw("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM statements").Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// TestRecord_DistinctFaults_CostAFixedNumberOfGroupsAndStatements ends many rows with different
// texts, and resubmits them.
func TestRecord_DistinctFaults_CostAFixedNumberOfGroupsAndStatements(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rows, batch := manyRows/2, manyRows/20
		drafts := make([]events.Draft, rows)
		for i := range drafts {
			drafts[i] = good(i + 1)
		}
		task := split(t, db, true, drafts...)
		run(t, db, "UPDATE rollcall.feeds SET unfed = 0")
		es, count := events.New(db, events.Options{}), countStatements(t, db)
		var fail, again []events.Move
		for i := range rows {
			m := broken(events.NewID(task.Num, int64(i+1)), word(i+1))
			fail = append(fail, m)
			again = append(again, events.Move{ID: m.ID, Row: m.Row, From: m.To, FromAttempt: 1, To: events.Enqueue, Attempt: 1})
		}
		for part := range slices.Chunk(fail, batch) {
			record(t, db, part...)
		}
		groups, err := es.Groups(t.Context(), task.Num)
		if err != nil || len(groups) != events.MaxPrints+1 {
			t.Errorf("%d groups, %v; want %d", len(groups), err, events.MaxPrints+1)
		}
		if g := groups[0]; g.Print != events.OtherPrint || int(g.Count) != rows-events.MaxPrints || !strings.HasPrefix(g.Fault, "other faults, such as net.Error: fault ") {
			t.Errorf("the greatest group is %+v", g)
		}
		if got := differences(t, db, task.Num); len(got) > 0 {
			t.Errorf("%q", got)
		}
		for part := range slices.Chunk(again, batch) {
			record(t, db, part...)
		}
		if groups, err = es.Groups(t.Context(), task.Num); err != nil || len(groups) > 0 {
			t.Errorf("%d groups are left, %v", len(groups), err)
		}
		if n := count(); n > 3*rows/batch {
			t.Errorf("%d statements wrote groups", n)
		}
	})
}

// TestMend_GroupsCountedWrong_KeepTheTextOfTheirFault also restores a group that was lost.
func TestMend_GroupsCountedWrong_KeepTheTextOfTheirFault(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		for _, plant := range []string{"UPDATE rollcall.error_groups SET count = 7", "DELETE FROM rollcall.error_groups"} {
			task := split(t, db, true, good(1), good(2))
			record(t, db, broken(events.NewID(task.Num, 1), "no route"), broken(events.NewID(task.Num, 2), "no route"))
			run(t, db, plant)
			if _, err := recount.New(es).Repair(t.Context(), task.Num); err != nil {
				t.Fatal(err)
			}
			groups, err := es.Groups(t.Context(), task.Num)
			if err != nil || len(groups) != 1 || groups[0].Count != 2 || groups[0].Fault != "net.Error: no route" {
				t.Errorf("%s: %+v, %v", plant, groups, err)
			}
		}
	})
}

// TestEraseRow_TextOfItsFault_LeavesTheGroup: the error group gets the text of another row.
func TestEraseRow_TextOfItsFault_LeavesTheGroup(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es, task := events.New(db, events.Options{}), split(t, db, true, good(1), good(2))
		record(t, db, broken(events.NewID(task.Num, 1), "no jane at 1"), broken(events.NewID(task.Num, 2), "no jane at 2"))
		for seq, want := range []string{"net.Error: no jane at 2", ""} {
			x := decisions.Erasure{ID: events.NewID(task.Num, int64(seq+1)), Tenant: "acme", By: "ann"}
			if err := decisions.New(es).EraseRow(t.Context(), x); err != nil {
				t.Fatal(err)
			}
			groups, err := es.Groups(t.Context(), task.Num)
			text := ""
			for _, g := range groups {
				text += g.Fault
			}
			if err != nil || text != want {
				t.Errorf("the groups are %+v, %v; want the text %q", groups, err, want)
			}
			if got := differences(t, db, task.Num); len(got) > 0 {
				t.Errorf("%q", got)
			}
		}
	})
}

func TestWithoutPlainType_OnlyTheTypeOfAPlainErrorGoes(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"error: out of paper":                         "out of paper",
		"other faults, such as error: out of paper":   "other faults, such as out of paper",
		"*net.OpError: refused":                       "*net.OpError: refused",
		"other faults, such as *net.OpError: refused": "other faults, such as *net.OpError: refused",
		"out of paper, error: 3":                      "out of paper, error: 3",
	} {
		if got := events.WithoutPlainType(fault); got != want {
			t.Errorf("%q: %q, want %q", fault, got, want)
		}
	}
}
