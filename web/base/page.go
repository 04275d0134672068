package base

import (
	"bytes"
	"strings"
)

// Attributes are the HTML attributes that hold addresses of the service. Attributes whose names end
// with one of these are included, for example formaction.
var Attributes = []string{"href", "src", "action", "data-poll"}

// Page adds a base to each address of the service in a page. It finds addresses by their attributes.
// Templates quote each value, and html/template escapes quotes in inserted texts. Therefore, a user's text
// cannot contain an attribute.
func Page(html []byte, to string) []byte {
	if to == "" {
		return html
	}
	for _, name := range Attributes {
		html = bytes.ReplaceAll(html, []byte(name+`="/`), []byte(name+`="`+to+`/`))
	}
	return html
}

// Document replaces the server "/" in an OpenAPI document by a base. It returns the document
// unchanged if the base is empty, or if the server is not "/".
func Document(json []byte, to string) []byte {
	if to == "" {
		return json
	}
	return []byte(strings.Replace(string(json), `"servers":[{"url":"/"}]`, `"servers":[{"url":"`+to+`"}]`, 1))
}
