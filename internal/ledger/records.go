package ledger

import (
	"context"
	"fmt"
)

// Selection holds the conditions that select records of a table.
type Selection struct {
	Table string
	Where string // a condition with ? for each of Args
	Args  []any
	By    string // a column with unique values, which determines the order
	After any    // only records with a greater value of By; nil means all
	Limit int
}

// Records returns the selected records. Each record is a map of its values by column.
func (db *DB) Records(ctx context.Context, s Selection) (out []map[string]any, err error) {
	q := db.Read.WithContext(ctx).Table(DefaultSchema+"."+s.Table).Where(s.Where, s.Args...)
	if s.After != nil {
		q = q.Where(s.By+" > ?", s.After)
	}
	if err := q.Order(s.By).Limit(s.Limit).Find(&out).Error; err != nil {
		return nil, fmt.Errorf("ledger: records of %s: %w", s.Table, err)
	}
	return out, nil
}
