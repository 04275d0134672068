package ledger

import (
	"context"
	_ "embed"
	"fmt"
	"time"
)

var (
	//go:embed sql/note_forwarder.sql
	noteForwarderSQL string
	//go:embed sql/forwarder.sql
	forwarderSQL string
)

// NoteForwarder stores the address of a peer that forwards requests without being a trusted proxy.
// Only the last address is kept.
func (db *DB) NoteForwarder(ctx context.Context, peer string) error {
	_, err := db.Writer().Exec(ctx, noteForwarderSQL, Args{"now": db.Now().UnixMilli(), "peer": peer})
	if err != nil {
		return fmt.Errorf("ledger: note forwarder: %w", err)
	}
	return nil
}

// forwarder returns the address that NoteForwarder stored last, and the time of that call; "" if there is
// none.
func (db *DB) forwarder(ctx context.Context) (peer string, at time.Time, err error) {
	var ms int64
	_, err = Row(ctx, db.Reader(), forwarderSQL, nil, &peer, &ms)
	return peer, time.UnixMilli(ms), err
}
