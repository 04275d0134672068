package exporters

// SaveEach has parts save after so many bytes of rows.
func (p *Parts) SaveEach(n int64) { p.saveBytes = n }
