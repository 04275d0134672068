package access

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/flight"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/insert.sql
	insertSQL string
	//go:embed sql/add_secret.sql
	addSecretSQL string
	//go:embed sql/revoke.sql
	revokeSQL string
	//go:embed sql/rotate.sql
	rotateSQL string
	//go:embed sql/shorten.sql
	shortenSQL string
	//go:embed sql/sweep.sql
	sweepSQL string
)

// Options holds the settings of a Store. The zero value works.
type Options struct {
	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

// Store is the store of API keys, and the checker of credentials. New makes a Store.
type Store struct {
	db  *ledger.DB
	now func() time.Time

	any    atomic.Bool  // a key was created; never reset
	noneAt atomic.Int64 // unix ms of the last check that found no key
	one    flight.Group[any]
	mu     sync.Mutex
	seen   map[string]seen // by digest

	guessers guesses // by address
	claims   guesses // by claimed credential
	lookups  *lookups
	noting   sync.Mutex // held while the use of a key is recorded
}

// New returns a store on `db`. The caller keeps and closes `db`.
func New(db *ledger.DB, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{db: db, now: opt.Now, seen: map[string]seen{}, lookups: newLookups()}
}

// Create creates an API key of a tenant and returns it with its secret. No other method returns the
// secret. The argument `actor` is the creator of the key, for the audit log. Create returns ErrDraft if
// `d` is invalid, and ErrRevoked if d.Maker was revoked.
func (s *Store) Create(
	ctx context.Context, actor string, d Draft,
) (k *Key, secret string, err error) {
	if err := d.check(s.now()); err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrDraft, err)
	}
	return s.create(ctx, actor, d)
}

// CreateOwner creates an API key of the owner of the service. Only commands on the machine may call it.
// The key belongs to no tenant, so no tenant can list, rotate or revoke it. CreateOwner ignores d.Role.
// It returns ErrDraft if `d` names a tenant or is invalid.
func (s *Store) CreateOwner(ctx context.Context, actor string, d Draft) (k *Key, secret string, err error) {
	if err := d.checkOwner(s.now()); err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrDraft, err)
	}
	d.Role = Owner
	return s.create(ctx, actor, d)
}

func (s *Store) create(ctx context.Context, actor string, d Draft) (k *Key, secret string, err error) {
	now := s.now()
	secret = newSecret(keyTag)
	k = &Key{
		ID: "key_" + random(namedBytes), Prefix: prefix(secret), Tenant: d.Tenant, Name: d.Name,
		Role: d.Role, CreatedBy: actor, Maker: d.Maker, CreatedAt: now.UnixMilli(),
	}
	if !d.ExpiresAt.IsZero() {
		k.ExpiresAt = d.ExpiresAt.UnixMilli()
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error { return s.add(ctx, tx, k, secret) })
	if err != nil {
		return nil, "", fmt.Errorf("access: create: %w", err)
	}
	s.any.Store(true)
	return k, secret, nil
}

// add stores a new API key with its secret. It returns ErrRevoked if k.Maker was revoked.
func (s *Store) add(ctx context.Context, tx ledger.Tx, k *Key, secret string) error {
	if k.Maker != "" {
		if err := s.hold(ctx, tx, k.Maker); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, insertSQL, ledger.Args{
		"id": k.ID, "prefix": k.Prefix, "tenant": k.Tenant, "name": k.Name,
		"role": string(k.Role.stored()), "actor": k.CreatedBy, "now": k.CreatedAt, "until": k.ExpiresAt, "maker": k.Maker,
	})
	if err != nil {
		return err
	}
	if err := s.addSecret(ctx, tx, k.ID, secret, 0); err != nil {
		return err
	}
	return s.note(ctx, tx, change{k.Tenant, k.ID, k.CreatedBy, "create", string(k.Role)})
}

