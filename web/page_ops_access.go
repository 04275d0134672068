package web

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// keysDoor is the page of API keys.
const keysDoor = "/ops/access"

// opsAccessPage is the API keys of a tenant.
type opsAccessPage struct {
	opsFrame
	Keys    []view.Key
	Own     string // tenant of the reader, whose keys alone are rotated
	All     bool   // the reader sees other tenants
	Roles   []access.Role
	Secret  string // of the key that was just made, or "": this is shown once
	Problem string
	First   bool   // the newest are shown
	More    string // where the list goes on, or ""
}

// opsAccess serves GET /ops/access.
func (p *pages) opsAccess(c *gin.Context) error {
	return p.renderAccess(c, http.StatusOK, "", "")
}

func (p *pages) renderAccess(c *gin.Context, status int, secret, problem string) error {
	limit, before, err := page(c)
	if err != nil {
		return err
	}
	read, err := p.keysFor(c)
	if err != nil {
		return err
	}
	list, err := read(c.Request.Context(), before, limit+1)
	if err != nil {
		return err
	}
	v := opsAccessPage{
		opsFrame: p.opsFrame(c, tongueOf(c).say("ops.door.access"), keysDoor), Roles: access.Roles(),
		Secret: secret, Problem: problem, First: before == 0, Own: p.tenant(c), All: caller(c).May(access.ServiceRead),
	}
	list, next := cut(list, limit, func(k *access.Key) int64 { return k.Num })
	v.Keys, v.More = view.All(list, view.OfKey), moreAt(keysDoor, next)
	if tenant := c.Query("tenant"); tenant != "" && v.More != "" {
		v.More += "&" + url.Values{"tenant": {tenant}}.Encode()
	}
	if v.Secret != "" {
		c.Header("Cache-Control", "no-store")
	}
	return p.render(c, status, "ops_access.html", v)
}

// opsMakeKey serves POST /ops/access. Its answer alone shows the secret.
func (p *pages) opsMakeKey(c *gin.Context) error {
	form := formOf(c)
	d := access.Draft{Tenant: p.tenant(c), Name: form.Get("name"), Role: access.Role(form.Get("role")), Maker: caller(c).Key}
	if days, err := strconv.Atoi(form.Get("days")); err == nil && days > 0 && days <= ingest.MaxRetention {
		d.ExpiresAt = p.opt.Now().AddDate(0, 0, days)
	} else if form.Get("days") != "" {
		told := tongueOf(c).say("ops.access.days.wrong", "low", 1, "high", ingest.MaxRetention)
		return p.renderAccess(c, http.StatusUnprocessableEntity, "", told)
	}
	_, secret, err := p.opt.Access.Create(c.Request.Context(), p.actor(c), d)
	if prob := problem.OfClient(draftProblem(err)); prob != nil {
		return p.renderAccess(c, prob.Status, "", tongueOf(c).say("ops.access.refused"))
	}
	if err != nil {
		return err
	}
	return p.renderAccess(c, http.StatusOK, secret, "")
}

// opsTurnKey serves POST /ops/access/{id}/rotate and /revoke.
func (p *pages) opsTurnKey(c *gin.Context, k *access.Key) error {
	in, verb := tongueOf(c), c.Param("act")
	ask, do := opsAsk{Do: in.say("ops.access.revoke"), Back: keysDoor, door: keysDoor}, p.opsRevokeKey
	switch verb {
	case "revoke":
		ask.Choice, ask.ChoiceText = "made", in.say("ops.access.revoke.made")
	case "rotate":
		if k.Tenant != p.tenant(c) { // the owner sees no secret of a tenant
			return problem.ErrNotFound
		}
		ask.Do, do = in.say("ops.access.rotate.do"), p.opsRotateKey
	default:
		return problem.ErrNoPath
	}
	ask.Title = in.say("ops.access." + verb + ".title")
	ask.Text = in.say("ops.access."+verb+".asks", "name", shown(k.Name), "prefix", cmp.Or(k.Prefix, k.ID))
	return p.confirmed(c, ask, func() error { return do(c, k) })
}

func (p *pages) opsRevokeKey(c *gin.Context, k *access.Key) error {
	made := formOf(c).Get("made") == "yes"
	if _, err := p.endKey(c, k, made); err != nil {
		return err
	}
	if made {
		return p.done(c, keysDoor, "revoke-made", 1, 1)
	}
	return p.done(c, keysDoor, "revoke", 1, 1)
}

func (p *pages) opsRotateKey(c *gin.Context, k *access.Key) error {
	secret, err := p.opt.Access.Rotate(c.Request.Context(), p.actor(c), k.Tenant, k.ID, rotationGrace)
	if err != nil {
		return err
	}
	return p.renderAccess(c, http.StatusOK, secret, "")
}

// opsKeyAudit serves GET /ops/access/{id}: who changed a key.
func (p *pages) opsKeyAudit(c *gin.Context, k *access.Key) error {
	ctx := c.Request.Context()
	list, err := p.opt.Audit.List(ctx, audit.Key(k.ID), 0, opsPage)
	if err != nil {
		return err
	}
	v := opsKeyPage{opsFrame: p.opsFrame(c, shown(k.Name), keysDoor), Key: view.OfKey(k)}
	for i := range list {
		v.Changes = append(v.Changes, view.OfAuditEntry(&list[i]))
	}
	return p.render(c, http.StatusOK, "ops_key.html", v)
}

// opsKeyPage is an API key and who changed it, newest first.
type opsKeyPage struct {
	opsFrame
	Key     view.Key
	Changes []view.AuditEntry
}
