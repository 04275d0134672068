package access_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// A key is created, has the rights of its role, and is revoked.
func ExampleStore() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "access")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the example keeps no files
	db, err := ledger.Open(ctx, filepath.Join(dir, "ledger.db"), ledger.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	store := access.New(db, access.Options{})

	key, secret, err := store.Create(ctx, "ann", access.Draft{Tenant: "acme", Name: "shop", Role: access.Viewer})
	if err != nil {
		log.Fatal(err)
	}
	grant, err := store.Check(ctx, secret, "192.0.2.1") // as with each request
	fmt.Println(grant.Tenant, grant.Role, grant.May(access.TasksRead), grant.May(access.TasksWrite), err)

	_, err = store.Check(ctx, "a guess", "192.0.2.1")
	fmt.Println(errors.Is(err, access.ErrUnknown))

	fmt.Println(store.Revoke(ctx, "ann", "acme", key.ID))
	_, err = store.Check(ctx, secret, "192.0.2.1")
	fmt.Println(errors.Is(err, access.ErrRevoked))

	// Output:
	// acme viewer true false <nil>
	// true
	// <nil>
	// true
}
