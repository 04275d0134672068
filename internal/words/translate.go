package words

import (
	"regexp"
	"strings"
	"sync"
)

// sentence holds a pattern that matches the English sentence of a text key. The groups of the pattern
// are the values of the placeholders.
type sentence struct {
	key     string
	names   []string
	pattern *regexp.Regexp
}

// sentences returns the patterns of all text keys with a prefix.
var sentences = func() func(prefix string) []sentence {
	var known sync.Map
	return func(prefix string) []sentence {
		if list, ok := known.Load(prefix); ok {
			return list.([]sentence)
		}
		var list []sentence
		for _, key := range Keys(prefix) {
			list = append(list, sentenceOf(key))
		}
		known.Store(prefix, list)
		return list
	}
}()

func sentenceOf(key string) sentence {
	out, pattern, text := sentence{key: key}, strings.Builder{}, catalogue[Default][key]
	for {
		before, h, after, more := cut(text)
		pattern.WriteString(regexp.QuoteMeta(before))
		if !more {
			out.pattern = regexp.MustCompile("(?s)^" + pattern.String() + "$")
			return out
		}
		out.names = append(out.names, h.name)
		pattern.WriteString("(.+?)")
		text = after
	}
}

// KeyOf returns the text key, with the given prefix, whose English sentence matches a text. It returns ""
// if no sentence matches.
func KeyOf(prefix, english string) string {
	for _, s := range sentences(prefix) {
		if s.pattern.MatchString(english) {
			return s.key
		}
	}
	return ""
}

// Translate translates an English sentence, with its values, to another language. It finds the text
// key of the sentence among the text keys with the given prefix. It returns a sentence without a text
// key, or with a choice by number, unchanged.
func Translate(lang, prefix, english string) string {
	if lang == Default {
		return english
	}
	for _, s := range sentences(prefix) {
		values := s.pattern.FindStringSubmatch(english)
		if values == nil {
			continue
		}
		args := map[string]string{}
		for i, name := range s.names {
			args[name] = values[i+1]
		}
		if text, ok := Say(lang, s.key, args); ok {
			return text
		}
	}
	return english
}
