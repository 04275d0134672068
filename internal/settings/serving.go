package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/queue"
)

// byNode parses SHARD_ASSIGNMENT in the form NUMBER/COUNT, such as 0/3. It returns the number of this
// process and the number of all processes. The result `ok` is false if SHARD_ASSIGNMENT is empty or
// "spread". For a malformed value, byNode returns an error.
func (c Config) byNode() (number, count int, ok bool, err error) {
	if c.ShardAssignment == "" || c.ShardAssignment == "spread" {
		return 0, 0, false, nil
	}
	of, all, cut := strings.Cut(c.ShardAssignment, "/")
	number, err1 := strconv.Atoi(of)
	count, err2 := strconv.Atoi(all)
	if !cut || err1 != nil || err2 != nil || number < 0 || number >= count {
		return 0, 0, false, errors.New("SHARD_ASSIGNMENT must be spread, or NUMBER/COUNT with a number from 0 to COUNT-1, such as 0/3")
	}
	return number, count, true, nil
}

// Limits returns the limits of an uploaded file. The argument `dir` is the folder for temporary
// files.
func (c Config) Limits(dir string) tabular.Limits {
	return tabular.Limits{Rows: c.MaxRows, Columns: c.MaxColumns, Dir: dir}
}

// checkLimits returns the first fault of MAX_ROWS and MAX_COLUMNS. 0 means the default.
func (c Config) checkLimits() error {
	if c.MaxRows < 0 || c.MaxRows > tabular.MaxRow {
		return fmt.Errorf("MAX_ROWS must be from 1 to %d; 0 means the default", tabular.MaxRow)
	}
	if c.MaxColumns < 0 || c.MaxColumns > tabular.MaxColumn {
		return fmt.Errorf("MAX_COLUMNS must be from 1 to %d; 0 means the default", tabular.MaxColumn)
	}
	return nil
}

// checkServing returns the first fault of SHARD_ASSIGNMENT, WEIGHTS and RUN_HOURS.
func (c Config) checkServing() error {
	if _, _, _, err := c.byNode(); err != nil {
		return err
	}
	for kind, n := range c.Weights {
		if n < 1 {
			return fmt.Errorf("WEIGHTS: the weight of %s must be at least 1", kind)
		}
	}
	_, err := c.Hours()
	return err
}

// Hours returns the run hours of kinds, by name.
func (c Config) Hours() (map[string]cron.Hours, error) {
	out := map[string]cron.Hours{}
	for kind, text := range c.RunHours {
		h, err := cron.ParseHours(text)
		if err != nil {
			return nil, fmt.Errorf("RUN_HOURS: %s: %w", kind, err)
		}
		out[kind] = h
	}
	return out, nil
}

// Assign returns the strategy that assigns shards to workers, as selected by the setting SHARD_ASSIGNMENT.
func (c Config) Assign() queue.Assigner {
	if number, count, ok, err := c.byNode(); ok && err == nil {
		return queue.ByNode(number, count)
	}
	return queue.Spread()
}

// Schedule returns the scheduler of the workers, as selected by the setting SCHEDULER.
func (c Config) Schedule() queue.Scheduler {
	switch c.Scheduler {
	case "weighted":
		return queue.Weighted()
	case "sequential":
		return queue.Sequential()
	}
	return queue.Lag()
}
