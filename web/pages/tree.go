package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

// treeShown is the greatest number of other tasks that the page of a task lists.
const treeShown = 20

// treeView holds a task and the tasks that it waits for or has waited for, newest first. The sums of rows
// include the rows of the task itself.
type treeView struct {
	view.TaskTree
	AtRest int64 // number of ended rows
	Others []render.TaskCard
}

// tree returns the tasks that t waits for or has waited for; nil if there are none.
func (p *Handlers) tree(c *gin.Context, t *tasks.Task) (*treeView, error) {
	if t.Children == 0 && len(t.After) == 0 {
		return nil, nil //nolint:nilnil // most tasks wait for no other
	}
	list, more, err := p.Tasks.Tree(c.Request.Context(), t)
	if err != nil {
		return nil, err
	}
	v := &treeView{TaskTree: view.OfTree(t, list, more)}
	v.AtRest = v.Counts.Finish + v.Counts.Failed + v.Counts.Error + v.Counts.Canceled
	for i := range list {
		if list[i].Num != t.Num && len(v.Others) < treeShown {
			v.Others = append(v.Others, p.card(c, &list[i]))
		}
	}
	return v, nil
}
