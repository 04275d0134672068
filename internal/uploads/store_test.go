package uploads_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }

type bench struct {
	*testing.T
	db    *ledger.DB
	files *blobs.Dir
	store *uploads.Store
	now   time.Time
}

// on runs a test on SQLite and on Postgres.
func on(t *testing.T, test func(b *bench)) {
	t.Helper()
	ledgers.Each(t, func(t *testing.T, url string) {
		b := &bench{T: t, now: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)}
		var err error
		b.db, err = ledger.Open(t.Context(), url, ledger.Options{})
		b.fine(err)
		t.Cleanup(func() { _ = b.db.Close() })
		b.files, err = blobs.Open(t.TempDir())
		b.fine(err)
		t.Cleanup(func() { _ = b.files.Close() })
		b.store = uploads.New(b.db, b.files, uploads.Options{Most: 3, Now: func() time.Time { return b.now }})
		test(b)
	})
}

func (b *bench) fine(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) begin(size int64) *uploads.Upload {
	b.Helper()
	u := &uploads.Upload{Tenant: "acme", MadeBy: "ann", Name: "a.csv", Size: size}
	b.fine(b.store.Create(b.Context(), u))
	return u
}

// left returns the number of blobs.
func (b *bench) left() (n int) {
	b.Helper()
	_, err := b.files.Sweep(b.Context(), 0, func(string) (bool, error) { n++; return true, nil })
	b.fine(err)
	return n
}

// start accepts an upload for a task.
func (b *bench) start(id string) error {
	return b.db.InTx(b.Context(), func(tx ledger.Tx) error { return b.store.Start(b.Context(), tx, id) })
}

// breaks is a connection that breaks after some bytes.
type breaks struct{ io.Reader }

var errBroken = errors.New("connection reset")

func (r breaks) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errBroken
	}
	return n, err
}

// content returns bytes that fill more than two parts.
func content() []byte {
	return bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16+7)
}

// TestAppend_ConnectionBreaks_KeepsWhatArrived: the file is complete after broken connections. The
// stored upload has the right number of bytes after each of them.
func TestAppend_ConnectionBreaks_KeepsWhatArrived(t *testing.T) {
	on(t, func(b *bench) {
		text := content()
		u := b.begin(int64(len(text)))
		for _, tt := range []struct{ end, stored int }{
			{100, 0},
			{uploads.MinPart, uploads.MinPart},
			{9 << 20, 9 << 20},
			{9<<20 + 1, 9 << 20},
		} {
			got, err := b.store.Append(b.Context(), u, u.Received, breaks{bytes.NewReader(text[u.Received:tt.end])})
			if got != int64(tt.stored) || !errors.Is(err, errBroken) {
				b.Fatalf("%d bytes are stored, %v; want %d", got, err, tt.stored)
			}
			u, err = uploads.New(b.db, b.files, uploads.Options{Now: func() time.Time { return b.now }}).Get(b.Context(), "acme", u.ID)
			b.fine(err)
			if u.Received != int64(tt.stored) {
				b.Fatalf("the upload has %d bytes, want %d", u.Received, tt.stored)
			}
		}
		if err := b.store.File(b.Context(), u); !errors.Is(err, uploads.ErrIncomplete) {
			b.Errorf("File of half an upload = %v", err)
		}
		_, err := b.store.Append(b.Context(), u, u.Received, bytes.NewReader(text[u.Received:]))
		b.fine(err)
		twin, err := b.store.Get(b.Context(), "acme", u.ID)
		b.fine(err)
		b.fine(b.store.File(b.Context(), u))
		b.fine(b.store.File(b.Context(), twin))
		sum := sha256.Sum256(text)
		if u.File.SHA256 != hex.EncodeToString(sum[:]) || u.File.Size != int64(len(text)) || twin.File.ID != u.File.ID {
			b.Errorf("the file is %+v and %+v", u.File, twin.File)
		}
		if n := b.left(); n != 1 {
			b.Errorf("%d blobs are left, want the file", n)
		}
	})
}

