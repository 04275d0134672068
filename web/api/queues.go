package api

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// answerList answers with a list that is not divided into pages.
func answerList[T any](c *gin.Context, list []T, err error) error {
	if err != nil {
		return err
	}
	return request.AnswerPage(c, list, nil)
}

// listQueues serves GET /queues.
func (s *Handlers) listQueues(c *gin.Context) error {
	list, err := s.Explain.Queues(c.Request.Context(), string(request.Printer(c)))
	return answerList(c, view.All(list, func(s *manage.QueueState) view.Queue { return s.Queue }), err)
}

// listNodes serves GET /nodes.
func (s *Handlers) listNodes(c *gin.Context) error {
	list, err := s.Manage.NodeList(c.Request.Context())
	return answerList(c, list, err)
}

// getQueue serves GET /queues/{q}.
func (s *Handlers) getQueue(c *gin.Context) error {
	state, err := s.Explain.QueueState(c.Request.Context(), string(request.Printer(c)), c.Param("queue"))
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, state.Queue)
	return nil
}

// listShards serves GET /queues/{q}/shards.
func (s *Handlers) listShards(c *gin.Context) error {
	st, err := s.Manage.QueueStats(c.Request.Context(), c.Param("queue"))
	return answerList(c, view.OfShards(st), err)
}

// listWaiting serves GET /queues/{q}/jobs.
func (s *Handlers) listWaiting(c *gin.Context) error {
	q, err := s.keyQuery(c, queue.ByKey, queue.ByRunAt, queue.ByRetryCount)
	if err != nil {
		return err
	}
	p, err := s.Manage.WaitingKeys(c.Request.Context(), request.Tenant(c), c.Param("queue"), q)
	return answerKeys(c, p, err)
}

// listMorgue serves GET /queues/{q}/morgue.
func (s *Handlers) listMorgue(c *gin.Context) error {
	q, err := s.keyQuery(c, queue.ByKey, queue.ByUpdatedAt)
	if err != nil {
		return err
	}
	tenant, err := s.Manage.ListedTenant(c.Request.Context(), c.Query("tenant"))
	if err != nil {
		return err
	}
	p, err := s.Manage.DeadKeys(c.Request.Context(), tenant, c.Param("queue"), q)
	return answerKeys(c, p, err)
}

func answerKeys(c *gin.Context, p manage.KeyPage, err error) error {
	if err != nil {
		return err
	}
	return request.AnswerPage(c, p.Items, request.SealedText(c, textutil.Optional(p.Next)))
}

// keyQuery reads the parameters of a list of keys.
func (s *Handlers) keyQuery(c *gin.Context, orders ...queue.By) (q queue.Query, err error) {
	if q.Limit, _, err = request.ParsePage(c.Query("limit"), ""); err != nil {
		return q, err
	}
	if q.By, err = request.OneOf(c, "by", orders...); err != nil {
		return q, err
	}
	dir, err := request.OneOf(c, "dir", "asc", "desc")
	if err != nil {
		return q, err
	}
	at, err := s.Cursors.UnsealText(c)
	q.Desc, q.Cursor = dir == "desc", string(at)
	return q, err
}

// listBusy serves GET /queues/{q}/busy.
func (s *Handlers) listBusy(c *gin.Context) error {
	limit, _, err := request.ParsePage(c.Query("limit"), "")
	if err != nil {
		return err
	}
	list, err := s.Manage.BusyKeys(c.Request.Context(), request.Tenant(c), c.Param("queue"), limit)
	return answerList(c, list, err)
}

// maxTop is the greatest number of keys in a list of the keys with the most payloads.
const maxTop = 100

// listHotKeys serves GET /queues/{q}/keys.
func (s *Handlers) listHotKeys(c *gin.Context) error {
	top, err := request.Number(c, "top", 1, maxTop)
	if err != nil {
		return err
	}
	if top == 0 {
		top = 10
	}
	list, err := s.Manage.HotKeys(c.Request.Context(), request.Tenant(c), c.Param("queue"), top)
	return answerList(c, list, err)
}

// getStats serves GET /stats. The response has the same fields as the statistics of Lowkiq, a queue for
// Ruby.
func (s *Handlers) getStats(c *gin.Context) error {
	v := view.Stats{ByWorker: map[string]view.QueueStats{}}
	lags, err := s.Tasks.Lags(c.Request.Context())
	if err != nil {
		return err
	}
	for _, name := range s.Kinds.Names() {
		st, err := s.Queue.Stats(c.Request.Context(), name)
		if err != nil {
			return fmt.Errorf("%w: %w", problem.ErrQueueUnavailable, err)
		}
		lag := max(st.Lag, lags[name]).Seconds()
		v.ByWorker[name] = view.QueueStats{Length: st.Length, MorgueLength: st.MorgueLength, Lag: lag}
		v.Total.Length, v.Total.MorgueLength = v.Total.Length+st.Length, v.Total.MorgueLength+st.MorgueLength
		v.Total.Lag = max(v.Total.Lag, lag)
	}
	request.JSON(c, http.StatusOK, v)
	return nil
}
