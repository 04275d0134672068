package exporters

// matrix is a linear map of 32-bit numbers. It contains the image of each bit.
type matrix [32]uint32

func (m *matrix) of(v uint32) (out uint32) {
	for i := 0; v != 0; i, v = i+1, v>>1 {
		if v&1 != 0 {
			out ^= m[i]
		}
	}
	return out
}

func (m *matrix) squared() (out matrix) {
	for i := range m {
		out[i] = m.of(m[i])
	}
	return out
}

// joinCRC returns the CRC-32 (IEEE) of the concatenation of two texts. It needs the CRC-32 of each text, and
// the length of the second in bytes. It advances the CRC-32 of the first text by one step of the shift
// register for each bit of the second text. It squares the step instead of repeating it, so the cost is
// logarithmic in the length.
func joinCRC(first, second uint32, length int64) uint32 {
	var step matrix // shift by one zero bit
	step[0] = 0xedb88320
	for i := 1; i < 32; i++ {
		step[i] = 1 << (i - 1)
	}
	for range 3 { // from 1 bit to 8
		step = step.squared()
	}
	for ; length > 0; length >>= 1 {
		if length&1 != 0 {
			first = step.of(first)
		}
		step = step.squared()
	}
	return first ^ second
}
