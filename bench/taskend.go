package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// sinceUntilEnd returns the time from begun to the end of a task. It reads the end from the ledger. A
// poll reports it up to 250 ms later, because the API reads a task once in that time.
func sinceUntilEnd(ctx context.Context, url, id string, begun time.Time) (time.Duration, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return 0, fmt.Errorf("end of %s: %w", id, err)
	}
	defer conn.Close(ctx)
	var end int64
	if err := conn.QueryRow(ctx, "SELECT finished_at FROM rollcall.tasks WHERE id = $1", id).Scan(&end); err != nil {
		return 0, fmt.Errorf("end of %s: %w", id, err)
	}
	return time.UnixMilli(end).Sub(begun), nil
}
