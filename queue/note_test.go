package queue

import (
	"maps"
	"testing"
)

// TestNotes_SetAndDropped_AreReturned sets, drops and reads notes.
func TestNotes_SetAndDropped_AreReturned(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		c, ctx := w.client(), t.Context()
		wants := func(want map[string]int64) {
			t.Helper()
			if got, err := c.Notes(ctx); err != nil || !maps.Equal(got, want) {
				t.Errorf("notes %v, %v, want %v", got, err, want)
			}
		}
		wants(map[string]int64{})
		for name, n := range map[string]int64{"a": 1 << 60, "b": 2} {
			if err := c.SetNote(ctx, name, n); err != nil {
				t.Fatal(err)
			}
		}
		wants(map[string]int64{"a": 1 << 60, "b": 2})
		if err := c.DropNotes(ctx, "a", "none"); err != nil {
			t.Error(err)
		}
		if err := c.DropNotes(ctx); err != nil {
			t.Error(err)
		}
		wants(map[string]int64{"b": 2})
	})
}

// TestNotes_OfAFullRedis_AreStored sets a note while Redis refuses writes that need memory.
func TestNotes_OfAFullRedis_AreStored(t *testing.T) {
	t.Parallel()
	w, fill := fullWorld(t)
	fill()
	c := w.client()
	if err := c.SetNote(t.Context(), "a", 7); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Notes(t.Context()); err != nil || got["a"] != 7 {
		t.Errorf("notes %v, %v", got, err)
	}
}
