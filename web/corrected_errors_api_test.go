package web_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/view"
)

// TestErrors_CorrectedRow_HasItsStateAndNoMessage: a corrected row keeps the code and the column of its cause, which
// the causes count. Its former fault is in no list of errors.
func TestErrors_CorrectedRow_HasItsStateAndNoMessage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", heads+"A,n,one,Acme\nB,n,two,Acme\n", "")
	l.split()
	l.review(id, "repair", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`).is(http.StatusOK)
	l.review(id, "skip", `{"ids":["`+id+`.2"]}`).is(http.StatusOK)
	for _, path := range []string{"", "/errors"} {
		var out struct{ Errors, Items []view.RowError }
		if err := json.Unmarshal([]byte(l.look("/api/v1/tasks/"+id+path).body), &out); err != nil {
			t.Fatal(err)
		}
		list := append(out.Errors, out.Items...)
		if len(list) != 2 {
			t.Fatalf("%q has %d rows", path, len(list))
		}
		a, b := list[0], list[1]
		if a.Resolution != "fixed" || textutil.Deref(a.Code) != "INVALID_NUMBER" || textutil.Deref(a.Column) != "Price" ||
			a.Value != nil || a.Message != nil || a.Hint != nil {
			t.Errorf("%q: the corrected row is %+v", path, a)
		}
		if b.Resolution != "skipped" || textutil.Deref(b.Message) != `Price: "two" is not a number` {
			t.Errorf("%q: the skipped row is %+v", path, b)
		}
	}
}
