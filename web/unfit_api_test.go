package web_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// voter is a row without a required column.
type voter struct {
	District string `row:"District"`
	Votes    int    `row:"Votes"`
}

// TestUpload_FileThatFeedsNothing_IsRefused tests a file whose rows would all be empty, an option that has no
// meaning for the file, and a first row beyond all limits.
func TestUpload_FileThatFeedsNothing_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("voters.import",
			func(context.Context, *worker.Job[voter]) error { return nil })))
	})
	post := func(name, content, options string) reply {
		return l.postForm(field("kind", "voters.import"), field("options", options), file(name, content))
	}
	post("a.csv", "Foo,Bar\n1,2\n", "").refuses(422, "NO_KNOWN_COLUMN", "District, Votes")
	post("a.json", `[{"District":"N"}]`, `{"header_row":2}`).refuses(422, "OPTION_UNFIT", "header_row")
	post("a.json", `[{"District":"`+strings.Repeat("N", 3<<20)+`"}]`, "").refuses(422, "ROW_TOO_LARGE", "first row")
	l.nothingLeft()
}
