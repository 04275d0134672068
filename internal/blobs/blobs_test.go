package blobs_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// shelf is a store, with the folder of its files.
type shelf struct {
	*testing.T
	blobs.Store
	folder string
}

// shelves lists the kinds of stores by name. `make deployments-test` adds a bucket.
var shelves = map[string]func(*testing.T) *shelf{
	"folder": func(t *testing.T) *shelf {
		path := t.TempDir() + "/deep/blobs"
		return &shelf{t, folder(t, path), path}
	},
}

// on runs a test on each kind of store.
func on(t *testing.T, story func(*shelf)) {
	t.Parallel()
	for name, empty := range shelves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(empty(t))
		})
	}
}

func folder(t *testing.T, path string) *blobs.Dir {
	t.Helper()
	d, err := blobs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// left returns the number of files, including temporary ones.
func (s *shelf) left() (n int) {
	s.Helper()
	err := filepath.WalkDir(s.folder, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return n
}

func (s *shelf) put(text string) blobs.Info {
	s.Helper()
	info, err := s.Put(s.Context(), strings.NewReader(text), 1<<30)
	if err != nil {
		s.Fatal(err)
	}
	return info
}

func TestPutAndGet(t *testing.T) {
	on(t, func(s *shelf) {
		info := s.put("hello")
		if info.Size != 5 ||
			info.SHA256 != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
			s.Fatalf("Put = %+v", info)
		}
		f, err := s.Get(s.Context(), info.ID)
		if err != nil {
			s.Fatal(err)
		}
		defer f.Close()
		if b, err := io.ReadAll(f); string(b) != "hello" || err != nil || f.Size != 5 {
			s.Errorf("read %q, %v, size %d", b, err, f.Size)
		}
		for range 2 { // the deletion of a missing file is no error
			if err := s.Delete(s.Context(), info.ID); err != nil {
				s.Error(err)
			}
		}
		if _, err := s.Get(s.Context(), info.ID); !errors.Is(err, blobs.ErrNotFound) {
			s.Errorf("Get after Delete = %v", err)
		}
		if n := s.left(); n != 0 {
			s.Errorf("%d files left", n)
		}
	})
}

// TestALargeFile reads a file from any offset, whether it was stored in parts or not.
func TestALargeFile(t *testing.T) {
	on(t, func(s *shelf) {
		text := strings.Repeat("0123456789abcdef", 9<<20/16)
		f, err := s.Get(s.Context(), s.put(text).ID)
		if err != nil {
			s.Fatal(err)
		}
		defer f.Close()
		if b, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size)); err != nil || string(b) != text {
			s.Errorf("by place there are %d bytes, %v", len(b), err)
		}
		for _, from := range []int64{8 << 20, 3, 9<<20 - 1} {
			b := make([]byte, 1)
			if _, err := f.Seek(from, io.SeekStart); err != nil {
				s.Fatal(err)
			}
			if _, err := io.ReadFull(f, b); err != nil || b[0] != text[from] {
				s.Errorf("at %d there is %q, %v", from, b, err)
			}
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			s.Fatal(err)
		}
		if b, err := io.ReadAll(f); err != nil || string(b) != text {
			s.Errorf("from the start there are %d bytes, %v", len(b), err)
		}
	})
}

func TestPutLeavesNothingBehind(t *testing.T) {
	on(t, func(s *shelf) {
		long := strings.Repeat("x", 9<<20) // more than one part
		if _, err := s.Put(s.Context(), strings.NewReader(long), 9<<20-1); !errors.Is(err, blobs.ErrTooLarge) {
			s.Errorf("Put over the limit = %v", err)
		}
		broken := io.MultiReader(strings.NewReader(long), iotest.ErrReader(io.ErrUnexpectedEOF))
		if _, err := s.Put(s.Context(), broken, 1<<30); !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, blobs.ErrStorage) {
			s.Errorf("Put of a broken upload = %v", err)
		}
		gone, cancel := context.WithCancel(s.Context())
		cancel()
		if _, err := s.Put(gone, strings.NewReader("x"), 5); err == nil {
			s.Error("Put for who has gone")
		}
		if n := s.left(); n != 0 {
			s.Errorf("%d files left", n)
		}
	})
}

func TestNamesFromPeopleAreRefused(t *testing.T) {
	on(t, func(s *shelf) {
		for _, id := range []string{"", ".", "../secret", "/etc/passwd", "a"} {
			if _, err := s.Get(s.Context(), id); !errors.Is(err, blobs.ErrNotFound) {
				s.Errorf("Get(%q) = %v", id, err)
			}
		}
	})
}

// TestSweep_ForeignFiles_AreKept: the names have forms that uuid.Parse accepts, but Put never makes them.
func TestSweep_ForeignFiles_AreKept(t *testing.T) {
	on(t, func(s *shelf) {
		const id = "0192b7e4-89ab-7cde-8123-456789abcdef"
		names := []string{
			"d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e.part",
			"{" + id + "}", "urn:uuid:" + id, strings.ToUpper(id), id + ".PART",
		}
		for _, name := range names {
			if err := os.WriteFile(s.folder+"/"+name, nil, 0o600); err != nil {
				s.Fatal(err)
			}
			if f, err := s.Get(s.Context(), name); !errors.Is(err, blobs.ErrNotFound) {
				s.Errorf("Get(%s) = %v, %v, want %v", name, f, err, blobs.ErrNotFound)
			}
			if err := s.Delete(s.Context(), name); !errors.Is(err, blobs.ErrNotFound) {
				s.Errorf("Delete(%s) = %v, want %v", name, err, blobs.ErrNotFound)
			}
		}
		n, err := s.Sweep(s.Context(), 0, func(string) (bool, error) { return false, nil })
		if err != nil || n != 0 || s.left() != len(names) {
			s.Errorf("Sweep = %d, %v; %d of %d files left", n, err, s.left(), len(names))
		}
	})
}

func TestSweep(t *testing.T) {
	on(t, func(s *shelf) {
		wanted := s.put("a")
		s.put("b")
		if err := os.WriteFile(s.folder+"/notes.txt", nil, 0o600); err != nil {
			s.Fatal(err)
		}
		swept := 1
		if _, ok := s.Store.(*blobs.Dir); ok { // an aborted upload
			swept++
			if err := os.WriteFile(s.folder+"/"+wanted.ID[:35]+"0.part", nil, 0o600); err != nil {
				s.Fatal(err)
			}
		}
		n, err := s.Sweep(s.Context(), 0, func(id string) (bool, error) { return id == wanted.ID, nil })
		if err != nil || n != swept || s.left() != 2 {
			s.Errorf("Sweep = %d, %v; %d files left", n, err, s.left())
		}
	})
}
