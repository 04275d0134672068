package web

import (
	"errors"

	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/api"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/ops"
	"github.com/rollcall-dev/rollcall/web/pages"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/signin"
)

// wire creates the handlers and the objects that they depend on.
func (s *Server) wire() {
	s.problems = &request.Problems{
		Log: s.opt.Log,
	}
	s.auth = &request.Credentials{
		Guard: s.guard,
	}
	cursors := &request.Cursors{
		Secret: s.secret,
	}
	find := &request.Finder{
		Access: s.opt.Access, Notify: s.opt.Notify, Schedules: s.opt.Schedules, Tasks: s.opt.Tasks,
	}
	locale := &request.Localizers{
		Events: s.opt.Events, Kinds: s.opt.Kinds, Log: s.opt.Log,
	}
	s.intake = &intake.Reader{
		Events: s.opt.Events, Ingest: s.ingest, Limits: s.opt.Limits, Looking: make(chan struct{}, intake.MaxPreviews),
		MaxUpload: s.opt.MaxUpload, StallTimeout: s.opt.StallTimeout, Ready: s.ready, Tasks: s.opt.Tasks,
		Uploads: s.opt.Uploads,
	}
	manage := &manage.Service{
		Access: s.opt.Access, Audit: s.opt.Audit, CheckAddress: s.checkAddress, Events: s.opt.Events,
		Kinds: s.opt.Kinds, Notify: s.opt.Notify, Now: s.opt.Now, Queue: s.opt.Queue,
		RateLimit: s.opt.RateLimit, Schedules: s.opt.Schedules, Tasks: s.opt.Tasks, Tenants: s.opt.Tenants,
		Wake: s.wakeFor,
	}
	rows := &rows.Service{
		Cache: s.cache, Events: s.opt.Events, Files: s.opt.Files, Ingest: s.ingest, Intake: s.intake,
		Kinds: s.opt.Kinds, Limits: s.opt.Limits, Now: s.opt.Now, Tasks: s.opt.Tasks, Wake: s.wakeFor,
		Queue: s.opt.Queue, CancelGrace: s.opt.CancelGrace, Retention: s.opt.Keep,
	}
	explain := &explain.Service{
		Timeout: route.StatsTimeout,
		Events:  s.opt.Events, Log: s.opt.Log, Manage: manage, Now: s.opt.Now, Queue: s.opt.Queue,
		Tasks: s.opt.Tasks,
	}
	s.render = &render.Renderer{
		Access: s.opt.Access, Audit: s.opt.Audit, Now: s.opt.Now, Secret: s.secret,
	}
	s.api = &api.Handlers{
		Access: s.opt.Access, Audit: s.opt.Audit, Auth: s.auth, Cache: s.cache, Cursors: cursors,
		Events: s.opt.Events, Explain: explain, Files: s.opt.Files, Find: find,
		Idempotency: s.opt.Idempotency, Ingest: s.ingest, Intake: s.intake, Kinds: s.opt.Kinds,
		Limits: s.opt.Limits, Links: s.links, Locale: locale, Log: s.opt.Log, Manage: manage, Mappings: s.opt.Mappings,
		Notify: s.opt.Notify, Now: s.opt.Now, Parts: exporters.NewParts(s.opt.Tasks, s.opt.Files),
		Queue: s.opt.Queue, Rows: rows, Schedules: s.opt.Schedules, Stopping: s.stopping, Tasks: s.opt.Tasks,
		Wake: s.wakeFor,
	}
	s.pages = &pages.Handlers{
		Cache: s.cache, Events: s.opt.Events, Explain: explain,
		Files: s.opt.Files, Find: find, Ingest: s.ingest, Intake: s.intake,
		Kinds: s.opt.Kinds, Limits: s.opt.Limits, Lists: s.opt.Lists, Locale: locale, Log: s.opt.Log, Manage: manage, Mappings: s.opt.Mappings, MaxUpload: s.opt.MaxUpload,
		Now: s.opt.Now, Problems: s.problems, Render: s.render, Rows: rows,
		Tasks: s.opt.Tasks, Wake: s.wakeFor,
	}
	s.signIn = &signin.Handlers{
		Access: s.opt.Access, Auth: s.auth, Guard: s.guard, Now: s.opt.Now, Render: s.render, SSO: s.opt.SSO, Secret: s.secret,
	}
	s.ops = &ops.Handlers{
		Access: s.opt.Access, Audit: s.opt.Audit, Events: s.opt.Events, Explain: explain, Find: find, Intake: s.intake,
		Kinds: s.opt.Kinds, Locale: locale, Manage: manage, Notify: s.opt.Notify, Now: s.opt.Now,
		Opens: s.isReachable, Queue: s.opt.Queue, Render: s.render, Rows: rows, Schedules: s.opt.Schedules,
		Tasks: s.opt.Tasks,
	}
}

// checkAddress returns an error if the URL of a webhook or callback is malformed or not allowed. It sends
// no request.
func (s *Server) checkAddress(url string) error {
	if !textutil.Storable(url) {
		return errors.New("it is not plain text")
	}
	return guard.CheckURL(url, s.opt.AllowPrivate)
}
