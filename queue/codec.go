package queue

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// item is one stored payload: "score;length;payload".
type item struct {
	score   float64
	payload string
}

// inLine precedes the body of a key in the ready list.
const inLine = "!"

// errRecord means that another program wrote the value in Redis.
var errRecord = errors.New("malformed record")

func formatScore(score float64) string { return strconv.FormatFloat(score, 'g', -1, 64) }

// encodeBody returns a payload as the body of a key in the ready list.
func encodeBody(score float64, payload []byte) string {
	b := make([]byte, 0, len(inLine)+len(payload)+24)
	return string(appendItem(append(b, inLine...), score, payload))
}

// appendItem prints the score so that it reads back exactly. Scripts pass it on as text and never
// print a number.
func appendItem(b []byte, score float64, payload []byte) []byte {
	b = strconv.AppendFloat(b, score, 'g', -1, 64)
	b = append(b, ';')
	b = strconv.AppendInt(b, int64(len(payload)), 10)
	b = append(b, ';')
	return append(b, payload...)
}

// decodeItem reads the first item of s and returns what follows it.
func decodeItem(s string) (it item, rest string, err error) {
	score, s, ok := strings.Cut(s, ";")
	if !ok {
		return it, "", errRecord
	}
	size, s, ok := strings.Cut(s, ";")
	n, err := strconv.Atoi(size)
	if !ok || err != nil || n < 0 || n > len(s) {
		return it, "", errRecord
	}
	f, err := strconv.ParseFloat(score, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return it, "", errRecord
	}
	return item{f, s[:n]}, s[n:], nil
}

// record is the value of a key in the busy hash: "seq;run-at;retry;again;crashes;", then the items.
// The first item may follow inLine.
type record struct {
	seq          int64
	runAt        int64 // unix ms
	retry        int
	redeliveries int
	crashes      int // crashes: starts that ended with the death of the node; -1 = never suspected
	items        []item
}

func decodeRecord(s string) (rec record, err error) {
	var head [5]int64
	for i := range head {
		var field string
		field, s, _ = strings.Cut(s, ";")
		if head[i], err = parseInt(field); err != nil {
			return rec, fmt.Errorf("%w: number %d is %.40q", errRecord, i, field)
		}
	}
	rec = record{
		seq: head[0], runAt: head[1], retry: int(head[2]), redeliveries: int(head[3]),
		crashes: int(head[4]),
	}
	s = strings.TrimPrefix(s, inLine)
	rec.items = make([]item, 0, 1)
	for ok := true; ok; ok = s != "" {
		var it item
		if it, s, err = decodeItem(s); err != nil {
			return rec, err
		}
		rec.items = append(rec.items, it)
	}
	return rec, nil
}

// parseInt parses a whole number in the forms that Redis prints, such as 1.7e+12.
func parseInt(s string) (int64, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, errRecord
	}
	return int64(f), nil
}
