//go:build all

package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// anything stands for any value in the docs and, as the last item of a list, for any further items.
const anything = "…"

// step is a block of commands with the blocks that show its output.
type step struct {
	commands string
	answers  []answer
}

type answer struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// stepsOf returns the steps of a page.
func stepsOf(page string) (steps []step) {
	for _, m := range fence.FindAllStringSubmatch(page, -1) {
		last := len(steps) - 1
		switch {
		case m[1] == "sh":
			steps = append(steps, step{commands: m[2]})
		case last >= 0 && (m[1] == "json" || m[1] == "text"):
			steps[last].answers = append(steps[last].answers, answer{m[1], m[2]})
		}
	}
	return steps
}

// differs returns the expected answers of a step that its output lacks.
func (s step) differs(printed string) (wrong []string) {
	for _, a := range s.answers {
		if a.language == "text" {
			for line := range strings.Lines(a.text) {
				if !strings.Contains(printed, strings.TrimSpace(line)) {
					wrong = append(wrong, fmt.Sprintf("the page has the line %q, printed was\n%s", line, printed))
				}
			}
			continue
		}
		var want any
		if err := json.Unmarshal([]byte(a.text), &want); err != nil {
			wrong = append(wrong, fmt.Sprintf("the page shows no JSON: %v\n%s", err, a.text))
		} else if !slices.ContainsFunc(valuesOf(printed), func(have any) bool { return within(want, have) }) {
			wrong = append(wrong, fmt.Sprintf("the page shows\n%s\nprinted was\n%s", a.text, printed))
		}
	}
	return wrong
}

// valuesOf returns the JSON values of a text: of the whole text, and of its lines.
func valuesOf(text string) (list []any) {
	for _, part := range append(strings.Split(text, "\n"), text) {
		var value any
		if json.Unmarshal([]byte(part), &value) == nil {
			list = append(list, value)
		}
	}
	return list
}

// within reports whether a value contains what the docs show. The docs may leave out members, and
// "…" stands for anything.
func within(want, have any) bool {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		for name, value := range w {
			member, there := h[name]
			ok = ok && there && within(value, member)
		}
		return ok
	case []any:
		h, ok := have.([]any)
		if n := len(w); n > 0 && w[n-1] == anything {
			w = w[:n-1]
			ok = ok && len(h) >= len(w)
		} else {
			ok = ok && len(h) == len(w)
		}
		for i := 0; ok && i < len(w); i++ {
			ok = within(w[i], h[i])
		}
		return ok
	}
	return want == anything || reflect.DeepEqual(want, have)
}

func TestDocs_Blocks_AreComparedWithWhatIsPrinted(t *testing.T) {
	t.Parallel()
	page := "```sh\necho\n```\n\n```json\n{\"a\": [1, \"…\"], \"b\": \"…\"}\n```\n\n```text\nmore\n```\n\n```sh TestOther\nls\n```\n"
	steps := stepsOf(page)
	if len(steps) != 1 || len(steps[0].answers) != 2 {
		t.Fatalf("steps: %+v", steps)
	}
	for printed, wrong := range map[string]int{
		"{\"a\":[1,2],\"b\":null,\"c\":3}\nmore text\n": 0,
		"{\"a\":[1],\"b\":{}}\n no text\n":              1,
		"{\"a\":[2],\"b\":1}\nmore\n":                   1,
		"{\"a\":[1]}\n":                                 2,
	} {
		if got := steps[0].differs(printed); len(got) != wrong {
			t.Errorf("%q: %d differences, want %d: %q", printed, len(got), wrong, got)
		}
	}
}
