package rowschema

import (
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/flatjson"
)

// numberFields sets the index of each field.
func (s *Schema) numberFields() {
	s.places = make(map[string]int, len(s.Fields))
	for i := range s.Fields {
		s.Fields[i].at, s.places[s.Fields[i].Name] = i, i
	}
}

// texts returns the texts of params by the index of their field. It leaves out members without a
// field.
func (s *Schema) texts(params json.RawMessage) ([]string, error) {
	out := make([]string, len(s.Fields))
	err := flatjson.Members(string(params), func(name, value string) {
		if i, ok := s.places[name]; ok {
			out[i] = value
		}
	})
	return out, err
}
