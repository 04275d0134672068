package ops

import (
	"cmp"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsPage is the number of items on a page of a list.
const opsPage = 100

// hotKeysShown is the greatest number of keys in the list of keys with the most payloads.
const hotKeysShown = 50

// opsKeysPage holds the data of a page with the waiting, running or dead keys of a queue.
type opsKeysPage struct {
	opsFrame
	Queue  string
	State  opsState
	Tabs   []opsLink
	List   string // waiting, busy or morgue
	Acts   []opsAct
	Keys   []view.BusyKey
	Orders []opsOrder
	Prefix string // the list has only keys with this prefix
	By     queue.By
	Desc   bool
	First  string // address of the first page; "" on the first page
	More   string // address of the next page; "" on the last page
	Others string // other tenants with dead keys, which the owner cannot list here; "" for none
	Faulty string // other tenants with rows in error whose jobs Redis does not hold; "" for none

	InError inError
}

// opsOrder is a column heading that sorts the list.
type opsOrder struct {
	Words string
	At    string // address of the list in this order, or in the reverse order if the list has this order
	Sort  string // ascending, descending or none
}

// opsWaiting serves GET /ops/queues/{queue}/waiting.
func (p *Handlers) opsWaiting(c *gin.Context) error {
	orders := []queue.By{queue.ByKey, queue.ByRunAt, queue.ByRetryCount}
	return p.opsKeys(c, "waiting", orders, func(v *opsKeysPage, q queue.Query) error {
		page, err := p.Manage.WaitingKeys(c.Request.Context(), request.Tenant(c), v.Queue, q)
		return v.take(page, err)
	})
}

// opsMorgue serves GET /ops/queues/{queue}/morgue.
func (p *Handlers) opsMorgue(c *gin.Context) error {
	orders := []queue.By{queue.ByKey, queue.ByUpdatedAt}
	return p.opsKeys(c, "morgue", orders, func(v *opsKeysPage, q queue.Query) error {
		page, err := p.Manage.DeadKeys(c.Request.Context(), request.Tenant(c), v.Queue, q)
		if err = v.take(page, err); err != nil || len(v.Keys) > 0 {
			return err
		}
		return p.noDead(c, v)
	})
}

// noDead sets the numbers that the page shows instead of an empty list of dead keys: the rows in error in
// the newest tasks. For the owner it also sets the other tenants that have dead keys or such rows.
func (p *Handlers) noDead(c *gin.Context, v *opsKeysPage) (err error) {
	var others []tenantCount
	if v.Owner {
		if _, others, err = p.deadKeys(c, v.Queue); err != nil {
			return err
		}
	}
	counts, err := p.inErrorByQueue(c)
	v.InError = counts[v.Queue].without(false, others)
	v.Others, v.Faulty = tenantCounts(v.in, others), tenantCounts(v.in, v.InError.Others)
	return err
}

// opsBusy serves GET /ops/queues/{queue}/busy.
func (p *Handlers) opsBusy(c *gin.Context) error {
	return p.opsKeys(c, "busy", nil, func(v *opsKeysPage, _ queue.Query) (err error) {
		v.Refresh = true
		v.Keys, err = p.Manage.BusyKeys(c.Request.Context(), request.Tenant(c), v.Queue, opsPage)
		return err
	})
}

// ActsAt returns the path for acts on keys of the list.
func (v opsKeysPage) ActsAt() string { return opsQueueAt(v.Queue, "acts") }

// take adds a page of keys, and the address of the next page, to the data of the HTML page. It returns
// `err`, the error of reading the keys.
func (v *opsKeysPage) take(page manage.KeyPage, err error) error {
	for _, k := range page.Items {
		v.Keys = append(v.Keys, view.BusyKey{QueueKey: k})
	}
	if page.Next != "" {
		v.More = v.at(v.By, v.Desc, page.Next)
	}
	return err
}

// opsKeys answers with a list of a queue's keys. The function `fill` reads the keys. The argument `orders` is
// nil for a list that cannot be sorted. Otherwise, its second element is the default order.
func (p *Handlers) opsKeys(
	c *gin.Context, list string, orders []queue.By, fill func(*opsKeysPage, queue.Query) error,
) error {
	state, err := p.Explain.QueueState(c.Request.Context(), string(request.Printer(c)), c.Param("queue"))
	if err != nil {
		return err
	}
	in, st := request.Printer(c), state.Stats
	v := opsKeysPage{
		opsFrame: p.opsFrame(c, p.queueTitle(c, st.Name), "/ops"), Queue: st.Name,
		Tabs: opsTabs(in, st.Name, list), List: list, Prefix: c.Query("prefix"), Desc: c.Query("dir") == "desc",
	}
	if v.May && list != "busy" {
		v.Acts = opsActs(list)
	}
	if len(orders) > 1 {
		v.By = queue.By(cmp.Or(c.Query("by"), string(orders[1])))
	}
	for _, by := range orders {
		v.Orders = append(v.Orders, v.order(by))
	}
	cursor := c.Query("cursor")
	if cursor != "" {
		v.First = v.at(v.By, v.Desc, "")
	}
	err = fill(&v, queue.Query{By: v.By, Desc: v.Desc, Prefix: v.Prefix, Limit: opsPage, Cursor: cursor})
	if err != nil {
		return err
	}
	counts, err := p.inErrorByQueue(c)
	if err != nil {
		return err
	}
	v.State = queueStateWords(in, &state.Queue, list == "busy" && len(v.Keys) > 0).withErrors(in, &state.Queue, counts[st.Name])
	return p.Render.Page(c, http.StatusOK, "ops_keys.html", v)
}

// order returns the column heading that sorts the list by a property.
func (v *opsKeysPage) order(by queue.By) opsOrder {
	o := opsOrder{Words: v.in.Text("ops.keys.by." + string(by)), Sort: "none"}
	if by == v.By {
		o.Sort = map[bool]string{false: "ascending", true: "descending"}[v.Desc]
	}
	o.At = v.at(by, o.Sort == "ascending", "")
	return o
}

// at returns the path of the list in an order. The list begins at the cursor.
func (v *opsKeysPage) at(by queue.By, desc bool, cursor string) string {
	q := url.Values{"by": {string(by)}}
	if desc {
		q.Set("dir", "desc")
	}
	for name, value := range map[string]string{"prefix": v.Prefix, "cursor": cursor} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return opsQueueAt(v.Queue, v.List) + "?" + q.Encode()
}

// opsHotPage holds the data of the page of the keys with the most waiting payloads.
type opsHotPage struct {
	opsFrame
	Queue string
	Tabs  []opsLink
	Keys  []view.HotKey
}

// opsHot serves GET /ops/queues/{queue}/keys.
func (p *Handlers) opsHot(c *gin.Context) error {
	name := c.Param("queue")
	list, err := p.Manage.HotKeys(c.Request.Context(), request.Tenant(c), name, hotKeysShown)
	if err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "ops_hot.html", opsHotPage{
		p.opsFrame(c, p.queueTitle(c, name), "/ops"), name, opsTabs(request.Printer(c), name, "keys"), list,
	})
}
