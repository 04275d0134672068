package importers

import "hash/maphash"

// keyIndex holds the position of one row for each key of a file: the first row or, after policy.preload,
// the newest. It takes about 60 bytes per key, independent of the length of the key.
type keyIndex struct {
	seeds [2]maphash.Seed
	at    map[keyHash]rowPosition
}

// keyHash is the hash of a key. In files of a million rows, two keys collide by chance less than once in
// 10^26 files. A sender cannot cause collisions, because the seeds are secret.
type keyHash [2]uint64

// rowPosition is the position of a row: its number in the file, and its seq.
type rowPosition struct{ row, seq uint32 }

// again is a bit in rowPosition.seq. It means that the key also occurs in other rows.
const again = 1 << 31

func newKeyIndex() *keyIndex {
	return &keyIndex{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, at: map[keyHash]rowPosition{},
	}
}

func (b *keyIndex) hash(key string) keyHash {
	return keyHash{maphash.String(b.seeds[0], key), maphash.String(b.seeds[1], key)}
}

// add returns the stored position of the key, if the index has the key. Otherwise it stores `p` for the
// key.
func (b *keyIndex) add(key string, p rowPosition) (first rowPosition, known bool) {
	h := b.hash(key)
	if first, known = b.at[h]; !known {
		b.at[h] = p
	}
	return first, known
}

// markRepeated records that a key in the index also occurs in other rows. It returns false if that was
// already recorded.
func (b *keyIndex) markRepeated(key string) bool {
	h := b.hash(key)
	p := b.at[h]
	news := p.seq&again == 0
	p.seq |= again
	b.at[h] = p
	return news
}
