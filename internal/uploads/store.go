package uploads

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/create.sql
	createSQL string
	//go:embed sql/get.sql
	getSQL string
	//go:embed sql/describe.sql
	describeSQL string
	//go:embed sql/lock_tenant.sql
	lockTenantSQL string
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrNotFound means that the tenant has no such upload, or that the upload has expired. Start also
	// returns it if the file of the upload already has a task.
	ErrNotFound = errors.New("no such upload")

	// ErrTooMany means that the tenant has Options.Most uploads without a task. The tenant must finish
	// or delete an upload first.
	ErrTooMany = errors.New("too many uploads")

	// ErrOffset means that a part does not begin where the stored bytes end, or that the upload has
	// expired. The caller reads the upload again.
	ErrOffset = errors.New("wrong offset")

	// ErrPartTooSmall means that a part is smaller than MinPart and does not end the file.
	ErrPartTooSmall = errors.New("part too small")

	// ErrIncomplete means that bytes of the file are missing.
	ErrIncomplete = errors.New("incomplete upload")
)

// Upload is a file that is being uploaded. Times are in unix milliseconds.
type Upload struct {
	ID, Tenant, MadeBy string
	Name               string // file name given by the user
	Size, Received     int64  // bytes
	Kind               string // of its rows, "" if not known yet
	TaskName           string
	TaskID             string // of the future task; the same for each attempt
	Options            string // options for reading the file, in JSON
	CreatedAt          int64
	ExpiresAt          int64

	File blobs.Info // the whole file; its ID is empty until Store.File has joined the parts
}

// Options holds the settings of a Store. The zero value works.
type Options struct {
	Keep time.Duration    // how long an upload waits for its task. Default 12h
	Most int              // uploads of a tenant at once. Default 100
	Now  func() time.Time // Default time.Now
}

// Store holds uploads: their records in the ledger, and their bytes in a blob store.
type Store struct {
	db    *ledger.DB
	files blobs.Store
	opt   Options
}

// New returns a store on a ledger and a blob store. The caller closes both.
func New(db *ledger.DB, files blobs.Store, opt Options) *Store {
	opt.Keep, opt.Most = cmp.Or(opt.Keep, 12*time.Hour), cmp.Or(opt.Most, 100)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{db, files, opt}
}

// Create adds an upload, and sets its ids and times. If the caller has already stored the whole
// file, it sets u.File. Create returns ErrTooMany if the tenant has Options.Most uploads without a
// task.
func (s *Store) Create(ctx context.Context, u *Upload) error {
	now := s.opt.Now()
	u.ID, u.TaskID = uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String()
	u.CreatedAt, u.ExpiresAt = now.UnixMilli(), now.Add(s.opt.Keep).UnixMilli()
	if u.File.ID != "" {
		u.Size, u.Received = u.File.Size, u.File.Size
	}
	err := s.insert(ctx, ledger.Args{
		"id": u.ID, "tenant": u.Tenant, "by": u.MadeBy, "name": u.Name, "size": u.Size, "received": u.Received,
		"kind": u.Kind, "task_name": u.TaskName, "task": u.TaskID, "options": cmp.Or(u.Options, "{}"),
		"file": u.File.ID, "sha256": u.File.SHA256, "now": u.CreatedAt, "expires": u.ExpiresAt, "most": s.opt.Most,
	})
	if err != nil {
		return fmt.Errorf("uploads: create: %w", err)
	}
	return nil
}

// insert adds the record of an upload, or returns ErrTooMany. On Postgres, a lock serializes the
// requests of a tenant. SQLite has only one writer anyway.
func (s *Store) insert(ctx context.Context, args ledger.Args) error {
	return s.db.InTx(ctx, func(tx ledger.Tx) error {
		if s.db.Pool != nil {
			if _, err := tx.Exec(ctx, lockTenantSQL, ledger.Args{"tenant": args["tenant"]}); err != nil {
				return err
			}
		}
		n, err := tx.Exec(ctx, createSQL, args)
		if err == nil && n == 0 {
			err = ErrTooMany
		}
		return err
	})
}

// Get returns an upload of a tenant, or ErrNotFound.
func (s *Store) Get(ctx context.Context, tenant, id string) (*Upload, error) {
	var u Upload
	found, err := ledger.Row(ctx, s.db.Reader(), getSQL, ledger.Args{"tenant": tenant, "id": id, "now": s.opt.Now().UnixMilli()},
		&u.ID, &u.Tenant, &u.MadeBy, &u.Name, &u.Size, &u.Received, &u.Kind, &u.TaskName, &u.TaskID, &u.Options,
		&u.File.ID, &u.File.SHA256, &u.CreatedAt, &u.ExpiresAt)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("uploads: get: %w", err)
	}
	if u.File.ID != "" {
		u.File.Size = u.Size
	}
	return &u, nil
}

// Describe stores the kind, the name of the task and the options of an upload, or returns
// ErrNotFound.
func (s *Store) Describe(ctx context.Context, u *Upload) error {
	n, err := s.db.Writer().Exec(ctx, describeSQL, ledger.Args{
		"tenant": u.Tenant, "id": u.ID, "kind": u.Kind, "task_name": u.TaskName, "options": u.Options,
	})
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("uploads: describe: %w", err)
	}
	return nil
}
