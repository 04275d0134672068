package mappings

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/insert.sql
	insertSQL string
	//go:embed sql/confirm.sql
	confirmSQL string
	//go:embed sql/drop_older.sql
	dropOlderSQL string
	//go:embed sql/drop_failed.sql
	dropFailedSQL string
	//go:embed sql/find.sql
	findSQL string
	//go:embed sql/list.sql
	listSQL string
	//go:embed sql/delete.sql
	deleteSQL string
	//go:embed sql/expire.sql
	expireSQL string
)

// ErrNotFound means that the tenant has no such mapping.
var ErrNotFound = errors.New("no such mapping")

// Mapping is a map of the headings of a file to the columns of its import.
type Mapping struct {
	ID, Tenant, Kind string
	Name             string // given by the user
	Headings         []string
	Fields           map[string]string // heading to field; "" leaves the heading out
	MadeBy           string
	UsedAt           int64 // unix ms
}

// Store is the store of mappings in the ledger.
type Store struct {
	db  *ledger.DB
	now func() time.Time
}

// New returns the store of the mappings in a ledger. The function `now` returns the current time; nil
// means time.Now. The caller closes db.
func New(db *ledger.DB, now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{db, now}
}

// fingerprint returns a hash of headings. It does not depend on the order and case of the headings,
// or on repeated and surrounding blanks.
func fingerprint(headings []string) string {
	list := make([]string, len(headings))
	for i, h := range headings {
		list[i] = strings.ToLower(strings.Join(strings.Fields(h), " "))
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	return hex.EncodeToString(sum[:])
}

// Remember stores a mapping with the task that used it. It replaces mappings with the same headings
// whose tasks have ended without a row that succeeded. The mapping is suggested once its task has
// ended with rows that succeeded.
func (s *Store) Remember(ctx context.Context, m Mapping, task string) error {
	headings, err := json.Marshal(m.Headings)
	if err != nil {
		return err
	}
	fields, err := json.Marshal(m.Fields)
	if err == nil {
		err = s.replace(ctx, ledger.Args{
			"id": uuid.Must(uuid.NewV7()).String(), "tenant": m.Tenant, "kind": m.Kind, "print": fingerprint(m.Headings),
			"name": m.Name, "headings": string(headings), "fields": string(fields), "by": m.MadeBy, "task": task,
			"now": s.now().UnixMilli(),
		})
	}
	if err != nil {
		return fmt.Errorf("mappings: remember: %w", err)
	}
	return nil
}

// replace deletes the mappings with the same headings whose tasks have ended without a row that
// succeeded, and adds the new mapping. If the task has a mapping already, replace adds none.
func (s *Store) replace(ctx context.Context, args ledger.Args) error {
	return s.db.InTx(ctx, func(tx ledger.Tx) error {
		_, err := tx.Exec(ctx, dropFailedSQL, ledger.Args{"tenant": args["tenant"], "kind": args["kind"], "print": args["print"]})
		if err == nil {
			_, err = tx.Exec(ctx, insertSQL, args)
		}
		return err
	})
}

// Find returns the last mapping of the same headings whose task has ended with rows that succeeded;
// nil if there is none.
func (s *Store) Find(ctx context.Context, tenant, kind string, headings []string) (*Mapping, error) {
	list, err := s.read(ctx, findSQL, ledger.Args{"tenant": tenant, "kind": kind, "print": fingerprint(headings)})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// List returns up to 200 mappings of a tenant whose tasks have ended with rows that succeeded, the
// most recently used first. Of mappings with the same headings, it returns only the latest.
func (s *Store) List(ctx context.Context, tenant string) ([]Mapping, error) {
	return s.read(ctx, listSQL, ledger.Args{"tenant": tenant})
}

func (s *Store) read(ctx context.Context, sql string, args ledger.Args) (out []Mapping, err error) {
	tenant, _ := args["tenant"].(string)
	err = s.db.Reader().Query(ctx, sql, args, func(scan ledger.Scan) error {
		var headings, fields string
		m := Mapping{Tenant: tenant}
		err := scan(&m.ID, &m.Kind, &m.Name, &headings, &fields, &m.MadeBy, &m.UsedAt)
		if err == nil {
			err = errors.Join(json.Unmarshal([]byte(headings), &m.Headings), json.Unmarshal([]byte(fields), &m.Fields))
		}
		out = append(out, m)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("mappings: read: %w", err)
	}
	return out, nil
}

// Delete deletes a mapping of a tenant and the mappings that it replaced, or returns ErrNotFound.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	n, err := s.db.Writer().Exec(ctx, deleteSQL, ledger.Args{"tenant": tenant, "id": id})
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("mappings: delete: %w", err)
	}
	return nil
}

// keepFailed is how long an unconfirmed mapping is kept after its last use. The mapping of an unfinished task
// is kept longer.
const keepFailed = 30 * 24 * time.Hour

// Expire first confirms the mappings whose task has succeeded, so that they stay when the task is
// deleted. It then deletes confirmed mappings that a later confirmed mapping with the same headings
// replaces. At the end, it deletes mappings without a name that were not used for the time in the
// argument `keep`. It also deletes unconfirmed mappings that were not used for 30 days, except those of
// unfinished tasks.
func (s *Store) Expire(ctx context.Context, keep time.Duration) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		confirmed, err := tx.Exec(ctx, confirmSQL, nil)
		if err == nil && confirmed > 0 {
			_, err = tx.Exec(ctx, dropOlderSQL, nil)
		}
		if err == nil {
			n, err = tx.Exec(ctx, expireSQL, ledger.Args{
				"before": s.now().Add(-keep).UnixMilli(), "tried": s.now().Add(-keepFailed).UnixMilli(),
			})
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("mappings: expire: %w", err)
	}
	return n, nil
}
