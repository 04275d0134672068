package web

import (
	_ "embed" // the examples
	"encoding/json"
	"fmt"
	"maps"
)

// examplesText holds a request and its answer for each operation, as a test has recorded them.
//
//go:embed examples.json
var examplesText []byte

// example is a request and its answer.
type example struct {
	Request string `json:"request"` // the first line, and a body that is not JSON behind an empty line
	Status  string `json:"status"`
	Media   string `json:"media,omitempty"`
	Answer  any    `json:"answer,omitempty"`
}

// addExamples puts the examples into a document: the answer into its response, the request beside it.
func addExamples(doc map[string]any) error {
	var list map[string]example
	if err := json.Unmarshal(examplesText, &list); err != nil {
		return fmt.Errorf("web: examples.json: %w", err)
	}
	paths, _ := doc["paths"].(map[string]any)
	for _, item := range paths {
		operations, _ := item.(map[string]any)
		for _, op := range operations {
			def, _ := op.(map[string]any)
			name, _ := def["operationId"].(string)
			if one, ok := list[name]; ok {
				def["x-example-request"] = one.Request
				one.addTo(def)
			}
		}
	}
	return nil
}

// addTo puts the answer into an operation whose response has that media type.
func (e example) addTo(def map[string]any) {
	responses, _ := def["responses"].(map[string]any)
	response, _ := responses[e.Status].(map[string]any)
	content, _ := response["content"].(map[string]any)
	media, ok := content[e.Media].(map[string]any)
	if !ok || e.Answer == nil {
		return
	}
	// Anchors of the text may share these maps with other operations.
	content = with(content, e.Media, with(media, "example", e.Answer))
	def["responses"] = with(responses, e.Status, with(response, "content", content))
}

// with returns a copy of a map with another value.
func with(from map[string]any, name string, value any) map[string]any {
	out := maps.Clone(from)
	out[name] = value
	return out
}
