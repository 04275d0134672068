package source_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestPackedFilesThatAreRefused: the problem names the reason, and no file is left.
func TestPackedFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	table := []byte("A,B\n1,2\n")
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = "abcdefghijklmnop,;\n"[i*i%7919%19]
	}
	gz := uploads.Gzip(t, noise)
	flipped := bytes.Clone(gz)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	zeros := bytes.Repeat([]byte("0"), 8<<20)
	broken := uploads.ZipFile(t, "a.csv", noise)
	broken[len(broken)/2] ^= 1
	secret := uploads.ZipFile(t, "a.csv", table)
	for _, magic := range []string{"PK\x03\x04", "PK\x01\x02"} { // the flag of the second entry
		at := bytes.LastIndex(secret[:bytes.LastIndex(secret, []byte("__MACOSX"))-46], []byte(magic))
		if magic == "PK\x03\x04" {
			at = bytes.Index(secret[40:], []byte(magic)) + 40
			secret[at+6] |= 1
		} else {
			secret[at+8] |= 1
		}
	}
	tests := []struct {
		name, code, said string
		data             []byte
		limit            tabular.Limits
	}{
		{"gzip cut off", tabular.CodeDamagedFile, "gzip", gz[:len(gz)-20], tabular.Limits{}},
		{"gzip cut off in its last byte", tabular.CodeDamagedFile, "gzip", gz[:len(gz)-1], tabular.Limits{}},
		{"gzip with a wrong checksum", tabular.CodeDamagedFile, "gzip", flipped, tabular.Limits{}},
		{"gzip with more behind", tabular.CodeDamagedFile, "gzip", append(bytes.Clone(gz), "more"...), tabular.Limits{}},
		{"a gzip bomb", tabular.CodeZipBomb, "400 times", uploads.Gzip(t, zeros), tabular.Limits{}},
		{"more than the total", tabular.CodeZipBomb, "0 MiB", gz, tabular.Limits{Unzipped: 100_000}},
		{"a zip bomb", tabular.CodeZipBomb, "zip archive", uploads.ZipFile(t, "a.csv", zeros), tabular.Limits{}},
		{"zip with a broken file", tabular.CodeDamagedFile, `"folder/a.csv"`, broken, tabular.Limits{}},
		{"zip with a password", tabular.CodePasswordProtected, "zip archive", secret, tabular.Limits{}},
		{"zip of two", source.CodeSeveralFiles, `"a", "b"`, uploads.Parts{"a": "1", "b": "2"}.Zip(t), tabular.Limits{}},
		{"zip of nothing", tabular.CodeEmptyFile, "no file", uploads.Parts{"a/": ""}.Zip(t), tabular.Limits{}},
		{"gzip of nothing", tabular.CodeEmptyFile, "empty", uploads.Gzip(t, nil), tabular.Limits{}},
		{"gzip in gzip", source.CodeNestedArchive, "inside", uploads.Gzip(t, uploads.Gzip(t, table)), tabular.Limits{}},
		{"gzip in zip", source.CodeNestedArchive, "inside", uploads.ZipFile(t, "a", uploads.Gzip(t, table)), tabular.Limits{}},
		{"zip in gzip", source.CodeNestedArchive, "inside", uploads.Gzip(t, uploads.ZipFile(t, "a", table)), tabular.Limits{}},
		{"zip in zip", source.CodeNestedArchive, "inside", uploads.ZipFile(t, "b", uploads.ZipFile(t, "a", table)), tabular.Limits{}},
		{"a picture in zip", tabular.CodeUnsupportedFormat, "PNG", uploads.ZipFile(t, "a", []byte("\x89PNG\r\n")), tabular.Limits{}},
		{"a path out of the zip", tabular.CodeUnsafeFile, "no spreadsheet program", uploads.Parts{"../a.csv": "A,B\n1,2\n"}.Zip(t), tabular.Limits{}},
		{"a name twice", tabular.CodeUnsafeFile, "twice", uploads.Parts{"a.csv": "x", "A.csv": "y"}.Zip(t), tabular.Limits{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.limit.Dir = t.TempDir()
			p := uploads.Read(tt.data, source.Options{Limits: tt.limit}).Problem(t)
			if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
				t.Errorf("got %+v, want %s with %q", p, tt.code, tt.said)
			}
			uploads.RequireEmpty(t, tt.limit.Dir)
		})
	}
}

// TestUnpackedFilesHaveNoName: a killed process leaves no file.
func TestUnpackedFilesHaveNoName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := uploads.Gzip(t, []byte("A,B\n1,2\n"))
	s, err := source.Open(bytes.NewReader(data), int64(len(data)), source.Options{Limits: tabular.Limits{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	uploads.RequireEmpty(t, dir)
	if _, err := s.Next(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestEveryCutOfAPackedFileIsSeen: a truncated archive never gives a shorter table.
func TestEveryCutOfAPackedFileIsSeen(t *testing.T) {
	t.Parallel()
	table := []byte("A,B\n" + strings.Repeat("1,2\n3,4\n", 20))
	for _, data := range [][]byte{uploads.Gzip(t, table), uploads.ZipFile(t, "a.csv", table)} {
		if r := uploads.Read(data, source.Options{}); r.Err != nil || len(r.Rows) != 40 {
			t.Fatalf("whole: %d rows, %v", len(r.Rows), r.Err)
		}
		for n := range len(data) {
			if r := uploads.Read(data[:n], source.Options{}); r.Err == nil {
				t.Fatalf("cut at byte %d of %d it was read", n, len(data))
			}
		}
	}
}
