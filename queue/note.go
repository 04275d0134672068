package queue

import (
	"context"
	"fmt"
	"strconv"
)

// SetNote stores a number under a name in Redis, without expiry. It also works while Redis is at its
// memory limit.
func (c *Client) SetNote(ctx context.Context, name string, n int64) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return runExempt(ctx, c.rdb, "set note", exempt(onHash, "HSET", c.keys.notes(), name, n))
}

// Notes returns the numbers that SetNote stored, by name.
func (c *Client) Notes(ctx context.Context) (map[string]int64, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	texts, err := c.rdb.HGetAll(ctx, c.keys.notes()).Result()
	if err != nil {
		return nil, fmt.Errorf("queue: get notes: %w", err)
	}
	notes := make(map[string]int64, len(texts))
	for name, text := range texts {
		if notes[name], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("queue: note %q: %w", name, err)
		}
	}
	return notes, nil
}

// DropNotes deletes the notes with the given names.
func (c *Client) DropNotes(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := c.rdb.HDel(ctx, c.keys.notes(), names...).Err(); err != nil {
		return fmt.Errorf("queue: drop notes: %w", err)
	}
	return nil
}
