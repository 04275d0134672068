package housetest

import (
	"fmt"
	"strings"
	"testing"
)

// floors tells where each room lies; a folder below a room belongs to it. A
// room imports rooms of lower floors only. The cellar, floor 0, holds what
// every floor may use and what uses none; its rooms may use one another.
var floors = map[string]int{
	"cmd": 9,

	"worker/rollcall":   9,
	"worker/workertest": 9,

	"internal/boot": 8,

	"web":               7,
	"internal/doctor":   7,
	"internal/samples":  7,
	"internal/scaffold": 7,

	"internal/operate":   6,
	"internal/reconcile": 6,
	"internal/ingest":    6,
	"internal/settings":  6,

	"internal/testenv/fixture": 7,
	"internal/testenv/uploads": 6,
	"internal/testenv/plans":   6,

	"internal/templates": 5,
	"internal/notify":    5,
	"internal/retention": 5,
	"internal/schedules": 5,

	"importers":       5,
	"exporters":       5,
	"internal/feed":   5,
	"middleware":      5,
	"internal/review": 5,

	"worker":             5,
	"internal/enqueue":   4,
	"internal/jobs":      3,
	"internal/rowschema": 2,
	"internal/tasklist":  2,
	"internal/decisions": 2,
	"internal/recount":   2,
	"internal/pending":   2,
	"internal/lanes":     2,

	"queue":           1,
	"tasks":           1,
	"events":          1,
	"internal/access": 1,
	"client":          1,

	"clients":     0,
	"web/base":    0,
	"deployments": 0,
	"internal":    0,
	"scripts":     0,
}

// testenv is for tests alone.
const testenv = "internal/testenv"

// roomOf returns the entry of floors that a folder belongs to, or "".
func roomOf(folder string) string {
	for f := folder; ; {
		if _, ok := floors[f]; ok {
			return f
		}
		cut := strings.LastIndexByte(f, '/')
		if cut < 0 {
			return ""
		}
		f = f[:cut]
	}
}

// crossing says what is wrong with a file of folder from that imports folder
// to of the house, or "".
func crossing(from, to string, test bool) string {
	a, b := roomOf(from), roomOf(to)
	switch {
	case a == "":
		return fmt.Sprintf("%s lies on no floor: add it to floors", from)
	case b == "":
		return fmt.Sprintf("%s lies on no floor: add it to floors", to)
	case a == "queue" && b != "queue" && !(test && to == testenv):
		return "queue knows no other room: it could be lifted out and published"
	case test:
		return "" // a story may need several rooms
	case forTests(to) && !forTests(from):
		return "internal/testenv is for tests alone"
	case a == b || floors[a]+floors[b] == 0:
		return ""
	case floors[a] < floors[b]:
		return fmt.Sprintf("imports run down only: %s lies on floor %d, %s above it on floor %d",
			a, floors[a], b, floors[b])
	case floors[a] == floors[b]:
		return fmt.Sprintf("imports run down only: %s and %s share floor %d", a, b, floors[a])
	}
	return ""
}

// forTests reports whether a folder is testenv, or lies in it.
func forTests(folder string) bool {
	return folder == testenv || strings.HasPrefix(folder, testenv+"/")
}

func TestFloors(t *testing.T) {
	t.Parallel()
	for _, src := range house(t) {
		if roomOf(src.room) == "" {
			t.Errorf("%s: %s lies on no floor: add it to floors", src.name, src.room)
		}
		for _, imported := range src.imports {
			to, inside := strings.CutPrefix(imported, module+"/")
			if !inside {
				continue
			}
			if wrong := crossing(src.room, to, src.test); wrong != "" {
				t.Errorf("%s imports %s: %s", src.name, to, wrong)
			}
		}
	}
}

func TestCrossing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		from, to string
		test     bool
		wrong    bool
	}{
		{"down is right", "web", "tasks", false, false},
		{"down past a floor is right", "middleware", "events", false, false},
		{"up is wrong", "worker", "importers", false, true},
		{"sideways is wrong", "importers", "internal/feed", false, true},
		{"tasks and events are strangers", "tasks", "events", false, true},
		{"a room uses its own folders", "web/api", "web", false, false},
		{"the cellar is for all", "events", "internal/ledger", false, false},
		{"and uses itself", "internal/ledger", "deployments/migrations", false, false},
		{"but nothing above", "internal/blobs", "queue", false, true},
		{"wiring uses everything", "cmd/api", "internal/boot", false, false},
		{"nobody uses wiring", "web", "internal/boot", false, true},
		{"queue stands alone, cellar included", "queue", "internal/blobs", false, true},
		{"in its tests too", "queue", "worker", true, true},
		{"but for the servers", "queue", "internal/testenv", true, false},
		{"which nobody else starts", "cmd/api", "internal/testenv", false, true},
		{"tests tell stories", "importers", "internal/feed", true, false},
		{"a new room needs a floor", "utils", "queue", false, true},
		{"wherever it is named", "web", "common", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := crossing(tt.from, tt.to, tt.test); (got != "") != tt.wrong {
				t.Errorf("crossing(%s, %s) = %q, wrong = %v", tt.from, tt.to, got, tt.wrong)
			}
		})
	}
}
