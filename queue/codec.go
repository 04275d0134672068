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

// readyMark is the first character of the body of a waiting key that is in the ready list.
const readyMark = "!"

// errRecord means that a value in Redis has a form that this package does not write.
var errRecord = errors.New("malformed record")

func formatScore(score float64) string { return strconv.FormatFloat(score, 'g', -1, 64) }

// encodeBody returns the body of a waiting key that has one payload and is in the ready list.
func encodeBody(score float64, payload []byte) string {
	b := make([]byte, 0, len(readyMark)+len(payload)+24)
	return string(appendItem(append(b, readyMark...), score, payload))
}

// appendItem appends an item to b. It formats the score without loss. Scripts copy this text,
// because Lua would format the number with less precision.
func appendItem(b []byte, score float64, payload []byte) []byte {
	b = strconv.AppendFloat(b, score, 'g', -1, 64)
	b = append(b, ';')
	b = strconv.AppendInt(b, int64(len(payload)), 10)
	b = append(b, ';')
	return append(b, payload...)
}

// decodeItem decodes the first item of s and returns the rest of s.
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

// record is the value of a key in the busy hash: "seq;run-at;retry;redeliveries;crashes;" and the items.
// A readyMark may precede the first item.
type record struct {
	seq          int64
	runAt        int64 // unix ms
	retry        int
	redeliveries int
	crashes      int // starts that ended with the death of the node; -1 = not a suspect
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
	s = strings.TrimPrefix(s, readyMark)
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
