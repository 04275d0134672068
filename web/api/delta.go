package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// The version of a page encodes the seq and the version of each row on it. A client sends this
// version back in the parameter "since". The response has the rows of the page that are new or have
// changed, and the ids of rows that have left the page. The server does not store the versions.
const (
	versionPrefix = "v"
	maxVersion    = 8 << 10 // characters; a page of 500 rows has fewer
)

// rowVersions holds the versions of the rows that a client has, by the seq of the row.
type rowVersions map[int64]int

// versionOf returns the version of a page of a task. The version includes a hash of the task's id, so that
// a version from another task's page is rejected.
func versionOf(task string, list []events.Event) string {
	raw, last := make([]byte, 0, taskBytes+2*len(list)), int64(0)
	raw = append(raw, taskMark(task)...)
	if n := len(list); n > 1 && list[0].ID > list[n-1].ID { // the order is descending
		list = slices.Clone(list)
		slices.Reverse(list)
	}
	for i := range list {
		seq := list[i].ID.Seq()
		raw = binary.AppendUvarint(raw, uint64(seq-last))
		raw = binary.AppendUvarint(raw, uint64(list[i].Version))
		last = seq
	}
	return versionPrefix + base64.RawURLEncoding.EncodeToString(raw)
}

// since parses the parameter "since": the version of the page that a client has. It returns nil if the
// parameter is missing; the client then receives the whole page.
//
// The parameter may also be a version of the task. If the task still has that version, the page is
// unchanged; otherwise, the client receives all rows. The server reads the version of the task after
// the rows, so that it misses no change in between.
func (s *Handlers) since(c *gin.Context, t *tasks.Task, list []events.Event) (rowVersions, error) {
	text := c.Query("since")
	if text == "" {
		return nil, nil
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil || version < 0 {
		return parseVersion(t.ID, text)
	}
	now, err := s.Tasks.Get(c.Request.Context(), t.Tenant, t.ID)
	switch {
	case err != nil:
		return nil, err
	case version == now.Version:
		return parseVersion(t.ID, versionOf(t.ID, list))
	}
	return rowVersions{}, nil
}

// taskBytes is the number of bytes in a page's version that identify the task.
const taskBytes = 6

func taskMark(task string) []byte {
	sum := sha256.Sum256([]byte(task))
	return sum[:taskBytes]
}

func parseVersion(task, text string) (rowVersions, error) {
	bad := problem.BadParameter("since", "since must be a version from this list or from its task.")
	text, ok := strings.CutPrefix(text, versionPrefix)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if !ok || err != nil || len(text) > maxVersion {
		return nil, bad
	}
	raw, ok = bytes.CutPrefix(raw, taskMark(task))
	if !ok {
		return nil, bad
	}
	out, seq := rowVersions{}, int64(0)
	for len(raw) > 0 {
		gap, n := binary.Uvarint(raw)
		version, m := binary.Uvarint(raw[max(n, 0):])
		if n <= 0 || m <= 0 || gap == 0 || gap >= 1<<32 || version >= 1<<31 {
			return nil, bad
		}
		raw, seq = raw[n+m:], seq+int64(gap)
		out[seq] = int(version)
	}
	return out, nil
}

// changes returns the rows of the page that the client lacks or has in another version. It also
// returns the seqs of rows that have left the page, unordered.
func (v rowVersions) changes(list []events.Event) (changed []events.Event, gone []int64) {
	for i := range list {
		seq := list[i].ID.Seq()
		if version, has := v[seq]; !has || version != list[i].Version {
			changed = append(changed, list[i])
		}
		delete(v, seq)
	}
	for seq := range v {
		gone = append(gone, seq)
	}
	return changed, gone
}
