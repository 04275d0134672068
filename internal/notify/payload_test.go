package notify

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write testdata/payload.txt anew")

// membersOf returns the members of the JSON of a type, with the kinds of their values.
func membersOf(of reflect.Type, path string) (list []string) {
	switch {
	case of == reflect.TypeFor[time.Time]() || of.Kind() == reflect.String:
		return []string{path + " text"}
	case of.Kind() == reflect.Pointer:
		return membersOf(of.Elem(), path)
	case of.Kind() == reflect.Slice || of.Kind() == reflect.Map:
		return membersOf(of.Elem(), path+"[]")
	case of.Kind() != reflect.Struct:
		return []string{path + " " + of.Kind().String()}
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			list = append(list, membersOf(f.Type, path)...)
		case name != "-" && f.IsExported():
			list = append(list, membersOf(f.Type, strings.TrimPrefix(path+"."+name, "."))...)
		}
	}
	return list
}

// TestPayload_Members_AreThoseOfTheContract compares the body of a webhook with testdata/payload.txt, which
// scripts/contract.sh compares with the last tag.
func TestPayload_Members_AreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	members := membersOf(reflect.TypeFor[payload](), "")
	slices.Sort(members)
	want := strings.Join(members, "\n") + "\n"
	const name = "testdata/payload.txt"
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s is not the body of a webhook: run go test ./internal/notify -run Payload -update (%v)", name, err)
	}
}
