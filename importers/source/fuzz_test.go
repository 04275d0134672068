package source_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// FuzzPacked checks that compression changes neither the rows nor the reason for a refusal.
func FuzzPacked(f *testing.F) {
	f.Add([]byte("A,B\n1,2\n"))
	f.Add([]byte("%PDF"))
	f.Add(uploads.NewWorkbook(uploads.TwoRows, "a").Stored(f))
	f.Add([]byte(uploads.OLEMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte("\x1F\x8B")) || bytes.HasPrefix(data, []byte("PK")) {
			return // packed twice
		}
		plain := uploads.Read(data, source.Options{})
		for _, packed := range [][]byte{uploads.Gzip(t, data), uploads.ZipFile(t, "x", data)} {
			r := uploads.Read(packed, source.Options{})
			if code(plain.Err) != code(r.Err) {
				t.Errorf("%q: %v, packed %v", data, plain.Err, r.Err)
			}
			if diff := cmp.Diff(plain.Texts(), r.Texts()); diff != "" {
				t.Errorf("%q (-plain +packed):\n%s", data, diff)
			}
		}
	})
}

func code(err error) string {
	if err == nil {
		return ""
	}
	text, _, _ := strings.Cut(err.Error(), ":")
	return text
}

// FuzzUnpack checks that reading never panics on bytes that begin like a gzip file.
func FuzzUnpack(f *testing.F) {
	f.Add(uploads.Gzip(f, []byte("A,B\n1,2\n")))
	f.Add(uploads.ZipFile(f, "a.csv", []byte("A,B\n1,2\n")))
	f.Add(uploads.Gzip(f, uploads.NewWorkbook(uploads.TwoRows, "a").Zip(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := tabular.Limits{Unzipped: 1 << 20}
		for _, data := range [][]byte{data, append([]byte("\x1F\x8B\x08"), data...)} {
			if r := uploads.Read(data, source.Options{Limits: limits}); r.Err != nil {
				r.Problem(t)
			}
		}
	})
}
