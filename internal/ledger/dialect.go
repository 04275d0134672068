package ledger

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	rowsRE      = regexp.MustCompile(`\s+FROM ROWS \(([^)]*)\) AS v\b`)
	eachRE      = regexp.MustCompile(`\bEACH \((\w+)\)`)
	keyRE       = regexp.MustCompile(`([\w.]+) = EACH \(`)
	eachOfRE    = regexp.MustCompile(`= EACH \(\w+\)`)
	columnRE    = regexp.MustCompile(`\bv\.(\w+)`)
	returningRE = regexp.MustCompile(`\s+RETURNING [\w.]+ AS key\s*$`)
	nameRE      = regexp.MustCompile(`@(\w+)`)
	anyRE       = regexp.MustCompile(`= ANY \(cast\(@(\w+) AS \w+\[\]\)\)`)
)

// bulkSQL is a statement of Bulk in both dialects.
type bulkSQL struct {
	key      string // name of the argument with the keys
	postgres string
	dense    string // for Postgres and dense keys from @low to @high
	placed   bool   // the statement `dense` reads values by index, at the distance of the key from @low
	sqlite   string
	names    []string // names of the arguments ?1, ?2, … of sqlite
}

var bulks sync.Map // of *bulkSQL, by text

func bulkOf(text string) *bulkSQL {
	if s, ok := bulks.Load(text); ok {
		return s.(*bulkSQL)
	}
	s := parseBulk(Plain(text))
	bulks.Store(text, s)
	return s
}

func parseBulk(text string) *bulkSQL {
	s := &bulkSQL{}
	var names, arrays []string
	types := map[string]string{}
	for column := range strings.SplitSeq(rowsRE.FindStringSubmatch(text)[1], ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(column), " ")
		types[name] = kind
		names = append(names, name)
		arrays = append(arrays, array(name, kind))
	}
	s.key = names[0]
	rows := fmt.Sprintf(" FROM unnest(%s) AS v (%s)", strings.Join(arrays, ", "), strings.Join(names, ", "))
	joined := rowsRE.ReplaceAllString(text, rows)
	each := eachRE.ReplaceAllStringFunc(joined, func(m string) string {
		name := eachRE.FindStringSubmatch(m)[1]
		return "ANY (" + array(name, types[name]) + ")"
	})
	s.postgres = withReport(each, "cardinality("+arrays[0]+")")
	s.placed = placeable(text, types)
	if s.placed {
		joined = withPlaces(text, types)
	}
	s.dense = withReport(eachOfRE.ReplaceAllLiteralString(joined, "BETWEEN cast(@low AS bigint) AND cast(@high AS bigint)"), "cast(@count AS bigint)")
	s.sqlite, s.names = numberArgs(returningRE.ReplaceAllString(rowsRE.ReplaceAllString(text, ""), ""))
	return s
}

// placeable reports whether a statement can read the values of a row by index. This requires that
// each array is of bigint, and that the statement compares a row id with EACH. Postgres would scan
// an array of texts for each element.
func placeable(text string, types map[string]string) bool {
	for _, kind := range types {
		if kind != "bigint" {
			return false
		}
	}
	return eachOfRE.MatchString(text)
}

// withPlaces returns a form of a statement that does not join the arrays of values as rows. The
// statement reads each value from its array by index. The index is the row id minus @low, plus one. The
// array of the row ids has 0 at an index without a row.
func withPlaces(text string, types map[string]string) string {
	at := fmt.Sprintf("[%s - cast(@low AS bigint) + 1]", keyRE.FindStringSubmatch(text)[1])
	text = rowsRE.ReplaceAllLiteralString(text, "")
	return columnRE.ReplaceAllStringFunc(text, func(m string) string {
		return "(" + array(m[2:], types[m[2:]]) + ")" + at
	})
}

// withReport wraps a statement in a query. The query runs the statement, and returns the number of
// changed rows. If fewer than `count` rows were changed, it also returns their row ids.
func withReport(text, count string) string {
	return fmt.Sprintf("WITH done AS (%s) SELECT count(*), CASE WHEN count(*) < %s "+
		"THEN array_agg(key) END FROM done", text, count)
}

func array(name, kind string) string { return fmt.Sprintf("cast(@%s AS %s[])", name, kind) }

// numberArgs replaces the columns and arguments of a statement with ?1, ?2, …, and returns their names
// in this order.
func numberArgs(text string) (string, []string) {
	text = columnRE.ReplaceAllString(eachRE.ReplaceAllString(text, "@$1"), "@$1")
	var names []string
	numbers := map[string]string{}
	text = nameRE.ReplaceAllStringFunc(text, func(m string) string {
		if numbers[m] == "" {
			names = append(names, m[1:])
			numbers[m] = "?" + strconv.Itoa(len(names))
		}
		return numbers[m]
	})
	return text, names
}

// forSQLite converts a query and its arguments for SQLite, which has no arrays and locks the whole
// database. Slices other than []byte become JSON lists, and rows are not locked.
func forSQLite(text string, args Args) (string, Args, error) {
	lists := Args{}
	for name, v := range args {
		if _, bytes := v.([]byte); bytes || reflect.ValueOf(v).Kind() != reflect.Slice {
			continue
		}
		list, err := json.Marshal(v)
		if err != nil {
			return "", nil, err
		}
		lists[name] = string(list)
	}
	text = unlocked(text)
	if len(lists) == 0 {
		return text, args, nil
	}
	args = maps.Clone(args)
	maps.Copy(args, lists)
	text = anyRE.ReplaceAllString(text, "IN (SELECT value FROM json_each(@$1))")
	return text, args, nil
}

// unlocked returns a query without the final clause that locks rows. It uses no regular expression,
// because it runs before each query and must be fast.
func unlocked(text string) string {
	query, locks := strings.CutSuffix(strings.TrimSuffix(strings.TrimSpace(text), " SKIP LOCKED"), "FOR UPDATE")
	if !locks {
		return text
	}
	return strings.TrimSpace(query)
}
