package housetest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the floors into .golangci.yml")

// guard is one rule of depguard: what files may not import.
type guard struct {
	name  string
	files []string // globs; those with "!" leave out
	deny  [][2]string
	allow []string // longer than what it is allowed in spite of
}

// under is all that lies in a folder of the house.
func under(room string) string { return "${base-path}/" + room + "/**" }

// guards are the floors and the libraries as rules of depguard.
func guards() []guard {
	out := []guard{{
		name: "testenv", files: []string{"$all", "!$test", "!" + under(testenv)},
		deny: [][2]string{{pkgOf(testenv), "internal/testenv is for tests alone"}},
	}, {
		name: "queue in tests", files: []string{"${base-path}/queue/**_test.go"},
		deny: [][2]string{{module, "queue knows no other room"}}, allow: []string{pkgOf("queue"), pkgOf(testenv)},
	}}
	rooms := slices.Sorted(maps.Keys(floors))
	for _, room := range rooms {
		g := guard{name: room, files: []string{under(room), "!$test"}}
		for _, other := range rooms {
			if strings.HasPrefix(other, room+"/") {
				g.files = append(g.files, "!"+under(other))
			}
			if wrong := crossing(room, other, false); wrong != "" && room != "queue" {
				g.deny = append(g.deny, denied(other, wrong)...)
			}
		}
		if room == "queue" {
			g.deny, g.allow = [][2]string{{module, "queue knows no other room"}}, []string{pkgOf("queue")}
		}
		if len(g.deny) > 0 {
			out = append(out, g)
		}
	}
	for _, l := range libraries { // a point in a name would be taken for a path in the file
		g := guard{name: strings.ReplaceAll(l.prefix, ".", "-"), files: []string{"$all", "!$test"}}
		for _, room := range l.rooms {
			g.files = append(g.files, "!"+under(room))
		}
		why := strings.Join(l.rooms, ", ") + " alone may know it"
		if len(l.rooms) == 0 {
			why = "tests alone may know it"
		}
		g.deny = [][2]string{{l.prefix, why}}
		out = append(out, g)
	}
	return out
}

// pkgOf is the import path of a room.
func pkgOf(room string) string { return module + "/" + room }

// denied is a room as depguard is told of it, which takes a name for all that begins
// with it.
func denied(room, why string) [][2]string {
	for other := range floors {
		if strings.HasPrefix(other, room) && other != room && other[len(room)] != '/' {
			return [][2]string{{pkgOf(room) + "$", why}, {pkgOf(room) + "/", why}}
		}
	}
	return [][2]string{{pkgOf(room), why}}
}

// String is a rule as it stands in .golangci.yml.
func (g guard) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "        %q:\n          list-mode: lax\n          files:\n", g.name)
	for _, f := range g.files {
		fmt.Fprintf(&b, "            - %q\n", f)
	}
	if len(g.allow) > 0 {
		b.WriteString("          allow:\n")
	}
	for _, a := range g.allow {
		fmt.Fprintf(&b, "            - %q\n", a)
	}
	b.WriteString("          deny:\n")
	for _, d := range g.deny {
		fmt.Fprintf(&b, "            - {pkg: %q, desc: %q}\n", d[0], d[1])
	}
	return b.String()
}

// TestGolangciKnowsTheFloors: what it holds files to is what stands here, with what a
// file may import and what not.
func TestGolangciKnowsTheFloors(t *testing.T) {
	t.Parallel()
	const name, begin = "../../.golangci.yml", "      rules:\n"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rules, ok := strings.Cut(string(text), begin)
	if !ok {
		t.Fatalf("%s has no rules", name)
	}
	var want strings.Builder
	for _, g := range guards() {
		want.WriteString(g.String())
	}
	if rules == want.String() {
		return
	}
	if !*update {
		t.Fatalf("%s has other floors than this package: go test ./internal/housetest -update", name)
	}
	if err := os.WriteFile(name, []byte(head+begin+want.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