// TestAppend_TwoAtOnePlace_OneWrites: of two requests for one position, the later changes nothing.
func TestAppend_TwoAtOnePlace_OneWrites(t *testing.T) {
	on(t, func(b *bench) {
		first := strings.Repeat("0", uploads.MinPart)
		u := b.begin(uploads.MinPart + 5)
		twin := *u
		_, err := b.store.Append(b.Context(), u, 0, strings.NewReader(first))
		b.fine(err)
		if _, err = b.store.Append(b.Context(), &twin, 0, strings.NewReader(strings.Repeat("a", uploads.MinPart))); !errors.Is(err, uploads.ErrOffset) {
			b.Errorf("the second Append = %v, want ErrOffset", err)
		}
		if _, err = b.store.Append(b.Context(), u, uploads.MinPart, strings.NewReader("56789x")); !errors.Is(err, blobs.ErrTooLarge) {
			b.Errorf("more bytes than the size = %v, want ErrTooLarge", err)
		}
		b.fine(b.store.File(b.Context(), u))
		f, err := b.files.Get(b.Context(), u.File.ID)
		b.fine(err)
		defer f.Close()
		text, err := io.ReadAll(f)
		if string(text) != first+"56789" {
			b.Errorf("the file has %d bytes, %v", len(text), err)
		}
	})
}

// TestAppend_SmallParts_AreRefusedOrJoined: only the last part of a file may be small, and the
// bytes that a request has after a full part belong to that part.
func TestAppend_SmallParts_AreRefusedOrJoined(t *testing.T) {
	on(t, func(b *bench) {
		text := content()
		u := b.begin(int64(len(text)))
		for _, n := range []int{1, uploads.MinPart - 1} {
			if at, err := b.store.Append(b.Context(), u, 0, bytes.NewReader(text[:n])); at != 0 || !errors.Is(err, uploads.ErrPartTooSmall) {
				b.Errorf("a part of %d bytes = %d, %v; want ErrPartTooSmall", n, at, err)
			}
		}
		const odd = 8<<20 + 10
		if at, err := b.store.Append(b.Context(), u, 0, bytes.NewReader(text[:odd])); at != odd || err != nil {
			b.Errorf("%d bytes are stored, %v; want %d", at, err, odd)
		}
		_, err := b.store.Append(b.Context(), u, odd, bytes.NewReader(text[odd:len(text)-1]))
		b.fine(err)
		_, err = b.store.Append(b.Context(), u, u.Received, bytes.NewReader(text[len(text)-1:]))
		b.fine(err)
		if n := b.left(); n != 4 {
			b.Errorf("%d parts, want 4", n)
		}
		b.fine(b.store.File(b.Context(), u))
		if sum := sha256.Sum256(text); u.File.SHA256 != hex.EncodeToString(sum[:]) {
			b.Error("the file is another one")
		}
	})
}

func TestExpire_OldUploads_AreDeletedWithTheirBytesUnlessATaskHasThem(t *testing.T) {
	on(t, func(b *bench) {
		half, whole, taken := b.begin(2*uploads.MinPart), b.begin(5), b.begin(5)
		if err := b.store.Create(b.Context(), &uploads.Upload{Tenant: "acme", Size: 1}); !errors.Is(err, uploads.ErrTooMany) {
			b.Errorf("a fourth upload = %v, want ErrTooMany", err)
		}
		for _, u := range []*uploads.Upload{half, whole, taken} {
			_, err := b.store.Append(context.Background(), u, 0, strings.NewReader(strings.Repeat("0", int(min(u.Size, uploads.MinPart)))))
			b.fine(err)
		}
		b.fine(b.store.File(b.Context(), taken))
		b.fine(b.db.Write.Exec("INSERT INTO rollcall.tasks (id, tenant, kind, type, status, file_id, created_at) VALUES ('1', 'acme', 'k', 'import', 'open', ?, 1)",
			taken.File.ID).Error)
		b.fine(b.start(taken.ID))
		b.begin(1)
		b.now = b.now.Add(13 * time.Hour)
		if n, err := b.store.Expire(b.Context(), 10); n != 4 || err != nil {
			b.Errorf("Expire = %d, %v", n, err)
		}
		if n := b.left(); n != 1 {
			b.Errorf("%d blobs are left, want that of the task", n)
		}
		if _, err := b.store.Get(b.Context(), "acme", half.ID); !errors.Is(err, uploads.ErrNotFound) {
			b.Errorf("Get = %v", err)
		}
	})
}

