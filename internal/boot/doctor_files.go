package boot

import (
	"context"
	"os"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// leastFree is the room, in bytes, below which uploads may soon be refused.
const leastFree = 1 << 30

// files looks whether uploads can be kept: it keeps one, reads and removes it.
func (d *doctor) files(ctx context.Context) {
	dir, err := d.cfg.blobDir()
	if err != nil {
		return // told by settings
	}
	if _, err := os.Stat(dir); d.cfg.Embedded() && os.IsNotExist(err) {
		d.finds("files", stateOK, "", "no folder yet: it is made at the first start")
		return
	}
	if err := tryFiles(ctx, dir); err != nil {
		d.finds("files", stateFail, "have BLOB_URL lead to a folder that the program's user may write to", "%v", err)
		return
	}
	d.finds("files", stateOK, "", "%s takes and gives back a file", dir)
	if free, ok := freeBytes(dir); ok {
		d.finds("room for files", unless(free >= leastFree, stateWarn),
			"make room: an upload takes its size twice at most", "%d MB free", free>>20)
	}
}

func tryFiles(ctx context.Context, dir string) error {
	files, err := blobs.Open(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	info, err := files.Put(ctx, strings.NewReader("doctor"), 100)
	if err != nil {
		return err
	}
	return files.Delete(ctx, info.ID)
}
