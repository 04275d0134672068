package events

import "testing"

// TestIsFault_NotesOfAllVersions also reads notes that were written before migration 00024.
func TestIsFault_NotesOfAllVersions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		note Note
		want bool
	}{
		"the end of an attempt with a fault":  {Note{Status: Error, Text: "dial", Worker: "w", Ended: &Ending{Type: "net.Error"}}, true},
		"a fault before 00024":                {Note{Status: Error, Text: "dial", Worker: "w"}, true},
		"a panic before 00024":                {Note{Status: Error, Text: "dial", Worker: "w", Stack: "main.go:1"}, true},
		"the end of an attempt that finished": {Note{Status: Finish, Worker: "w", Ended: &Ending{Outcome: Finished}}, false},
		"a line of a handler":                 {Note{Status: Working, Text: "sent", Worker: "w"}, false},
		"a person, of a row in error":         {Note{Status: Error, Text: "skipped by ann"}, false},
	} {
		if got := tt.note.IsFault(); got != tt.want {
			t.Errorf("%s: IsFault = %v", name, got)
		}
	}
}
