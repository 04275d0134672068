package importers

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// FuzzText checks that no bytes at all make a text be read in two ways: what
// was found out about it, told back, gives the same rows again. So the split
// of a file goes on where it was broken off.
func FuzzText(f *testing.F) {
	f.Add([]byte("A;B\n1;\xe4\n"))
	f.Add([]byte("sep=|\r\nA|B\r\n1|2\r\n"))
	f.Add([]byte("\xFF\xFEA\x00,\x00B\x00\n\x001\x00,\x002\x00"))
	f.Add([]byte("\xcd\xe0\xe7\xe2\xe0\xed\xe8\xe5;\xd6\xe5\xed\xe0\n\xcc\xee\xeb\xee\xea\xee;5\n"))
	f.Add([]byte("\x8f\xa4\x95\x69\x96\xbc,\x89\xbf\x8a\x69\n\x90\xd4,5\n"))
	f.Add([]byte("x\n\n\"y\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first := readAll(data, OpenOptions{})
		if first.src == nil {
			first.problem(t) // never an error of another kind
			return
		}
		s := first.src
		again := readAll(data, OpenOptions{
			Encoding: s.Encoding, Delimiter: s.Delimiter, HeaderRow: s.HeaderRow, Sheet: s.Sheet,
		})
		if again.src == nil {
			t.Fatalf("%q: read again, it is refused: %v", data, again.err)
		}
		if diff := cmp.Diff(first.texts(), again.texts()); diff != "" {
			t.Errorf("%q (-first +again):\n%s", data, diff)
		}
	})
}

