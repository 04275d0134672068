package ops

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const keysPath = "/ops/access"

// opsAccessPage holds the data of the page of API keys.
type opsAccessPage struct {
	opsFrame
	Keys    []view.Key
	Own     string // tenant of the user; only its keys can be rotated
	All     bool   // the user also sees keys of other tenants
	Roles   []access.Role
	Secret  string // secret of the key that was just made or rotated, shown once; "": none
	Problem string
	First   bool   // the first page is shown
	Cursor  string // cursor of this page; "" on the first page
	Tenant  string // tenant of the shown keys; "" for all tenants
	More    string // address of the next page; "" on the last page
}

// opsAccess serves GET /ops/access.
func (p *Handlers) opsAccess(c *gin.Context) error {
	return p.renderAccess(c, http.StatusOK, "", "")
}

func (p *Handlers) renderAccess(c *gin.Context, status int, secret, problem string) error {
	read, err := p.Manage.KeysFor(c.Request.Context(), c.Query("tenant"))
	if err != nil {
		return err
	}
	list, next, err := request.Listing[access.Key, view.Key]{
		Read: read, Num: manage.KeyNum, View: view.OfKey,
	}.Items(c, request.Page)
	if err != nil {
		return err
	}
	v := opsAccessPage{
		opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.access"), keysPath), Roles: access.Roles(),
		Secret: secret, Problem: problem, First: request.FirstPage(c), Own: request.Tenant(c), All: request.Caller(c).May(access.ServiceRead),
	}
	v.Keys, v.More, v.Cursor, v.Tenant = list, request.MoreAt(keysPath, next), c.Query("cursor"), c.Query("tenant")
	if tenant := c.Query("tenant"); tenant != "" && v.More != "" {
		v.More += "&" + url.Values{"tenant": {tenant}}.Encode()
	}
	if v.Secret != "" {
		c.Header("Cache-Control", "no-store")
	}
	return p.Render.Page(c, status, "ops_access.html", v)
}

// opsMakeKey serves POST /ops/access, which makes an API key. Only this response shows the secret of the
// key.
func (p *Handlers) opsMakeKey(c *gin.Context) error {
	form := request.Form(c)
	d := access.Draft{Tenant: request.Tenant(c), Name: form.Get("name"), Role: access.Role(form.Get("role")), Maker: request.Caller(c).Key}
	if days, err := strconv.Atoi(form.Get("days")); err == nil && days > 0 && days <= ingest.MaxRetention {
		d.ExpiresAt = p.Now().AddDate(0, 0, days)
	} else if form.Get("days") != "" {
		detail := request.Printer(c).Text("ops.access.days.wrong", "low", 1, "high", ingest.MaxRetention)
		return p.renderAccess(c, http.StatusUnprocessableEntity, "", detail)
	}
	_, secret, err := p.Access.Create(c.Request.Context(), request.Actor(c), d)
	if prob := problem.OfClient(manage.DraftProblem(err)); prob != nil {
		return p.renderAccess(c, prob.Status, "", request.Printer(c).Text("ops.access.refused"))
	}
	if err != nil {
		return err
	}
	return p.renderAccess(c, http.StatusOK, secret, "")
}

// opsControlKey serves POST /ops/access/{id}/rotate and /revoke.
func (p *Handlers) opsControlKey(c *gin.Context, k *access.Key) error {
	in, verb := request.Printer(c), c.Param("act")
	ask, do := opsAsk{Do: in.Text("ops.access.revoke"), Back: request.FormPage(c, keysPath, "cursor", "tenant"), marked: keysPath}, p.opsRevokeKey
	switch verb {
	case "revoke":
		ask.Choice, ask.ChoiceText = "made", in.Text("ops.access.revoke.made")
	case "rotate":
		if k.Tenant != request.Tenant(c) { // the owner must not see the secrets of other tenants
			return problem.ErrNotFound
		}
		ask.Do, do = in.Text("ops.access.rotate.do"), p.opsRotateKey
	default:
		return problem.ErrNoPath
	}
	ask.Title = in.Text("ops.access." + verb + ".title")
	ask.Text = in.Text("ops.access."+verb+".asks", "name", render.Shown(k.Name), "prefix", cmp.Or(k.Prefix, k.ID))
	return p.confirm(c, ask, func() error { return do(c, k) })
}

func (p *Handlers) opsRevokeKey(c *gin.Context, k *access.Key) error {
	made, at := request.Form(c).Get("made") == "yes", request.FormPage(c, keysPath, "cursor", "tenant")
	if _, err := p.Manage.RevokeKey(c.Request.Context(), k, made); err != nil {
		return err
	}
	if made {
		return p.Render.Done(c, at, "revoke-made", 1, 1)
	}
	return p.Render.Done(c, at, "revoke", 1, 1)
}

func (p *Handlers) opsRotateKey(c *gin.Context, k *access.Key) error {
	secret, err := p.Access.Rotate(c.Request.Context(), request.Actor(c), k.Tenant, k.ID, manage.RotationGrace)
	if err != nil {
		return err
	}
	return p.renderAccess(c, http.StatusOK, secret, "")
}

// opsKeyAudit serves GET /ops/access/{id}.
func (p *Handlers) opsKeyAudit(c *gin.Context, k *access.Key) error {
	ctx := c.Request.Context()
	list, err := p.Audit.List(ctx, audit.Key(k.ID), 0, opsPage)
	if err != nil {
		return err
	}
	v := opsKeyPage{opsFrame: p.opsFrame(c, render.Shown(k.Name), keysPath), Key: view.OfKey(k)}
	for i := range list {
		v.Changes = append(v.Changes, view.OfAuditEntry(&list[i]))
	}
	return p.Render.Page(c, http.StatusOK, "ops_key.html", v)
}

// opsKeyPage holds the data of the page of one API key, with its changes, newest first.
type opsKeyPage struct {
	opsFrame
	Key     view.Key
	Changes []view.AuditEntry
}
