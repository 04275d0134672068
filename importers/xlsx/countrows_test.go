package xlsx

import (
	"testing"
)

func TestRowBegins_AnyText_CountsEachBeginOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "w": 0, "row ": 0, "<row": 0, "<row ": 1, "<row>": 1, "<x:row r": 1, "<x:row>": 1, "<rows>": 0, "</row>": 0,
		"brow ": 0, "<row><row ": 2, "www<row >": 1, "<row/>": 0,
		"<row\t": 1, "<row\r\n": 1, "<x:row\n": 1,
	} {
		if got := rowBegins([]byte(text)); got != want {
			t.Errorf("%q: %d rows, want %d", text, got, want)
		}
	}
}
