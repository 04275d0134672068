package rows

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// Begun returns the start times, in unix ms, of the running rows among the given ids. It leaves out
// rows of other tenants and invalid ids. It makes one query for each task of the rows.
func (s *Service) Begun(ctx context.Context, ids []string) (map[string]int64, error) {
	nums, seqs := map[string]int64{}, map[string]events.ID{}
	for _, id := range ids {
		task, seq, err := events.ParseJobID(id)
		if err != nil {
			continue
		}
		num, known := nums[task]
		if !known {
			t, err := s.Tasks.Get(ctx, auth.Tenant(ctx), task)
			switch {
			case errors.Is(err, tasks.ErrNotFound), errors.Is(err, tasks.ErrExpired):
			case err != nil:
				return nil, err
			default:
				num = t.Num
			}
			nums[task] = num
		}
		if num > 0 {
			seqs[id] = events.NewID(num, seq)
		}
	}
	return s.begun(ctx, seqs)
}

func (s *Service) begun(ctx context.Context, seqs map[string]events.ID) (map[string]int64, error) {
	list := make([]events.ID, 0, len(seqs))
	for _, id := range seqs {
		list = append(list, id)
	}
	states, err := s.Events.States(ctx, list)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for id, at := range seqs {
		if st, ok := states[at]; ok && st.Status == events.Working {
			out[id] = st.StartedAt
		}
	}
	return out, nil
}
