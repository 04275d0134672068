package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/dispatch"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// turn is one way to control a task.
type turn struct {
	does func(ts *tasks.Store, ctx context.Context, tenant, id string) error
	bell string // who has to hear of it; "" for nobody
	done string // what the task has to be for it, in words
}

// turns are the ways to control a task, by the last part of their path.
var turns = map[string]turn{
	"pause": {
		(*tasks.Store).Pause, "", "Only a waiting or running task can be paused",
	},
	"resume": {
		(*tasks.Store).Resume, dispatch.Topic, "Only a paused task can be resumed",
	},
	"cancel": {
		(*tasks.Store).Cancel, dispatch.CancelTopic, "Only an unfinished task can be canceled, and only once",
	},
}

// control serves POST /tasks/{id}/pause, /resume and /cancel, and answers with
// the task. What they begin may go on: a canceled task is done once the last of
// its rows that run has ended.
func (s *Server) control(verb string) func(*gin.Context) error {
	return func(c *gin.Context) error {
		if err := s.turn(c, verb); err != nil {
			return err
		}
		t, err := s.taskOf(c)
		if err != nil {
			return err
		}
		render, err := s.cache.Load(c.Request.Context(), t)
		if err != nil {
			return err
		}
		s.pollHeaders(c, t)
		c.JSON(http.StatusOK, render(c.GetString(langKey)))
		return nil
	}
}

// wrongStatus refuses to control a task that stands elsewhere.
func wrongStatus(way turn, stands tasks.Status) *problem.Problem {
	return problem.New(http.StatusConflict, "WRONG_STATUS", fmt.Sprintf("%s; this one is %s.", way.done, stands))
}

// turn controls the task of a request.
func (s *Server) turn(c *gin.Context, verb string) error {
	ctx, id, way := c.Request.Context(), c.Param("id"), turns[verb]
	does := way.does
	if verb == "resume" {
		does = s.resumes(c)
	}
	err := does(s.opt.Tasks.As(s.actor(c)), ctx, s.tenant(c), id)
	var stands *tasks.StatusError
	if errors.As(err, &stands) {
		return wrongStatus(way, stands.Status)
	}
	if err != nil {
		return err
	}
	s.cache.Invalidate(s.tenant(c), id)
	if way.bell != "" {
		s.ringFor(ctx, way.bell)
	}
	return nil
}
