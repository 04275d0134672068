package manage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditTimeLimit bounds the update of an audit entry at the end of an act.
const auditTimeLimit = 10 * time.Second

// Do executes the act `do` of an operator, and returns the number of items that the act has changed. It
// adds the audit entry before the act begins, and updates the entry after the act.
func (s *Service) Do(
	ctx context.Context, verb, target string, detail any, do func(context.Context) (int, error),
) (int, error) {
	num, err := s.Note(ctx, verb, target, detail, audit.InProgress)
	if err != nil {
		return 0, err
	}
	n, err := do(ctx)
	var fault audit.Detail
	if err != nil {
		fault.Request = json.RawMessage(`{"error":"the act failed, perhaps after some changes"}`)
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTimeLimit)
	defer cancel()
	return n, errors.Join(err, s.Audit.Finish(late, num, int64(n), fault))
}

// Note adds an audit entry about an act of the caller to the audit log of the caller's tenant. It
// returns the number of the entry.
func (s *Service) Note(
	ctx context.Context, verb, target string, detail any, touched int64,
) (int64, error) {
	return s.noteEntry(ctx, audit.Entry{
		Subject: audit.Operators(auth.Tenant(ctx)), Actor: auth.Actor(ctx), Act: verb, Target: target, Touched: touched,
	}, detail)
}

// NoteOn adds an audit entry about an act on a tenant to the audit log of that tenant.
func (s *Service) NoteOn(ctx context.Context, tenant, verb string, detail any, touched int64) (int64, error) {
	return s.noteEntry(ctx, audit.Entry{
		Subject: audit.Operators(tenant), Actor: auth.Actor(ctx), Act: verb, Target: tenant, Touched: touched,
	}, detail)
}

// noteEntry adds an entry with its request to the audit log. If the owner acts on another tenant,
// noteEntry also adds an entry to the audit log of the owner. That entry remains when the tenant is
// removed with its log.
func (s *Service) noteEntry(ctx context.Context, e audit.Entry, detail any) (int64, error) {
	if text, err := json.Marshal(detail); err == nil && string(text) != "null" {
		e.Detail.Request = text
	}
	if auth.Caller(ctx).May(access.ServiceWrite) && e.Subject != audit.Operators(auth.Tenant(ctx)) {
		own := e
		own.Subject = audit.Owner()
		if _, err := s.Audit.Begin(ctx, own); err != nil {
			return 0, err
		}
	}
	return s.Audit.Begin(ctx, e)
}

// PauseQueue pauses or resumes a queue. It returns 1, or 0 if the queue is already in this state. The
// argument `note` is the operator's reason for the audit log; "" for none.
func (s *Service) PauseQueue(ctx context.Context, st queue.QueueStats, pause bool, note string) (int, error) {
	verb, set := "resume", (*queue.Admin).Resume
	if pause {
		verb, set = "pause", (*queue.Admin).Pause
	}
	var detail any
	if note != "" {
		detail = actNote{textutil.TruncateRunes(textutil.Clean(note), maxNote)}
	}
	return s.Do(ctx, verb, st.Name, detail, func(ctx context.Context) (int, error) {
		if st.Paused == pause {
			return 0, nil
		}
		return 1, QueueProblem(set(s.Queue.Admin(), ctx, st.Name))
	})
}

// maxNote is the greatest length of a note, in characters.
const maxNote = 200

// actNote is the part of an audit entry that holds the operator's reason.
type actNote struct {
	Note string `json:"note"`
}

// NoteOf returns the operator's reason in an audit entry; "" if the entry has none.
func NoteOf(e *audit.Entry) string {
	var d actNote
	if json.Unmarshal(e.Detail.Request, &d) != nil {
		return ""
	}
	return d.Note
}

// KnownQueue returns the state of a queue that an act changes. If the queue of a kind is not in Redis
// yet, KnownQueue registers it there.
func (s *Service) KnownQueue(ctx context.Context, name string) (queue.QueueStats, error) {
	if _, known := s.Kinds.Kind(name); known { // Stats registers the queue of a kind in Redis
		if _, err := s.Queue.Stats(ctx, name); err != nil {
			return queue.QueueStats{}, QueueProblem(err)
		}
	}
	return s.QueueStats(ctx, name)
}

// CheckShards returns an error for a number of shards that is out of range.
func CheckShards(n int) error {
	if n < 1 || n > queue.MaxShards {
		return problem.BadField("shards", fmt.Sprintf("shards is a number from 1 to %d.", queue.MaxShards))
	}
	return nil
}

// Reshard changes the number of shards of a queue.
func (s *Service) Reshard(ctx context.Context, st queue.QueueStats, shards int) (int, error) {
	return s.Do(ctx, "reshard", st.Name, map[string]any{"shards": shards}, func(ctx context.Context) (int, error) {
		if !st.Resharding && len(st.Shards) == shards {
			return 0, nil
		}
		err := s.Queue.Admin().Reshard(ctx, st.Name, shards)
		if errors.Is(err, queue.ErrResharding) {
			return 0, problem.New(http.StatusConflict, "RESHARDING",
				"Keys are still moving after the last change of shards. Wait until resharding is false.")
		}
		return shards, QueueProblem(err)
	})
}

// Node returns the live node with the given name, or problem.ErrNotFound.
func (s *Service) Node(ctx context.Context, name string) (node view.Node, err error) {
	nodes, err := s.NodeList(ctx)
	if err != nil {
		return node, err
	}
	i := slices.IndexFunc(nodes, func(n view.Node) bool { return n.Name == name })
	if i < 0 {
		return node, problem.ErrNotFound
	}
	return nodes[i], nil
}

// DrainNode starts or stops the draining of a node.
func (s *Service) DrainNode(ctx context.Context, node view.Node, drain bool) (int, error) {
	verb, set := "undrain", (*queue.Admin).Undrain
	if drain {
		verb, set = "drain", (*queue.Admin).Drain
	}
	return s.Do(ctx, verb, node.Name, nil, func(ctx context.Context) (int, error) {
		if node.Draining == drain {
			return 0, nil
		}
		return 1, QueueProblem(set(s.Queue.Admin(), ctx, node.Name))
	})
}
