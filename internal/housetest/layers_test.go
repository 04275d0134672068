package housetest

import (
	"fmt"
	"strings"
	"testing"
)

// layers maps each folder to its layer; subfolders belong to their parent. A folder imports folders
// of lower layers only. Layer 0 is for all layers; its folders may import each other.
var layers = map[string]int{
	"cmd": 9,

	"worker/rollcall":   9,
	"worker/workertest": 9,

	"internal/boot": 8,

	"web":               7,
	"internal/doctor":   7,
	"internal/samples":  7,
	"internal/scaffold": 7,

	"internal/operate":  6,
	"internal/rowacts":  6,
	"internal/ingest":   6,
	"internal/settings": 6,

	"internal/testenv/fixture": 7,
	"internal/testenv/uploads": 6,
	"internal/testenv/plans":   6,

	"internal/templates": 5,
	"internal/notify":    5,
	"internal/retention": 5,
	"internal/schedules": 5,

	"importers":          5,
	"exporters":          5,
	"middleware":         5,
	"internal/review":    5,
	"internal/reconcile": 5,

	"worker":             5,
	"internal/enqueue":   4,
	"internal/feed":      4,
	"internal/jobs":      3,
	"internal/rowschema": 2,
	"internal/tasklist":  2,
	"internal/decisions": 2,
	"internal/recount":   2,
	"internal/estimate":  2,
	"internal/pending":   2,
	"internal/faults":    2,
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

// testenv is the folder that only tests may import.
const testenv = "internal/testenv"

// layerOf returns the entry of layers that a folder belongs to, or "".
func layerOf(folder string) string {
	for f := folder; ; {
		if _, ok := layers[f]; ok {
			return f
		}
		cut := strings.LastIndexByte(f, '/')
		if cut < 0 {
			return ""
		}
		f = f[:cut]
	}
}

// importError returns why a file of folder from must not import folder to, or "".
func importError(from, to string, test bool) string {
	a, b := layerOf(from), layerOf(to)
	switch {
	case a == "":
		return fmt.Sprintf("%s belongs to no layer: add it to layers", from)
	case b == "":
		return fmt.Sprintf("%s belongs to no layer: add it to layers", to)
	case a == "queue" && b != "queue" && !(test && to == testenv):
		return "queue imports no other package, so that it could be published alone"
	case test:
		return "" // a test may need several packages
	case forTests(to) && !forTests(from):
		return "internal/testenv is for tests only"
	case a == b || layers[a]+layers[b] == 0:
		return ""
	case layers[a] < layers[b]:
		return fmt.Sprintf("imports go to lower layers only: %s is in layer %d, %s in layer %d",
			a, layers[a], b, layers[b])
	case layers[a] == layers[b]:
		return fmt.Sprintf("imports go to lower layers only: %s and %s are both in layer %d", a, b, layers[a])
	}
	return ""
}

// forTests reports whether a folder is testenv, or lies in it.
func forTests(folder string) bool {
	return folder == testenv || strings.HasPrefix(folder, testenv+"/")
}

func TestLayers(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if layerOf(src.folder) == "" {
			t.Errorf("%s: %s belongs to no layer: add it to layers", src.name, src.folder)
		}
		for _, imported := range src.imports {
			to, inside := strings.CutPrefix(imported, module+"/")
			if !inside {
				continue
			}
			if wrong := importError(src.folder, to, src.test); wrong != "" {
				t.Errorf("%s imports %s: %s", src.name, to, wrong)
			}
		}
	}
}

func TestImportError(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		from, to string
		test     bool
		wrong    bool
	}{
		{"a lower layer is allowed", "web", "tasks", false, false},
		{"several layers down is allowed", "middleware", "events", false, false},
		{"a higher layer is not", "worker", "importers", false, true},
		{"the same layer is not", "importers", "internal/review", false, true},
		{"tasks must not import events", "tasks", "events", false, true},
		{"a folder imports its subfolders", "web/api", "web", false, false},
		{"layer 0 is for all", "events", "internal/ledger", false, false},
		{"layer 0 imports itself", "internal/ledger", "deployments/migrations", false, false},
		{"layer 0 imports nothing above", "internal/blobs", "queue", false, true},
		{"commands import boot", "cmd/api", "internal/boot", false, false},
		{"web must not import boot", "web", "internal/boot", false, true},
		{"queue imports nothing, not even layer 0", "queue", "internal/blobs", false, true},
		{"nor in its tests", "queue", "worker", true, true},
		{"except servers for tests", "queue", "internal/testenv", true, false},
		{"which commands must not import", "cmd/api", "internal/testenv", false, true},
		{"tests may import the same layer", "importers", "internal/review", true, false},
		{"a new folder needs a layer", "utils", "queue", false, true},
		{"also as the imported one", "web", "common", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := importError(tt.from, tt.to, tt.test); (got != "") != tt.wrong {
				t.Errorf("importError(%s, %s) = %q, wrong = %v", tt.from, tt.to, got, tt.wrong)
			}
		})
	}
}
