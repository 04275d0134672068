package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/view"
)

// whole answers with a list that has one page.
func whole[T any](c *gin.Context, list []T, err error) error {
	if err != nil {
		return err
	}
	return answerPage(c, list, nil)
}

// listQueues serves GET /queues.
func (s *Server) listQueues(c *gin.Context) error {
	list, err := s.queueList(c)
	return whole(c, list, err)
}

// listNodes serves GET /nodes.
func (s *Server) listNodes(c *gin.Context) error {
	list, err := s.nodeList(c.Request.Context())
	return whole(c, list, err)
}

// getQueue serves GET /queues/{q}.
func (s *Server) getQueue(c *gin.Context) error {
	look, err := s.queueState(c, c.Param("queue"))
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, look.Queue)
	return nil
}

// listShards serves GET /queues/{q}/shards.
func (s *Server) listShards(c *gin.Context) error {
	st, err := s.queueStats(c.Request.Context(), c.Param("queue"))
	return whole(c, view.OfShards(st), err)
}

// listWaiting serves GET /queues/{q}/jobs.
func (s *Server) listWaiting(c *gin.Context) error {
	q, err := s.keyQuery(c, queue.ByKey, queue.ByRunAt, queue.ByRetryCount)
	if err != nil {
		return err
	}
	p, err := s.waitingKeys(c.Request.Context(), s.tenant(c), c.Param("queue"), q)
	return answerKeys(c, p, err)
}

// listMorgue serves GET /queues/{q}/morgue.
func (s *Server) listMorgue(c *gin.Context) error {
	q, err := s.keyQuery(c, queue.ByKey, queue.ByUpdatedAt)
	if err != nil {
		return err
	}
	tenant, err := s.askedTenant(c)
	if err != nil {
		return err
	}
	p, err := s.deadKeys(c.Request.Context(), tenant, c.Param("queue"), q)
	return answerKeys(c, p, err)
}

func answerKeys(c *gin.Context, p keyPage, err error) error {
	if err != nil {
		return err
	}
	var next *string
	if p.next != "" {
		next = sealedText(c, []byte(p.next))
	}
	return answerPage(c, p.items, next)
}

// keyQuery reads how a list of keys is asked for.
func (s *Server) keyQuery(c *gin.Context, orders ...queue.By) (q queue.Query, err error) {
	if q.Limit, _, err = parsePage(c.Query("limit"), ""); err != nil {
		return q, err
	}
	if q.By, err = oneOf(c, "by", orders...); err != nil {
		return q, err
	}
	dir, err := oneOf(c, "dir", "asc", "desc")
	if err != nil {
		return q, err
	}
	at, err := s.unsealText(c)
	q.Desc, q.Cursor = dir == "desc", string(at)
	return q, err
}

// listBusy serves GET /queues/{q}/busy.
func (s *Server) listBusy(c *gin.Context) error {
	limit, _, err := parsePage(c.Query("limit"), "")
	if err != nil {
		return err
	}
	list, err := s.busyKeys(c.Request.Context(), s.tenant(c), c.Param("queue"), limit)
	return whole(c, list, err)
}

// maxTop bounds a list of the keys with the most payloads.
const maxTop = 100

// listHotKeys serves GET /queues/{q}/keys.
func (s *Server) listHotKeys(c *gin.Context) error {
	top, err := number(c, "top", 1, maxTop)
	if err != nil {
		return err
	}
	if top == 0 {
		top = 10
	}
	list, err := s.hotKeys(c.Request.Context(), s.tenant(c), c.Param("queue"), top)
	return whole(c, list, err)
}
