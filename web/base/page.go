package base

import (
	"bytes"
	"strings"
)

// Attributes are the attributes of pages that hold addresses of the service. Attributes whose names
// end like one of them are included, for example formaction.
var Attributes = []string{"href", "src", "action", "data-poll"}

// Page returns a page with a base before each address of the service. Templates quote each value, and
// html/template escapes quotes in inserted texts. So no text of a user looks like an attribute.
func Page(html []byte, to string) []byte {
	if to == "" {
		return html
	}
	for _, name := range Attributes {
		html = bytes.ReplaceAll(html, []byte(name+`="/`), []byte(name+`="`+to+`/`))
	}
	return html
}

// Document returns an OpenAPI document in JSON whose server is the base.
func Document(json []byte, to string) []byte {
	if to == "" {
		return json
	}
	return []byte(strings.Replace(string(json), `"servers":[{"url":"/"}]`, `"servers":[{"url":"`+to+`"}]`, 1))
}
