package uploads

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// Gzip compresses a file.
func Gzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ZipFile packs one file into a zip archive with the additional entries that macOS adds.
func ZipFile(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range []struct{ name, text string }{
		{"folder/", ""},
		{"folder/" + name, string(data)},
		{"__MACOSX/folder/._" + name, "x"},
	} {
		part, err := w.Create(f.name)
		if err == nil {
			_, err = io.WriteString(part, f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
