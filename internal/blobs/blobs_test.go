package blobs_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

func open(t *testing.T) (*blobs.Dir, string) {
	t.Helper()
	path := t.TempDir() + "/deep/blobs"
	d, err := blobs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, path
}

func names(t *testing.T, path string) int {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestPutAndGet(t *testing.T) {
	t.Parallel()
	d, path := open(t)
	info, err := d.Put(t.Context(), strings.NewReader("hello"), 5)
	if err != nil || info.Size != 5 ||
		info.SHA256 != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
		t.Fatalf("Put = %+v, %v", info, err)
	}
	f, err := d.Get(t.Context(), info.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); string(b) != "hello" || err != nil || f.Size != 5 {
		t.Errorf("read %q, %v, size %d", b, err, f.Size)
	}
	if err := d.Delete(t.Context(), info.ID); err != nil {
		t.Error(err)
	}
	if _, err := d.Get(t.Context(), info.ID); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("Get after Delete = %v", err)
	}
	if n := names(t, path); n != 0 {
		t.Errorf("%d files left", n)
	}
}

func TestPutLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	d, path := open(t)
	if _, err := d.Put(t.Context(), strings.NewReader("hello!"), 5); !errors.Is(err, blobs.ErrTooLarge) {
		t.Errorf("Put over the limit = %v", err)
	}
	broken := io.MultiReader(strings.NewReader("he"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := d.Put(t.Context(), broken, 5); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Put of a broken upload = %v", err)
	}
	if n := names(t, path); n != 0 {
		t.Errorf("%d files left", n)
	}
}

func TestNamesFromPeopleAreRefused(t *testing.T) {
	t.Parallel()
	d, _ := open(t)
	for _, id := range []string{"", ".", "../secret", "/etc/passwd", "a"} {
		if _, err := d.Get(t.Context(), id); !errors.Is(err, blobs.ErrNotFound) {
			t.Errorf("Get(%q) = %v", id, err)
		}
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	d, path := open(t)
	wanted, err := d.Put(t.Context(), strings.NewReader("a"), 5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Put(t.Context(), strings.NewReader("b"), 5); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{wanted.ID[:35] + "0.part", "notes.txt"} {
		if err := os.WriteFile(path+"/"+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n, err := d.Sweep(t.Context(), 0, func(id string) (bool, error) { return id == wanted.ID, nil })
	if err != nil || n != 2 || names(t, path) != 2 {
		t.Errorf("Sweep = %d, %v; %d files left", n, err, names(t, path))
	}
}
