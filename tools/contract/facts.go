package main

import (
	"slices"
	"strings"
)

// required is the prefix of a fact about a required input.
const required = "required: "

// differences returns the facts of the old tree that the new tree lacks. For required inputs it
// returns the reverse: the facts of the new tree that the old tree lacks.
func differences(name string, before, after []string) (broken []string) {
	slices.Sort(before)
	slices.Sort(after)
	for _, fact := range before {
		if _, found := slices.BinarySearch(after, fact); !found && !strings.HasPrefix(fact, required) {
			broken = append(broken, name+": gone: "+fact)
		}
	}
	for _, fact := range after {
		if _, found := slices.BinarySearch(before, fact); !found && strings.HasPrefix(fact, required) {
			broken = append(broken, name+": new: "+fact)
		}
	}
	return broken
}

// lineFacts returns each line of a file as a fact.
func lineFacts(text []byte) ([]string, error) {
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}

// rowFacts returns a parser of Markdown tables. A fact is the first `cells` cells of a line that begins with
// `prefix`.
func rowFacts(prefix string, cells int) func([]byte) ([]string, error) {
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
