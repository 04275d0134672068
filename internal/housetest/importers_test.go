package housetest

import (
	"slices"
	"strings"
	"testing"
)

// readers lists the packages below importers, from the lowest layer on, with the packages of this
// module that each may import. Package tabular, with xlsx, could be published alone.
var readers = map[string][]string{
	"importers/tabular":    nil,
	"importers/xlsx":       {"importers/tabular"},
	"importers/textfile":   {"importers/tabular", "internal/words"},
	"importers/jsonrows":   {"importers/tabular", "internal/jobs", "internal/rowschema", "events", "internal/textutil"},
	"importers/resultfile": {"importers/tabular", "internal/table"},
	"importers/source": {
		"importers/tabular", "importers/xlsx", "importers/textfile", "importers/jsonrows", "importers/resultfile",
		"internal/table", "internal/words",
	},
	"importers/drafts": {
		"importers/tabular", "importers/jsonrows", "internal/jobs", "internal/rowschema", "events", "tasks", "internal/flatjson", "internal/textutil",
	},
	"importers/results": {
		"importers/tabular", "importers/textfile", "importers/jsonrows", "importers/resultfile", "importers/drafts",
		"internal/jobs", "internal/rowschema", "events", "tasks", "internal/table", "internal/flatjson", "internal/textutil",
	},
	"importers/corrections": {
		"importers/tabular", "importers/jsonrows", "importers/resultfile", "importers/source", "importers/drafts",
		"importers/results", "internal/jobs", "internal/rowschema", "events", "tasks", "internal/table", "internal/textutil",
	},
}

func TestPackagesOfImporters_Imports_AreAllowed(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if src.test || !strings.HasPrefix(src.folder, "importers/") {
			continue
		}
		allowed, ok := readers[src.folder]
		if !ok {
			t.Errorf("%s: add %s to readers", src.name, src.folder)
		}
		for _, imported := range src.imports {
			to, inside := strings.CutPrefix(imported, module+"/")
			if inside && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s, which readers does not allow", src.name, to)
			}
		}
	}
}
