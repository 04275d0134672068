package ledger

import (
	"context"
	"errors"
	"strings"

	"gorm.io/gorm"
)

// Gorm is a transaction or a connection of gorm.
type Gorm = *gorm.DB

// GormTx runs f in one transaction. Like InTx, it runs f again after a deadlock or serialization
// failure.
func (db *DB) GormTx(ctx context.Context, f func(tx Gorm) error) error {
	return retry(ctx, func() error { return db.Write.WithContext(ctx).Transaction(f) })
}

// Take returns one row of the table of T that matches a condition; nil if no row matches.
func Take[T any](ctx context.Context, db *DB, where string, args ...any) (*T, error) {
	var row T
	err := db.Read.WithContext(ctx).Where(where, args...).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &row, nil
}

// Page returns up to `limit` rows of a query, newest first. If the argument `before` is above 0,
// Page returns only rows with a num below it.
func Page[T any](q Gorm, before int64, limit int) (out []T, err error) {
	if before > 0 {
		q = q.Where("num < ?", before)
	}
	err = q.Order("num DESC").Limit(limit).Find(&out).Error
	return out, err
}

// Plain returns a statement without its comment lines. The package gorm does not skip comments. It
// would parse a name after @ as an argument, and an apostrophe as the start of a text.
func Plain(text string) string {
	var plain strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "--") {
			plain.WriteString(line)
		}
	}
	return plain.String()
}