// TestDelete_TaskIsBeingAdded_KeepsTheFile: DELETE and expiry wait for a transaction that adds a task
// with the file, and leave the file to the task.
func TestDelete_TaskIsBeingAdded_KeepsTheFile(t *testing.T) {
	on(t, func(b *bench) {
		for name, remove := range map[string]func(u *uploads.Upload) error{
			"delete": func(u *uploads.Upload) error { return b.store.Delete(b.Context(), "acme", u.ID) },
			"expire": func(*uploads.Upload) error {
				later := uploads.New(b.db, b.files, uploads.Options{Now: func() time.Time { return b.now.Add(13 * time.Hour) }})
				_, err := later.Expire(b.Context(), 10)
				return err
			},
		} {
			before, u, removed := b.left(), b.begin(5), make(chan error, 1)
			_, err := b.store.Append(b.Context(), u, 0, strings.NewReader("01234"))
			b.fine(err)
			b.fine(b.store.File(b.Context(), u))
			b.fine(b.db.InTx(b.Context(), func(tx ledger.Tx) error {
				if err := b.store.Start(b.Context(), tx, u.ID); err != nil {
					return err
				}
				go func() { removed <- remove(u) }()
				time.Sleep(100 * time.Millisecond) // time in which a wrong remove would delete the file
				return nil
			}))
			b.fine(<-removed)
			if n := b.left(); n != before+1 {
				b.Errorf("%s: %d blobs are left, want %d", name, n, before+1)
			}
		}
	})
}

// TestStart_UploadEnded_IsNotFound: a task cannot take the file of an upload that is being deleted,
// was taken, or is too old.
func TestStart_UploadEnded_IsNotFound(t *testing.T) {
	on(t, func(b *bench) {
		claimed, taken, old := b.begin(5), b.begin(5), b.begin(5)
		b.fine(b.db.Write.Exec("UPDATE rollcall.uploads SET expires_at = 0 WHERE id = ?", claimed.ID).Error)
		b.fine(b.start(taken.ID))
		for _, id := range []string{claimed.ID, taken.ID} {
			if err := b.start(id); !errors.Is(err, uploads.ErrNotFound) {
				b.Errorf("Start = %v, want ErrNotFound", err)
			}
		}
		b.now = b.now.Add(12 * time.Hour)
		if err := b.start(old.ID); !errors.Is(err, uploads.ErrNotFound) {
			b.Errorf("Start of an old upload = %v, want ErrNotFound", err)
		}
	})
}

// TestFile_UploadEndedMeanwhile_LeavesNoBytes: an upload that is deleted while its parts are joined
// leaves nothing.
func TestFile_UploadEndedMeanwhile_LeavesNoBytes(t *testing.T) {
	on(t, func(b *bench) {
		text := content()
		u := b.begin(int64(len(text)))
		_, err := b.store.Append(b.Context(), u, 0, bytes.NewReader(text))
		b.fine(err)
		b.fine(b.db.Write.Exec("UPDATE rollcall.uploads SET expires_at = 0 WHERE id = ?", u.ID).Error)
		if err := b.store.File(b.Context(), u); !errors.Is(err, uploads.ErrNotFound) {
			b.Errorf("File = %v, want ErrNotFound", err)
		}
		_, err = b.store.Expire(b.Context(), 10)
		b.fine(err)
		if n := b.left(); n != 0 {
			b.Errorf("%d blobs are left", n)
		}
	})
}

// meanwhile is a store of files that calls a function before it opens the first file.
type meanwhile struct {
	blobs.Store
	call func()
}

func (m *meanwhile) Get(ctx context.Context, id string) (*blobs.File, error) {
	if call := m.call; call != nil {
		m.call = nil
		call()
	}
	return m.Store.Get(ctx, id)
}

