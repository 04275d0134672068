package importers

import "hash/maphash"

// keyIndex remembers where the keys of a file stand: some 60 bytes a key,
// whatever its length. It is made anew for each reading.
type keyIndex struct {
	seeds [2]maphash.Seed
	at    map[keyHash]rowPlace
}

// keyHash stands for a key. Two keys of a file of a million rows share one by
// chance once in 10^26 files; a sender cannot make them, for the seeds are secret.
type keyHash [2]uint64

// rowPlace is where a key stands.
type rowPlace struct{ row, seq uint32 }

// again is the bit of a seq whose key stands at other places, too.
const again = 1 << 31

func newKeyIndex() *keyIndex {
	return &keyIndex{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, at: map[keyHash]rowPlace{},
	}
}

func (b *keyIndex) hash(key string) keyHash {
	return keyHash{maphash.String(b.seeds[0], key), maphash.String(b.seeds[1], key)}
}

// add returns where the key stood first; it is noted at p if that is here.
func (b *keyIndex) add(key string, p rowPlace) (first rowPlace, known bool) {
	h := b.hash(key)
	if first, known = b.at[h]; !known {
		b.at[h] = p
	}
	return first, known
}

// markRepeated notes that the key stands at other places too, and reports whether that
// is new.
func (b *keyIndex) markRepeated(key string) bool {
	h := b.hash(key)
	p := b.at[h]
	news := p.seq&again == 0
	p.seq |= again
	b.at[h] = p
	return news
}
