package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/overtaken"
)

var (
	//go:embed sql/newer.sql
	newerSQL string
	//go:embed sql/newer_version.sql
	newerVersionSQL string
	//go:embed sql/overtaken.sql
	overtakenText string
	overtakenSQL  = overtaken.Complete(overtakenText)
)

// KeyVersion is the key and the version of a row.
type KeyVersion struct {
	Key     string
	Version *int64 // nil for a row without a version
}

// Newer returns, for each row, a finished newer row of the same key. For a row with a version, it returns
// the finished row with the greatest version, if that version is greater. A finished row with an equal
// version counts if it is the later row. Newer omits rows for which it finds none. A user or the kind can
// let the older row run anyway: see decisions.Review.Anyway.
func (s *Store) Newer(ctx context.Context, lane Lane, rows map[ID]KeyVersion) (map[ID]ID, error) {
	out := map[ID]ID{}
	err := s.db.View(ctx, func(tx ledger.Tx) error {
		clear(out)
		for id, row := range rows {
			hash := lane.Hash(row.Key)
			if hash == 0 {
				continue
			}
			text, args := newerSQL, ledger.Args{"hash": hash, "id": int64(id), "key": row.Key}
			if row.Version != nil {
				text, args["version"] = newerVersionSQL, *row.Version
			}
			err := tx.Query(ctx, text, args,
				func(scan ledger.Scan) error {
					var by ID
					err := scan(&by)
					out[id] = by
					return err
				})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("events: newer rows: %w", err)
	}
	return out, nil
}

// Overtaken holds how many of the first 10,000 waiting rows with a key would end as superseded after a
// resume of their task.
type Overtaken struct {
	Looked     int64 // waiting rows with a key, up to maxOvertaken
	Superseded int64 // rows among Looked that a newer row supersedes
}

// maxOvertaken is the maximum number of waiting rows with a key that the method Overtaken
// considers.
const maxOvertaken = 10_000

// Overtaken counts the waiting rows of a task that would end as superseded after a resume. It considers
// only the first maxOvertaken waiting rows with a key.
func (s *Store) Overtaken(ctx context.Context, num int64) (o Overtaken, err error) {
	args := Bounds(num)
	args["most"] = maxOvertaken
	if _, err = ledger.Row(ctx, s.db.Reader(), overtakenSQL, args, &o.Looked, &o.Superseded); err != nil {
		return o, fmt.Errorf("events: overtaken rows of task %d: %w", num, err)
	}
	return o, nil
}

var (
	//go:embed sql/key_before.sql
	keyBeforeSQL string
	//go:embed sql/key_behind.sql
	keyBehindSQL string
)

// KeyRow is a row with a given key, and its task.
type KeyRow struct {
	ID         ID
	TaskID     string
	TaskName   string
	Row        int // of the file
	Status     Status
	Attempt    int
	FinishedAt int64 // unix ms; 0: it is not at rest
}

// Newest is greater than the ids of all rows. With it, KeyBefore returns the newest rows of a key.
const Newest ID = 1<<63 - 1

// KeyBefore returns the rows of a lane that have the given key and an id below the given id, newest
// first. The argument `most` limits their number. For an empty key it returns none.
func (s *Store) KeyBefore(ctx context.Context, lane Lane, key string, id ID, most int) ([]KeyRow, error) {
	return s.sameKey(ctx, keyBeforeSQL, ledger.Args{"hash": lane.Hash(key), "key": key, "id": int64(id), "most": most})
}

// KeyBehind returns the rows of a lane that have the given key and an id above the given id, oldest
// first. The argument `most` limits their number. For an empty key it returns none.
func (s *Store) KeyBehind(ctx context.Context, lane Lane, key string, id ID, most int) ([]KeyRow, error) {
	return s.sameKey(ctx, keyBehindSQL, ledger.Args{"hash": lane.Hash(key), "key": key, "id": int64(id), "most": most})
}

func (s *Store) sameKey(ctx context.Context, text string, args ledger.Args) ([]KeyRow, error) {
	out, err := ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, r *KeyRow) error {
		return scan(&r.ID, &r.TaskID, &r.TaskName, &r.Row, &r.Status, &r.Attempt, &r.FinishedAt)
	})
	if err != nil {
		return nil, fmt.Errorf("events: rows of a key: %w", err)
	}
	return out, nil
}
