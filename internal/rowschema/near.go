package rowschema

import (
	"slices"
	"strings"
)

// Near suggests fields for headings without a field, from the fields without a heading. Required fields
// come first. The result maps headings to field names. It is only a suggestion for a mapping.
func (s *Schema) Near(headings []string, m Matching) map[string]string {
	var free []string
	fed := map[*Field]bool{}
	for i, h := range headings {
		if m.Fields[i] == nil {
			free = append(free, h)
		} else {
			fed[m.Fields[i]] = true
		}
	}
	out := map[string]string{}
	for _, required := range []bool{true, false} {
		for i := range s.Fields {
			f := &s.Fields[i]
			if fed[f] || f.Required != required {
				continue
			}
			if h := f.nearest(free); h != "" {
				out[h] = f.Name
				free = slices.DeleteFunc(free, func(other string) bool { return other == h })
			}
		}
	}
	return out
}

// nearest returns the heading that differs least from the name or an alias; "" if none is near.
func (f *Field) nearest(headings []string) string {
	best, least := "", 0
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		h := Nearest(name, headings)
		if h == "" {
			continue
		}
		if d := distance(normalize(name), normalize(h)); best == "" || d < least {
			best, least = h, d
		}
	}
	return best
}

// Nearest returns the text that differs least from `name`; "" if no text is near. A near text
// differs in at most two letters or, if that is more, a third of the letters of the name. It never
// differs in all letters of the name.
func Nearest(name string, list []string) string {
	name = normalize(name)
	n := len([]rune(name))
	best, most := "", min(max(2, n/3), n-1)+1
	for _, text := range list {
		if d := distance(name, normalize(text)); strings.TrimSpace(text) != "" && d < most {
			best, most = text, d
		}
	}
	return best
}

// distance returns how many letters must be changed, added or removed to turn a into b.
func distance(a, b string) int {
	as, bs := []rune(a), []rune(b)
	row := make([]int, len(bs)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range as {
		left := row[0] // of the row above
		row[0] = i + 1
		for j, rb := range bs {
			above := row[j+1]
			change := left
			if ra != rb {
				change++
			}
			row[j+1] = min(change, above+1, row[j]+1)
			left = above
		}
	}
	return row[len(bs)]
}

// Distance returns how many letters must be changed, added or removed to turn one text into the
// other. Case, spaces and punctuation do not count.
func Distance(a, b string) int { return distance(normalize(a), normalize(b)) }
