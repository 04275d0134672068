package web_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web"
)

// stuckFiles is a store that deletes no file while it is stuck.
type stuckFiles struct {
	blobs.Store
	stuck atomic.Bool
}

func (s *stuckFiles) Delete(ctx context.Context, id string) error {
	if s.stuck.Load() {
		return errors.New("the disk is read-only")
	}
	return s.Store.Delete(ctx, id)
}

// TestEraseRow_FilesCannotBeDeleted_KeeperDeletesThem: the contents of the row are deleted, but the deletion of
// the files fails. No client repeats the request.
func TestEraseRow_FilesCannotBeDeleted_KeeperDeletesThem(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		files := &stuckFiles{}
		l := newLabOn(t, url, func(o *web.Options) { files.Store, o.Files = o.Files, files })
		keep := func() error {
			l.pass(time.Hour) // the turn of the last retention is over
			return retention.New(l.opt.Tasks, l.opt.Events, files, retention.Options{}).Clean(t.Context())
		}
		id := l.accepted("p.csv", heads+"S1,"+personal+",x,Acme\n", "")
		l.split()
		files.stuck.Store(true)
		l.call(http.MethodDelete, "/api/v1/events/"+id+".1", "").is(http.StatusInternalServerError)
		l.row(id, 1).says("code", "ERASED")
		if err := keep(); err == nil || l.stored() == 0 {
			t.Errorf("%d files are stored, %v; the disk is read-only", l.stored(), err)
		}
		files.stuck.Store(false)
		for range 2 { // the second has nothing to do
			fine(t, keep())
		}
		if n := l.stored(); n != 0 {
			t.Errorf("%d files are stored", n)
		}
		if list, err := l.opt.Tasks.Erasing(t.Context(), 0, 9); len(list) > 0 || err != nil {
			t.Errorf("still to be deleted: the files of %v, %v", list, err)
		}
	})
}
