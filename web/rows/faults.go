package rows

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/faults"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// FaultTasks is the number of tasks that FaultGroups reads. It reads the newest tasks of the tenant.
const FaultTasks = 200

// faultRows is the greatest number of rows whose end times FaultGroups reads.
const faultRows = 10_000

// TrendHours is the length of the trend of a group, in hours.
const TrendHours = 24

// FaultGroup holds counts of a tenant's rows that ended with equal system faults. Faults are equal if they have
// the same kind and fingerprint.
type FaultGroup struct {
	Kind, Print, Fault string

	Tasks       int
	Rows        int64             // without skipped rows
	First, Last int64             // times at which the first and the last of the read rows ended, unix ms
	Trend       [TrendHours]int64 // read rows by the hour in which they ended, the present hour last
}

// FaultGroups returns the groups of equal system faults in the newest tasks of the caller's tenant. The
// group with the latest fault comes first.
func (s *Service) FaultGroups(ctx context.Context) ([]FaultGroup, error) {
	list, _, err := s.Tasks.Search(ctx, auth.Tenant(ctx), tasks.Search{Limit: FaultTasks})
	if err != nil {
		return nil, err
	}
	kinds, nums := map[int64]string{}, []int64{}
	for i := range list {
		if list[i].Error > 0 {
			kinds[list[i].Num] = list[i].Kind
			nums = append(nums, list[i].Num)
		}
	}
	if len(nums) == 0 {
		return nil, nil
	}
	found, err := faults.Groups(ctx, s.Events.DB(), nums)
	if err != nil {
		return nil, err
	}
	groups := map[[2]string]*FaultGroup{}
	for _, f := range found {
		at := [2]string{kinds[f.Num], f.Print}
		if groups[at] == nil {
			groups[at] = &FaultGroup{Kind: at[0], Print: f.Print, Fault: f.Fault}
		}
		groups[at].Tasks++
		groups[at].Rows += f.Rows
	}
	if err := s.faultTimes(ctx, nums, kinds, groups); err != nil {
		return nil, err
	}
	return newestFirst(groups), nil
}

// faultTimes adds the times at which rows ended to the groups of the rows. It reads at most faultRows
// rows, of the newest tasks first.
func (s *Service) faultTimes(ctx context.Context, nums []int64, kinds map[int64]string, groups map[[2]string]*FaultGroup) error {
	now := s.Now()
	for left := faultRows; len(nums) > 0 && left > 0; nums = nums[1:] {
		times, err := faults.Times(ctx, s.Events.DB(), nums[0], left)
		if err != nil {
			return err
		}
		left -= len(times)
		for _, f := range times {
			if g := groups[[2]string{kinds[nums[0]], f.Print}]; g != nil {
				g.add(f, now)
			}
		}
	}
	return nil
}

// add updates First, Last and Trend with the time at which a row of the group ended.
func (g *FaultGroup) add(f faults.Time, now time.Time) {
	if g.First == 0 || f.At < g.First {
		g.First = f.At
	}
	g.Last = max(g.Last, f.At)
	if ago := int(now.Sub(time.UnixMilli(f.At)) / time.Hour); ago >= 0 && ago < TrendHours {
		g.Trend[TrendHours-1-ago]++
	}
}

func newestFirst(groups map[[2]string]*FaultGroup) (out []FaultGroup) {
	for _, g := range groups {
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b FaultGroup) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Print, b.Print))
	})
	return out
}
