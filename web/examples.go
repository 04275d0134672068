package web

import (
	_ "embed" // the examples
	"encoding/json"
	"fmt"
	"maps"
)

// examplesText holds example requests and their responses, by operation. A test records them from the
// running service.
//
//go:embed examples.json
var examplesText []byte

// example is a request and its response.
type example struct {
	Request string `json:"request"` // method and target; a body follows after an empty line
	Status  string `json:"status"`
	Media   string `json:"media,omitempty"`
	Answer  any    `json:"answer,omitempty"`
}

// addExamples adds the recorded example requests and responses to the operations of an OpenAPI document.
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

// addTo adds the recorded response to the documented response with the same status. It does nothing if
// the documented response lacks the media type, or if the recorded response has no body.
func (e example) addTo(def map[string]any) {
	responses, _ := def["responses"].(map[string]any)
	response, _ := responses[e.Status].(map[string]any)
	content, _ := response["content"].(map[string]any)
	media, ok := content[e.Media].(map[string]any)
	if !ok || e.Answer == nil {
		return
	}
	// With anchors in openapi.yaml, operations may share these maps, so addTo changes copies.
	content = withEntry(content, e.Media, withEntry(media, "example", e.Answer))
	def["responses"] = withEntry(responses, e.Status, withEntry(response, "content", content))
}

// withEntry returns a copy of a map with one entry added or replaced.
func withEntry(from map[string]any, name string, value any) map[string]any {
	out := maps.Clone(from)
	out[name] = value
	return out
}
