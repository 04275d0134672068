package ledger

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"fmt"
)

var (
	//go:embed sql/make_secret.sql
	makeSecretSQL string
	//go:embed sql/secret.sql
	secretSQL string
)

// Secret returns a secret of the service by its name: 32 random bytes, which are the same in all
// processes. The first call creates it. Later calls need no write access to the ledger.
func (db *DB) Secret(ctx context.Context, name string) (secret []byte, err error) {
	var text string
	read := func(tx Tx) error {
		_, err := Row(ctx, tx, secretSQL, Args{"name": name}, &text)
		return err
	}
	if err = read(db.Reader()); err == nil && text == "" {
		err = db.InTx(ctx, func(tx Tx) error {
			fresh := make([]byte, 32)
			_, _ = rand.Read(fresh) // never fails
			if _, err := tx.Exec(ctx, makeSecretSQL, Args{"name": name, "secret": hex.EncodeToString(fresh)}); err != nil {
				return err
			}
			return read(tx)
		})
	}
	if err == nil {
		secret, err = hex.DecodeString(text)
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: secret %q: %w", name, err)
	}
	return secret, nil
}
