package main

import "context"

// sizes holds the sizes of the ledger at one moment, in bytes.
type sizes struct {
	rows, indexes, tasks, log, dead, vacuumed, partitions float64
}

func (g *growth) size(ctx context.Context) (s sizes, err error) {
	err = g.db.Pool.QueryRow(ctx, growSizesSQL).Scan(
		&s.rows, &s.indexes, &s.tasks, &s.log, &s.dead, &s.vacuumed, &s.partitions)
	return s, err
}

// sizes measures the sizes of the ledger. The argument `when` is the state of the ledger.
func (g *growth) sizes(ctx context.Context, when string) error {
	s, err := g.size(ctx)
	if err != nil {
		return err
	}
	for _, v := range []struct {
		name string
		of   float64
	}{
		{"rows", s.rows}, {"indexes of rows", s.indexes}, {"tasks and their indexes", s.tasks}, {"files of the log", s.log},
	} {
		g.add(when+": "+v.name, "MB", v.of/1e6)
	}
	g.add(when+": dead rows", "10^3", s.dead/1e3)
	g.add(when+": partitions", "", s.partitions)
	return nil
}