// FuzzPacked checks that packing changes nothing: neither rows nor the reason
// for a refusal.
func FuzzPacked(f *testing.F) {
	f.Add([]byte("A,B\n1,2\n"))
	f.Add([]byte("%PDF"))
	f.Add(newParts(twoRows, "a").stored(f))
	f.Add([]byte(oleMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c := (&content{head: data}); c.packed() || bytes.HasPrefix(data, []byte("PK")) {
			return // packed twice
		}
		plain := readAll(data, OpenOptions{})
		for _, packed := range [][]byte{gzipped(t, data), zipped(t, "x", data)} {
			r := readAll(packed, OpenOptions{})
			if code(plain.err) != code(r.err) {
				t.Errorf("%q: %v, packed %v", data, plain.err, r.err)
			}
			if diff := cmp.Diff(plain.texts(), r.texts()); diff != "" {
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

// FuzzUnpack checks that no bytes that begin like a gzip file make reading
// panic.
func FuzzUnpack(f *testing.F) {
	f.Add(gzipped(f, []byte("A,B\n1,2\n")))
	f.Add(zipped(f, "a.csv", []byte("A,B\n1,2\n")))
	f.Add(gzipped(f, newParts(twoRows, "a").zip(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := Limits{Unzipped: 1 << 20}
		for _, data := range [][]byte{data, append([]byte(gzipMagic+"\x08"), data...)} {
			if r := readAll(data, OpenOptions{Limits: limits}); r.err != nil {
				r.problem(t)
			}
		}
	})
}

// FuzzList checks that a list of rows in JSON is cut up as encoding/json does
// it, and that what that refuses is refused, here or by the reader of a row.
func FuzzList(f *testing.F) {
	f.Add(`[{"a":1},{"b":"],[\""}]`)
	f.Add("[ ]")
	f.Add(`[{"a":[1]},2,"x",]`)
	f.Add(`[{"a":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "[") {
			text = "[" + text
		}
		var want []json.RawMessage
		refused := json.Unmarshal([]byte(text), &want)
		got, err := elements(newList(strings.NewReader(text)))
		if refused == nil && err != io.EOF {
			t.Fatalf("%q: %v", text, err)
		}
		bad := err != io.EOF
		for i, e := range got {
			bad = bad || !json.Valid([]byte(e))
			if refused == nil && e != string(bytes.TrimSpace(want[i])) {
				t.Errorf("%q: element %d is %q, want %q", text, i, e, want[i])
			}
		}
		if refused == nil && len(got) != len(want) || refused != nil && !bad {
			t.Errorf("%q: %d elements, %v; encoding/json: %d, %v", text, len(got), err, len(want), refused)
		}
	})
}

func elements(rows jsonReader) (list []string, err error) {
	for {
		text, err := rows.next()
		if err != nil {
			return list, err
		}
		list = append(list, string(text))
	}
}

// FuzzLines checks that every line of a file of JSON objects is read, and that
// no row makes its reader panic.
func FuzzLines(f *testing.F) {
	f.Add("{\"SKU\":\"a\"}\n\r\n{\"SKU\":1e5}\r\n{")
	f.Add("\xEF\xBB\xBF{}")
	f.Add("{\"a\":\"\xff\"}\n{\"SKU\":null}")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := elements(newLines(strings.NewReader(text)))
		n := 0
		for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xEF\xBB\xBF"), "\n") {
			if len(bytes.TrimSpace([]byte(line))) > 0 {
				n++
			}
		}
		if err != io.EOF || len(got) != n {
			t.Errorf("%q: %d lines, %v, want %d", text, len(got), err, n)
		}
		rows := NewJSONRows(goodKind, Limits{})
		for i, line := range got {
			d := rows.Draft(i+1, []byte(line))
			if !json.Valid(d.Params) || !json.Valid([]byte(line)) && d.Failure == nil {
				t.Errorf("%q became %s, %v", line, d.Params, d.Failure)
			}
		}
	})
}

// FuzzNumber checks that a number keeps its value: as text it is the same
// number to the 15 digits that Excel knows, without an exponent unless its digits were lost before.
func FuzzNumber(f *testing.F) {
	for _, raw := range []string{"0.1", "-0", "1.5E+3", "0.30000000000000004", "12345678901234567", "1e-300", ".5", "5.", "+1"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, ok := decimalText([]byte(raw))
		want, number := parseNumber([]byte(raw))
		if plain := plainNumber([]byte(raw)); ok != (number || plain) {
			t.Fatalf("%q: %q, %v; it is a number: %v", raw, text, ok, number)
		}
		if !ok || !number {
			return
		}
		exact := func(f float64) string { return strconv.FormatFloat(f, 'e', exactDigits-1, 64) }
		if got, ok := parseNumber([]byte(text)); !ok || exact(got) != exact(want) {
			t.Errorf("%q became %q, which is %v, not %v", raw, text, got, want)
		}
		if strings.ContainsAny(text, "eE") && text != raw {
			t.Errorf("%q became %q", raw, text)
		}
	})
}

// FuzzSerial checks that a number shown as a date is that date, to the second,
// or is refused with words.
func FuzzSerial(f *testing.F) {
	for _, serial := range []float64{0, 1, 59, 60, 61, 45413.52, 2958465.9999999, 2958466, -1, 1e300} {
		f.Add(serial, true)
		f.Add(serial, false)
	}
	f.Fuzz(func(t *testing.T, serial float64, mac bool) {
		for _, kind := range []dateKind{dateFormat, timeFormat, spanFormat} {
			text, why := serialText(serial, kind, mac)
			if (text == "") != (why != "") {
				t.Fatalf("%v: %q and %q", serial, text, why)
			}
			if text == "" || kind != dateFormat {
				continue
			}
			if back := serialOf(t, text, mac); back-serial > 1e-5 || serial-back > 1e-5 {
				t.Errorf("%v became %s, which is %v", serial, text, back)
			}
		}
	})
}

// serialOf is the number of a date, reckoned the other way.
func serialOf(t *testing.T, text string, mac bool) float64 {
	t.Helper()
	if !strings.Contains(text, "T") {
		text += "T00:00:00"
	}
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if mac {
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	days := float64(at.Unix()-first.Unix()) / daySeconds
	if !mac && days < leapSerial+1 {
		days-- // the system has a day that never was
	}
	return days
}

// FuzzISO checks that a date in ISO 8601 is written in one way, and that no
// code of a format makes its reader panic.
func FuzzISO(f *testing.F) {
	f.Add("2024-05-01T00:00:00.000")
	f.Add("2024-05-01T12:30:00+02:00")
	f.Add("15:04:05")
	f.Add(`[$-409]d\-mmm\-yy;@`)
	f.Fuzz(func(t *testing.T, raw string) {
		formatKind(raw)
		text, ok := isoText(raw)
		if !ok {
			return
		}
		if again, ok := isoText(text); !ok || again != text {
			t.Errorf("%q became %q, and that %q", raw, text, again)
		}
	})
}

// FuzzRef checks that a cell lies where its reference says, and nowhere else.
func FuzzRef(f *testing.F) {
	for _, ref := range []string{"A1", "xfd1048576", "XFE1", "A0", "A01", "1A", "ZZZZ1", "A12345678"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		col, row := parseRef([]byte(ref))
		if col < 0 {
			return
		}
		if want := table.ColumnName(col) + strconv.Itoa(row); !strings.EqualFold(ref, want) || col >= maxCol {
			t.Errorf("%q was taken for %s", ref, want)
		}
	})
}
