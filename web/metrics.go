package web

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

const metricsPath = "/metrics"

// Served holds the data of an answered request.
type Served struct {
	Method string
	Route  string // pattern of the path; "" for an unknown path
	Status int
	Took   time.Duration

	Location    string // header of the response
	Replayed    bool   // the answer was stored for an earlier request
	Traceparent string // header of the request
}

// reportServed calls Options.Served, if set, after each response, even if the handler has panicked.
func (s *Server) reportServed(c *gin.Context) {
	if s.opt.Served == nil {
		return
	}
	begun := time.Now()
	defer func() {
		s.opt.Served(c.Request.Context(), Served{
			Method: c.Request.Method, Route: c.FullPath(), Status: c.Writer.Status(), Took: time.Since(begun),
			Location: c.Writer.Header().Get("Location"), Traceparent: c.GetHeader("Traceparent"),
			Replayed: c.Writer.Header().Get("Idempotency-Replayed") != "",
		})
	}()
	c.Next()
}

// getMetrics serves GET /metrics.
func (s *Server) getMetrics(c *gin.Context) error {
	if s.opt.Metrics == nil {
		c.String(http.StatusOK, "")
		return nil
	}
	s.opt.Metrics.ServeHTTP(c.Writer, c.Request)
	return nil
}
