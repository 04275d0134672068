package importers

import "hash/maphash"

// keyBook remembers where the keys of a file stand: some 60 bytes a key,
// whatever its length. It is made anew for each reading.
type keyBook struct {
	seeds [2]maphash.Seed
	at    map[keyHash]place
}

// keyHash stands for a key. Two keys of a file of a million rows share one by
// chance once in 10^26 files; nobody can make them, for the seeds are secret.
type keyHash [2]uint64

// place is where a key stands.
type place struct{ row, seq uint32 }

// again is the bit of a seq that says that the key stands at other places too.
const again = 1 << 31

func newKeyBook() *keyBook {
	return &keyBook{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, at: map[keyHash]place{},
	}
}

func (b *keyBook) hash(key string) keyHash {
	return keyHash{maphash.String(b.seeds[0], key), maphash.String(b.seeds[1], key)}
}

// meet returns where the key stood first; it is noted at p if that is here.
func (b *keyBook) meet(key string, p place) (first place, known bool) {
	h := b.hash(key)
	if first, known = b.at[h]; !known {
		b.at[h] = p
	}
	return first, known
}

// repeat notes that the key stands at other places too, and tells whether that
// is news.
func (b *keyBook) repeat(key string) bool {
	h := b.hash(key)
	p := b.at[h]
	news := p.seq&again == 0
	p.seq |= again
	b.at[h] = p
	return news
}
