package enqueue

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/add_singles.sql
	addSinglesSQL string
	//go:embed sql/single_tasks.sql
	singleTasksSQL string
	//go:embed sql/single_feeds.sql
	singleFeedsSQL string
	//go:embed sql/single_jobs.sql
	singleJobsSQL string
	//go:embed sql/single_nums.sql
	singleNumsSQL string
)

// addFresh and addUnlessTaken are the two forms of add_singles.sql. ON CONFLICT and its joins take a
// tenth of the statement's time, so addFresh lacks them.
var (
	addFresh       = strings.NewReplacer("    {unless taken}\n", "", "    {added}\n", "", "{added}", "").Replace(addSinglesSQL)
	addUnlessTaken = strings.NewReplacer(
		"{unless taken}", "ON CONFLICT (dedup_key) WHERE dedup_key IS NOT NULL DO NOTHING RETURNING num",
		"{added}", "WHERE v.num IN (SELECT t.num FROM t)",
	).Replace(addSinglesSQL)
)

// single is a job that is added in a task of its own.
type single struct {
	task *tasks.Task
	kind jobs.Kind
	row  events.Draft
	rung *atomic.Bool // whether the feeder was woken; shared by all jobs of a transaction
}

// singleRow is the JSON form of a task with one job, as the SQL statements read it.
type singleRow struct {
	ID       string `json:"id"`
	Tenant   string `json:"tenant"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Priority int    `json:"priority"`
	Labels   string `json:"labels"`
	Dedup    string `json:"dedup"`
	RunAt    int64  `json:"run_at"`
	Key      string `json:"key"`
	Hash     int64  `json:"hash"`
	Score    *int64 `json:"score"`
	Params   string `json:"params"`
}

func (s *single) columns(dedup string) (singleRow, error) {
	t, lane := s.task, events.Lane{Tenant: s.task.Tenant, Kind: s.task.Kind}
	if s.kind.Unordered {
		lane = events.Lane{}
	}
	labels := []byte("{}")
	var err error
	if len(t.Labels) > 0 {
		labels, err = json.Marshal(t.Labels)
	}
	return singleRow{
		ID: t.ID, Tenant: t.Tenant, Kind: t.Kind, Name: t.Name, Priority: t.Priority, Labels: string(labels),
		Dedup: dedup, RunAt: t.RunAt, Key: s.row.Key, Hash: lane.Hash(s.row.Key), Score: s.row.Score, Params: string(s.row.Params),
	}, err
}

// addSingles adds jobs, and sets the numbers of their tasks. The arguments `dedup` and `parentID`
// apply to all of them. If a task with the deduplication key `dedup` exists, the job is not added,
// and the number of its task stays 0.
func (c *Client) addSingles(ctx context.Context, tx ledger.Tx, list []*single, dedup, parentID string) error {
	rows, byID := make([]singleRow, len(list)), make(map[string]*tasks.Task, len(list))
	for i, s := range list {
		var err error
		if rows[i], err = s.columns(dedup); err != nil {
			return err
		}
		byID[s.task.ID] = s.task
	}
	jobs, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	args := ledger.Args{
		"jobs": string(jobs), "parent": parentID, "now": c.opt.Now().UnixMilli(), "keep": c.opt.Keep.Milliseconds(),
	}
	text := addFresh
	if dedup != "" {
		text = addUnlessTaken
	}
	if c.db.Pool == nil {
		if err := addSQLite(ctx, tx, args); err != nil {
			return err
		}
		text = singleNumsSQL
	}
	return tx.Query(ctx, text, args, func(scan ledger.Scan) error {
		var num int64
		var id string
		err := scan(&num, &id)
		byID[id].Num = num
		return err
	})
}

// addSQLite adds jobs with one statement for each table, because SQLite does not support INSERT within
// WITH.
func addSQLite(ctx context.Context, tx ledger.Tx, args ledger.Args) error {
	for _, text := range []string{singleTasksSQL, singleFeedsSQL, singleJobsSQL} {
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	return nil
}
