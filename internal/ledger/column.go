package ledger

// Column returns one value of each row, in their order: an argument of a bulk statement.
func Column[R, T any](rows []R, of func(*R) T) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = of(&rows[i])
	}
	return out
}
