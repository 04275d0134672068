package exporters

// SaveEach has parts save after the given number of bytes of rows.
func (p *Parts) SaveEach(n int64) { p.saveBytes = n }
