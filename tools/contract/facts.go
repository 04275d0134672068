package main

import (
	"slices"
	"strings"
)

// required begins a fact about an input that was optional before.
const required = "required: "

// differences returns the removed facts and the new requirements.
func differences(name string, was, is []string) (broken []string) {
	slices.Sort(was)
	slices.Sort(is)
	for _, fact := range was {
		if _, found := slices.BinarySearch(is, fact); !found && !strings.HasPrefix(fact, required) {
			broken = append(broken, name+": gone: "+fact)
		}
	}
	for _, fact := range is {
		if _, found := slices.BinarySearch(was, fact); !found && strings.HasPrefix(fact, required) {
			broken = append(broken, name+": new: "+fact)
		}
	}
	return broken
}

// lines takes each line of a file as a fact.
func lines(text []byte) ([]string, error) {
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}

// rows takes the first cells of each row of a table that begins with a prefix as a fact.
func rows(prefix string, cells int) func([]byte) ([]string, error) {
	return func(text []byte) (facts []string, err error) {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, prefix) {
				parts := strings.Split(line, "|")
				facts = append(facts, strings.TrimSpace(strings.Join(parts[1:min(cells+1, len(parts))], "|")))
			}
		}
		return facts, nil
	}
}
