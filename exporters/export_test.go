package exporters

// SaveEach sets the number of bytes of rows after which Save stores a file.
func (p *Parts) SaveEach(n int64) { p.saveBytes = n }