// TestFile_AnotherCallJoinsMeanwhile_UsesItsFile: of two calls for one upload, the later finds no parts,
// because the earlier has joined and deleted them.
func TestFile_AnotherCallJoinsMeanwhile_UsesItsFile(t *testing.T) {
	on(t, func(b *bench) {
		text := content()
		u := b.begin(int64(len(text)))
		_, err := b.store.Append(b.Context(), u, 0, bytes.NewReader(text[:9<<20]))
		b.fine(err)
		_, err = b.store.Append(b.Context(), u, u.Received, bytes.NewReader(text[u.Received:]))
		b.fine(err)
		twin := *u
		later := uploads.New(b.db, &meanwhile{b.files, func() { b.fine(b.store.File(b.Context(), &twin)) }}, uploads.Options{
			Now: func() time.Time { return b.now },
		})
		b.fine(later.File(b.Context(), u))
		if u.File != twin.File || u.File.ID == "" {
			b.Errorf("the file is %+v, want %+v", u.File, twin.File)
		}
		if n := b.left(); n != 1 {
			b.Errorf("%d blobs are left, want the file", n)
		}
	})
}

// TestCreate_InParallel_NeverExceedsTheMost: the limit of uploads holds for parallel requests.
func TestCreate_InParallel_NeverExceedsTheMost(t *testing.T) {
	on(t, func(b *bench) {
		for range 5 {
			var made atomic.Int64
			var all sync.WaitGroup
			for range 12 {
				all.Go(func() {
					u := &uploads.Upload{Tenant: "acme", Size: 1}
					switch err := b.store.Create(b.Context(), u); {
					case err == nil:
						made.Add(1)
					case !errors.Is(err, uploads.ErrTooMany):
						b.Error(err)
					}
				})
			}
			all.Wait()
			if n := made.Load(); n != 3 {
				b.Fatalf("%d uploads were added, want 3", n)
			}
			b.now = b.now.Add(13 * time.Hour)
		}
	})
}

// stuck is a store that cannot delete one of its files.
type stuck struct {
	blobs.Store
	file string
}

func (s stuck) Delete(ctx context.Context, id string) error {
	if id == s.file {
		return errBroken
	}
	return s.Store.Delete(ctx, id)
}

// TestExpire_OneCannotBeDeleted_DeletesTheOthersAndReturnsTheError also checks that bytes that
// could not be deleted still count as used.
func TestExpire_OneCannotBeDeleted_DeletesTheOthersAndReturnsTheError(t *testing.T) {
	on(t, func(b *bench) {
		first, other := b.begin(5), b.begin(5)
		_, err := b.store.Append(b.Context(), first, 0, strings.NewReader("01234"))
		b.fine(err)
		b.fine(b.store.File(b.Context(), first))
		b.now = b.now.Add(13 * time.Hour)
		broken := uploads.New(b.db, stuck{b.files, first.File.ID}, uploads.Options{Now: func() time.Time { return b.now }})
		n, err := broken.Expire(b.Context(), 10)
		if n != 1 || !errors.Is(err, errBroken) || !strings.Contains(err.Error(), first.ID) {
			b.Errorf("Expire = %d, %v, want the error of %s", n, err, first.ID)
		}
		var rest []string
		b.fine(b.db.Read.Raw("SELECT id FROM rollcall.uploads").Scan(&rest).Error)
		if len(rest) != 1 || rest[0] != first.ID {
			b.Errorf("%v are left, want %s without %s", rest, first.ID, other.ID)
		}
		use, err := tasks.New(b.db, tasks.Options{}).Used(b.Context(), "acme")
		if err != nil || use.Bytes != 5 {
			b.Errorf("%d bytes are used, %v; want 5", use.Bytes, err)
		}
		if n, err := b.store.Expire(b.Context(), 10); n != 1 || err != nil || b.left() != 0 {
			b.Errorf("the next Expire = %d, %v, with %d blobs left", n, err, b.left())
		}
	})
}