// addSecret adds a secret to an API key. The argument `until` is the expiry of the secret, in unix ms; 0
// means that the secret expires with the key.
func (s *Store) addSecret(ctx context.Context, tx ledger.Tx, id, secret string, until int64) error {
	_, err := tx.Exec(ctx, addSecretSQL, ledger.Args{
		"prefix": prefix(secret), "id": id, "digest": digest(secret),
		"now": s.now().UnixMilli(), "until": until,
	})
	return err
}

type change struct{ tenant, id, actor, act, note string }

// note adds a change to the audit logs of the API key and of its tenant.
func (s *Store) note(ctx context.Context, tx ledger.Tx, c change) error {
	own := audit.Entry{
		Subject: audit.Key(c.id), At: s.now().UnixMilli(), Actor: c.actor, Act: c.act, Target: c.id,
		Touched: 1, Detail: audit.Detail{Note: c.note},
	}
	all := own
	all.Subject, all.Act = audit.Operators(c.tenant), c.act+"-key"
	if (Grant{Key: c.id}).Personal() {
		all.Act = c.act + "-person"
	}
	return audit.Write(ctx, tx, own, all)
}

// Get returns the API key or person of a tenant with this id, or ErrNotFound.
func (s *Store) Get(ctx context.Context, tenant, id string) (*Key, error) {
	k, err := ledger.Take[Key](ctx, s.db, "id = ? AND tenant = ?", id, tenant)
	if err == nil && k == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("access: key %q: %w", id, err)
	}
	k.Role = k.Role.withTenant(k.Tenant)
	return k, nil
}

// Names returns the names of API keys of a tenant by their ids. It leaves out keys without a name.
func (s *Store) Names(ctx context.Context, tenant string, ids []string) (map[string]string, error) {
	var keys []Key
	err := s.db.Read.WithContext(ctx).Select("id", "name").
		Where("id IN ? AND tenant = ? AND name <> ''", ids, tenant).Find(&keys).Error
	if err != nil {
		return nil, fmt.Errorf("access: names: %w", err)
	}
	names := make(map[string]string, len(keys))
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	return names, nil
}

// Named returns the ids of the API keys of a tenant that have the given name, newest first, at most
// `limit` of them. It ignores case.
func (s *Store) Named(ctx context.Context, tenant, name string, limit int) (ids []string, err error) {
	err = s.db.Read.WithContext(ctx).Model(&Key{}).Where("tenant = ? AND lower(name) = lower(?)", tenant, name).
		Order("num DESC").Limit(limit).Pluck("id", &ids).Error
	if err != nil {
		return nil, fmt.Errorf("access: keys named %q: %w", name, err)
	}
	return ids, nil
}

// Owner returns the tenant to which an API key or person belongs, or ErrNotFound. It returns "" for an
// API key of the owner. Only the owner of the service may receive the result.
func (s *Store) Owner(ctx context.Context, id string) (tenant string, err error) {
	k, err := ledger.Take[Key](ctx, s.db, "id = ?", id)
	if err == nil && k == nil {
		err = ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("access: owner of %q: %w", id, err)
	}
	return k.Tenant, nil
}

// List returns up to `limit` API keys and persons of a tenant, newest first, also revoked and expired
// ones. If `before` is above 0, List returns only those whose Key.Num is lower.
func (s *Store) List(ctx context.Context, tenant string, before int64, limit int) ([]Key, error) {
	return page(s.db.Read.WithContext(ctx).Where("tenant = ?", tenant), before, limit)
}

// All returns API keys and persons of all tenants, and API keys of the owner, in the order of List.
func (s *Store) All(ctx context.Context, before int64, limit int) ([]Key, error) {
	return page(s.db.Read.WithContext(ctx), before, limit)
}

func page(q ledger.Gorm, before int64, limit int) ([]Key, error) {
	out, err := ledger.Page[Key](q, before, limit)
	if err != nil {
		return nil, fmt.Errorf("access: list: %w", err)
	}
	for i := range out {
		out[i].Role = out[i].Role.withTenant(out[i].Tenant)
	}
	return out, nil
}
