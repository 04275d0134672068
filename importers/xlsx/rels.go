package xlsx

import (
	"net/url"
	"path"
	"strings"
)

// relation is one entry of a relationships part, which lists the parts to which another part refers.
type relation struct {
	kind   string // the last word of its type, such as "worksheet"
	target string // name of the target part
}

// relations reads the relationships of a part, except those to external targets. The argument
// `source` is the name of the part, or "" for the container itself.
func (c *Container) relations(source string) (map[string]relation, error) {
	dir, file := path.Split(source)
	x, err := c.open(dir + "_rels/" + file + ".rels")
	if err != nil {
		return nil, err
	}
	if err := x.enter("Relationships"); err != nil {
		return nil, err
	}
	rels := map[string]relation{}
	for {
		switch tok, err := x.next(); {
		case err != nil:
			return nil, err
		case tok == tokenEOF:
			return rels, nil
		case tok == tokenStart && string(local(x.name)) == "Relationship":
			if len(rels) == c.limit.Entries {
				return nil, tooManyEntries(c.inWords(), c.limit)
			}
			if !strings.EqualFold(x.attr("TargetMode"), "External") {
				kind := path.Base(x.attr("Type"))
				rels[x.attr("Id")] = relation{kind, c.resolve(dir, x.attr("Target"))}
			}
		}
	}
}

// resolve returns the name of the part to which a target refers. A target without a leading slash is
// relative to the folder `dir`. If the container lacks the part, resolve also tries the target with its
// percent encoding decoded.
func (c *Container) resolve(dir, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	name := strings.TrimPrefix(path.Clean(target), "/")
	if c.Has(name) {
		return name
	}
	if plain, err := url.PathUnescape(name); err == nil && c.Has(plain) {
		return plain
	}
	return name
}

// first returns the target of a relation of the given type; "" if there is none. If there are several,
// it returns any of them.
func first(rels map[string]relation, kind string) string {
	for _, r := range rels {
		if r.kind == kind {
			return r.target
		}
	}
	return ""
}
