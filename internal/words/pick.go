package words

import (
	"slices"

	"golang.org/x/text/language"
)

// Picker holds the languages from which Pick chooses. It is safe for concurrent use.
type Picker struct {
	names   []string
	matcher language.Matcher
}

// NewPicker returns a picker for the languages of the catalogue and further languages. It panics on an
// invalid language.
func NewPicker(more ...string) *Picker {
	p := &Picker{names: Languages()}
	for _, name := range more {
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	var tags []language.Tag
	for _, name := range p.names {
		tags = append(tags, language.MustParse(name))
	}
	p.matcher = language.NewMatcher(tags)
	return p
}

// maxAccept is the greatest length of a header that Pick parses, in bytes.
const maxAccept = 500

// Pick returns the best language for an Accept-Language header. It returns Default if no language
// fits, or if the header is invalid or longer than maxAccept.
func (p *Picker) Pick(accept string) string {
	if accept == "" || len(accept) > maxAccept {
		return Default
	}
	want, _, err := language.ParseAcceptLanguage(accept)
	if err != nil {
		return Default
	}
	_, i, sure := p.matcher.Match(want...)
	if sure == language.No {
		return Default
	}
	return p.names[i]
}
