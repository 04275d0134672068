package importers

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// empty fails if something lies in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestPackedFilesThatAreRefused: with words, and nothing is left behind.
func TestPackedFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	table := []byte("A,B\n1,2\n")
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = "abcdefghijklmnop,;\n"[i*i%7919%19]
	}
	gz := gzipped(t, noise)
	flipped := bytes.Clone(gz)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	zeros := bytes.Repeat([]byte("0"), 8<<20)
	broken := zipped(t, "a.csv", noise)
	broken[len(broken)/2] ^= 1
	secret := zipped(t, "a.csv", table)
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
		limit            Limits
	}{
		{"gzip cut off", CodeDamagedFile, "gzip", gz[:len(gz)-20], Limits{}},
		{"gzip cut off in its last byte", CodeDamagedFile, "gzip", gz[:len(gz)-1], Limits{}},
		{"gzip with a wrong checksum", CodeDamagedFile, "gzip", flipped, Limits{}},
		{"gzip with more behind", CodeDamagedFile, "gzip", append(bytes.Clone(gz), "more"...), Limits{}},
		{"a gzip bomb", CodeZipBomb, "400 times", gzipped(t, zeros), Limits{}},
		{"more than the total", CodeZipBomb, "0 MiB", gz, Limits{Unzipped: 100_000}},
		{"a zip bomb", CodeZipBomb, "zip archive", zipped(t, "a.csv", zeros), Limits{}},
		{"zip with a broken file", CodeDamagedFile, `"folder/a.csv"`, broken, Limits{}},
		{"zip with a password", CodePasswordProtected, "zip archive", secret, Limits{}},
		{"zip of two", CodeSeveralFiles, `"a", "b"`, parts{"a": "1", "b": "2"}.zip(t), Limits{}},
		{"zip of nothing", CodeEmptyFile, "no file", parts{"a/": ""}.zip(t), Limits{}},
		{"gzip of nothing", CodeEmptyFile, "empty", gzipped(t, nil), Limits{}},
		{"gzip in gzip", CodeNestedArchive, "inside", gzipped(t, gzipped(t, table)), Limits{}},
		{"gzip in zip", CodeNestedArchive, "inside", zipped(t, "a", gzipped(t, table)), Limits{}},
		{"zip in gzip", CodeNestedArchive, "inside", gzipped(t, zipped(t, "a", table)), Limits{}},
		{"zip in zip", CodeNestedArchive, "inside", zipped(t, "b", zipped(t, "a", table)), Limits{}},
		{"a picture in zip", CodeUnsupportedFormat, "PNG", zipped(t, "a", []byte("\x89PNG\r\n")), Limits{}},
		{"a path out of the zip", CodeUnsafeFile, "no spreadsheet program", parts{"../a.csv": "A,B\n1,2\n"}.zip(t), Limits{}},
		{"a name twice", CodeUnsafeFile, "twice", parts{"a.csv": "x", "A.csv": "y"}.zip(t), Limits{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.limit.Dir = t.TempDir()
			p := readAll(tt.data, OpenOptions{Limits: tt.limit}).problem(t)
			if p.Code != tt.code || !strings.Contains(p.Detail, tt.said) {
				t.Errorf("got %+v, want %s with %q", p, tt.code, tt.said)
			}
			empty(t, tt.limit.Dir)
		})
	}
}

// TestUnpackedFilesHaveNoName: a process that is killed leaves nothing.
func TestUnpackedFilesHaveNoName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := gzipped(t, []byte("A,B\n1,2\n"))
	s, err := Open(bytes.NewReader(data), int64(len(data)), OpenOptions{Limits: Limits{Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	empty(t, dir)
	if _, err := s.Next(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestEveryCutOfAPackedFileIsSeen: a shorter archive is never a shorter table.
func TestEveryCutOfAPackedFileIsSeen(t *testing.T) {
	t.Parallel()
	table := []byte("A,B\n" + strings.Repeat("1,2\n3,4\n", 20))
	for _, data := range [][]byte{gzipped(t, table), zipped(t, "a.csv", table)} {
		if r := readAll(data, OpenOptions{}); r.err != nil || len(r.rows) != 40 {
			t.Fatalf("whole: %d rows, %v", len(r.rows), r.err)
		}
		for n := range len(data) {
			if r := readAll(data[:n], OpenOptions{}); r.err == nil {
				t.Fatalf("cut at byte %d of %d it was read", n, len(data))
			}
		}
	}
}

// TestList: what a list of rows in JSON gives, or why it is refused.
func TestList(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want, said string }{
		{"rows", `[{"a":1},{"b":2}]`, `{"a":1} {"b":2}`, ""},
		{"blanks between", " [\n {\"a\": 1 } ,\r\n\t{} ]\n ", `{"a": 1 } {}`, ""},
		{"signs in texts", `[{"a":"],[{\"}\\"},{"b":2}]`, `{"a":"],[{\"}\\"} {"b":2}`, ""},
		{"lists in rows", `[{"a":[1,[2]]},3]`, `{"a":[1,[2]]} 3`, ""},
		{"nothing", `[]`, ``, ""},
		{"cut off behind a row", `[{"a":1},{"b":2}`, `{"a":1}`, "cut off, behind row 1"},
		{"cut off in a text", `[{"a":"]`, ``, "cut off, behind row 0"},
		{"cut off behind a comma", `[{"a":1},`, `{"a":1}`, "cut off, behind row 1"},
		{"a comma too many", `[{"a":1},]`, `{"a":1}`, "between two commas, behind row 1"},
		{"two commas", `[{"a":1},,{"b":2}]`, `{"a":1}`, "between two commas, behind row 1"},
		{"more behind", `[{"a":1}] [{"b":2}]`, ``, "more behind its end"},
		{"a bracket too many", `[{"a":1}},{"b":2}]`, ``, "never opened"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newList(strings.NewReader(tt.text))
			var got []string
			var err error
			for err == nil {
				var text []byte
				if text, err = l.next(); err == nil {
					got = append(got, string(text))
				}
			}
			if strings.Join(got, " ") != tt.want || (err == io.EOF) != (tt.said == "") ||
				tt.said != "" && !strings.Contains(err.Error(), tt.said) {
				t.Errorf("got %q, then %v", got, err)
			}
		})
	}
}

// TestRowTooLargeCostsItself: in a list as in lines.
func TestRowTooLargeCostsItself(t *testing.T) {
	t.Parallel()
	huge := `{"SKU":"` + strings.Repeat("x", maxLine) + `"}`
	small := `{"SKU":"a","Name":"b","Price":1}`
	for _, text := range []string{
		"[" + small + "," + huge + "," + small + "]",
		small + "\n" + huge + "\n" + small,
	} {
		got, _ := drafts(t, []byte(text), Options{})
		if len(got) != 3 || got[0].Failure != nil || got[2].Failure != nil || got[1].Failure == nil ||
			len(got[1].Params) > 10_000 {
			t.Errorf("read %d rows: %.300v", len(got), got)
		}
	}
}
