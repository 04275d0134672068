package web_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
	oidc "github.com/rollcall-dev/rollcall/internal/testenv/issuer"
	"github.com/rollcall-dev/rollcall/web"
)

const (
	flowName    = "rollcall_sign_in="
	sessionName = "rollcall_session="
	callback    = "/sign-in/oidc/callback"
)

// issuer is an identity provider with the clock of a lab.
type issuer struct{ *oidc.Issuer }

func newIssuer(t *testing.T) issuer {
	t.Helper()
	return issuer{oidc.Start(t, dawn)}
}

// trusted makes a lab accept the users of the issuer.
func (i issuer) trusted(o *web.Options) {
	o.SSO = sso.New(sso.Options{
		Issuer: i.Issuer.Issuer(), ClientID: i.ClientID, ClientSecret: i.ClientSecret,
		Callback: "https://rollcall.example" + callback, Now: o.Now, Rules: []sso.Rule{
			{Value: "boss", Role: "admin"}, {Value: "editor", Role: "reviewer"}, {Value: "guest", Role: "viewer"},
		},
	})
}

// claims holds the claims of a user. They take precedence over the claims that the issuer adds.
type claims map[string]any

// with returns a copy of the claims, in which `more` takes precedence. The value nil removes a claim.
func (c claims) with(more claims) claims {
	out := maps.Clone(c)
	maps.Copy(out, more)
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
	return out
}

var ann = claims{
	"sub": "u-1", "email": "ann@example.com", "email_verified": true, "tenant": "acme", "roles": []string{"x", "editor"},
}

// kept returns the cookie with this name from a response. It returns "" if the response deletes the cookie or does
// not set it.
func (r reply) kept(name string) string {
	for _, line := range r.header.Values("Set-Cookie") {
		if text, _, _ := strings.Cut(line, ";"); strings.HasPrefix(text, name) && text != name {
			return text
		}
	}
	return ""
}

// begin begins a sign-in. It returns the URL to which the browser goes, and the cookie.
func (l *lab) begin(to string) (at *url.URL, flow string) {
	l.t.Helper()
	r := l.look("/sign-in/oidc?to=" + url.QueryEscape(to))
	r.is(http.StatusSeeOther)
	at, err := url.Parse(r.header.Get("Location"))
	fine(l.t, err)
	return at, r.kept(flowName)
}

// asked signs a user in at the issuer, and returns the query with which the issuer redirects to the callback.
func (i issuer) asked(t *testing.T, at *url.URL, who claims) url.Values {
	t.Helper()
	i.QueueUser(who)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at.String(), nil)
	fine(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	fine(t, err)
	defer res.Body.Close()
	back, err := res.Location()
	fine(t, err)
	return back.Query()
}

// arrives signs a user in.
func (l *lab) arrives(i issuer, who claims, to string) reply {
	l.t.Helper()
	at, flow := l.begin(to)
	return l.look(callback+"?"+i.asked(l.t.(*testing.T), at, who).Encode(), "Cookie", flow)
}

func TestPeopleSignInElsewhere(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	host := strings.TrimPrefix(i.Addr(), "http://")
	door := l.look("/exports?cursor=x", "Accept", htmlType)
	if door.status != http.StatusUnauthorized || !strings.Contains(door.body, "Sign in with "+host) ||
		!strings.Contains(door.body, `href="/sign-in/oidc?to=%2fexports%3fcursor%3dx"`) {
		t.Fatalf("the door: %d %s", door.status, door.body)
	}
	l.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REQUIRED") // without a key, too, requests need a credential

	at, flow := l.begin("/exports")
	q := at.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" ||
		q.Get("redirect_uri") != "https://rollcall.example"+callback || q.Get("scope") != "openid profile email groups" {
		t.Errorf("the issuer is asked %v", q)
	}
	back := callback + "?" + i.asked(t, at, ann).Encode()
	in := l.look(back, "Cookie", flow)
	if in.status != http.StatusSeeOther || in.header.Get("Location") != "/exports" || in.kept(flowName) != "" {
		t.Fatalf("signed in: %d %v", in.status, in.header)
	}
	for _, line := range in.header.Values("Set-Cookie") {
		if !strings.Contains(line, "HttpOnly") || !strings.Contains(line, "SameSite=Lax") {
			t.Errorf("Set-Cookie: %s", line)
		}
	}
	if again := l.look(back, "Cookie", flow); again.status != http.StatusBadRequest || again.kept(sessionName) != "" {
		t.Errorf("the same answer once more: %d %v", again.status, again.header)
	}
	session := in.kept(sessionName)
	if r := l.look("/sign-in", "Cookie", session); !strings.Contains(r.body, "As ann@example.com: tenant acme, role reviewer.") {
		t.Errorf("signed in, the page says %s", r.body)
	}
	mine := []string{"Cookie", session, "Sec-Fetch-Site", "same-origin", "Content-Type", jsonType}
	made := l.call(http.MethodPost, "/api/v1/tasks", `{"kind":"products.import","open":true}`, mine...)
	made.is(http.StatusAccepted)
	if o := made.object(); o["created_by"] != "oidc:ann@example.com" || o["tenant"] != "acme" {
		t.Errorf("made %s", made.body)
	}
	l.look(keysPath, mine...).refuses(http.StatusForbidden, "SCOPE_MISSING")

	other := l.arrives(i, ann.with(claims{"roles": "boss"}), "//evil.example") // the user is an admin from now on
	if other.header.Get("Location") != "/" {
		t.Errorf("on to %q", other.header.Get("Location"))
	}
	list, _ := l.look(keysPath, mine...).items()
	if len(list) != 1 || list[0]["name"] != "ann@example.com" || list[0]["prefix"] != "" || list[0]["role"] != "admin" {
		t.Fatalf("keys = %v", list)
	}
	me := keysPath + "/" + list[0]["id"].(string)
	l.call(http.MethodPost, me+"/rotate", "{}", mine...).refuses(http.StatusNotFound, "NOT_FOUND")
	log, _ := l.look(me+"/audit", mine...).items()
	if len(log) != 2 || log[0]["by"] != "oidc:ann@example.com" || log[0]["note"] != "admin" || log[1]["act"] != "create" {
		t.Errorf("audit = %v", log)
	}
	l.call(http.MethodPost, "/sign-out", "", mine...).is(http.StatusSeeOther)
	l.look("/api/v1/tasks", mine...).refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")

	mine[1] = other.kept(sessionName)
	late := l.arrives(i, ann.with(claims{"tenant": "globex"}), "/") // a user of another tenant cannot see the task
	l.look("/api/v1/tasks/"+made.object()["id"].(string), "Cookie", late.kept(sessionName)).
		refuses(http.StatusNotFound, "NOT_FOUND")
	l.call(http.MethodDelete, me, "", mine...).is(http.StatusNoContent)
	l.look("/api/v1/tasks", mine...).refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	if r := l.arrives(i, ann, "/"); r.status != http.StatusForbidden || !strings.Contains(r.body, "access was revoked") {
		t.Errorf("shut out: %d %s", r.status, r.body)
	}
	l.pass(12 * time.Hour)
	l.look("/api/v1/tasks", "Cookie", late.kept(sessionName)).refuses(http.StatusUnauthorized, "API_KEY_EXPIRED")
}

// TestAccess_WrongOrMissingCredentials_AreRefused: the page says what to do, and no session is left.
func TestAccess_WrongOrMissingCredentials_AreRefused(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	hour := func(n int) int64 { return dawn.Add(time.Duration(n) * time.Hour).Unix() }
	same := func(url.Values) {}
	for _, one := range []struct {
		name   string
		who    claims
		spoil  func(url.Values)
		status int
		says   string
	}{
		{"a token for another service", claims{"aud": "other"}, same, 403, "is not valid for this service"},
		{"a token for another client", claims{"azp": "other"}, same, 403, "is not valid for this service"},
		{"a token for several clients", claims{"aud": []string{i.ClientID, "other"}}, same, 403, "is not valid for this service"},
		{"an access token", claims{"typ": "Bearer"}, same, 403, "is not valid for this service"},
		{"a token of another issuer", claims{"iss": "https://other.example"}, same, 403, "is not valid for this service"},
		{"a token of nobody", claims{"sub": ""}, same, 403, "is not valid for this service"},
		{"a token that does not count yet", claims{"nbf": hour(1)}, same, 403, "is not valid for this service"},
		{"a token that is old already", claims{"exp": hour(-1)}, same, 403, "clocks"},
		{"a token for another sign-in", claims{"nonce": "other"}, same, 400, "Sign in again"},
		{"no tenant", claims{"tenant": nil}, same, 403, "tenant"},
		{"two tenants", claims{"tenant": []string{"a", "b"}}, same, 403, "tenant"},
		{"a tenant that is a path", claims{"tenant": "a/b"}, same, 403, "tenant"},
		{"no role", claims{"roles": nil}, same, 403, "no role"},
		{"roles that mean nothing here", claims{"roles": []string{"admin", "root"}}, same, 403, "no role"},
		{"who gave up", nil, func(q url.Values) { q.Set("error", "access_denied") }, 403, "you canceled"},
		{"who was asked for what there is not", nil, func(q url.Values) { q.Set("error", "invalid_scope") }, 403, "sign you in"},
		{"an issuer that is out of order", nil, func(q url.Values) { q.Set("error", "server_error") }, 503, "reachable"},
		{"another state", nil, func(q url.Values) { q.Set("state", "other") }, 400, "Sign in again"},
		{"no state", nil, func(q url.Values) { q.Del("state") }, 400, "Sign in again"},
		{"another code", nil, func(q url.Values) { q.Set("code", "other") }, 400, "Sign in again"},
		{"no code", nil, func(q url.Values) { q.Del("code") }, 400, "Sign in again"},
	} {
		at, flow := l.begin("/exports")
		q := i.asked(t, at, ann.with(one.who))
		one.spoil(q)
		l.out(one.name, l.look(callback+"?"+q.Encode(), "Cookie", flow), one.status, one.says)
	}
	l.fromElsewhere(i)
	l.look(callback).is(http.StatusBadRequest)
	var left int64
	fine(t, l.db.Read.Raw("SELECT count(*) FROM rollcall.api_keys").Scan(&left).Error)
	if left > 0 {
		t.Errorf("%d people were let in", left)
	}
}

// out checks the page of a user who was refused.
func (l *lab) out(name string, r reply, status int, says string) {
	l.t.Helper()
	if r.status != status || !strings.Contains(r.body, says) || r.kept(flowName) != "" {
		l.t.Errorf("%s: %d with %v, want %d: %s", name, r.status, r.header, status, r.body)
	}
	if r.kept(sessionName) != "" || !strings.Contains(r.body, "to=%2fexports") {
		l.t.Errorf("%s leaves %v, or leads nowhere: %s", name, r.header, r.body)
	}
}

// fromElsewhere tests callbacks with a cookie that was forged or belongs to another sign-in, a token without a
// nonce, and a callback that comes too late.
func (l *lab) fromElsewhere(i issuer) {
	l.t.Helper()
	t := l.t.(*testing.T)
	at, flow := l.begin("/exports")
	back := callback + "?" + i.asked(t, at, ann).Encode()
	body, seal, _ := strings.Cut(strings.TrimPrefix(flow, flowName), ".")
	text, err := base64.RawURLEncoding.DecodeString(body)
	fine(t, err)
	var kept map[string]any
	fine(t, json.Unmarshal(text, &kept))
	kept["v"] = strings.Repeat("x", 43)
	text, err = json.Marshal(kept)
	fine(t, err)
	stolen := flowName + base64.RawURLEncoding.EncodeToString(text) + "." + seal
	for _, unsigned := range []string{flowName + body, stolen} {
		if r := l.look(back, "Cookie", unsigned); r.status != 400 || !strings.Contains(r.body, "Sign in again") || r.kept(sessionName) != "" {
			t.Errorf("a flow that the service did not sign: %d %s", r.status, r.body)
		}
	}
	l.look(back, "Cookie", flowName+"%%").is(http.StatusBadRequest)
	bare, other := l.begin("/exports")
	l.out("two sign-ins side by side", l.look(back, "Cookie", other), 400, "Sign in again")
	q := bare.Query()
	q.Del("nonce")
	bare.RawQuery = q.Encode()
	l.out("a token without a nonce", l.look(callback+"?"+i.asked(t, bare, ann).Encode(), "Cookie", other), 400, "Sign in again")
	l.pass(10*time.Minute + time.Millisecond)
	l.out("a sign-in that was left", l.look(back, "Cookie", flow), 400, "Sign in again")
}

// token returns a token that the issuer signs for a program.
func (i issuer) token(_ *testing.T, who claims) string {
	now := i.Now()
	return i.Sign(nil, claims{
		"iss": i.Issuer.Issuer(), "aud": i.ClientID, "exp": now.Add(time.Hour).Unix(), "nbf": now.Unix(),
	}.with(who))
}

// typed returns a token with a type in its header.
func (i issuer) typed(typ string, who claims) string { return i.Sign(map[string]any{"typ": typ}, who) }

func TestProgramsComeWithTokens(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	_, key := l.member("acme", access.Admin)
	good := i.token(t, ann)
	mine := l.as(good)
	task := mine.accepted("a.csv", rows(1), "")
	if o := mine.look("/api/v1/tasks/" + task).object(); o["created_by"] != "oidc:ann@example.com" || o["tenant"] != "acme" {
		t.Errorf("made %v", o)
	}
	l.as(key).look("/api/v1/tasks/" + task).is(http.StatusOK)
	erp := ann.with(claims{"typ": "Bearer", "azp": "erp", "aud": []string{i.ClientID, "account"}})
	l.as(i.token(t, erp)).look("/api/v1/tasks/" + task).is(http.StatusOK) // an access token of a program
	access := claims{"iss": i.Issuer.Issuer(), "aud": i.ClientID, "exp": dawn.Unix() + 900}.with(ann)
	l.as(i.typed("application/at+jwt", access)).look("/api/v1/tasks/" + task).is(http.StatusOK)
	l.as(i.token(t, ann.with(claims{"tenant": "globex"}))).look("/api/v1/tasks/"+task).refuses(404, "NOT_FOUND")
	guest := l.as(i.token(t, ann.with(claims{"roles": "guest"})))
	guest.look("/api/v1/tasks/" + task).is(http.StatusOK)
	guest.postTo("/api/v1/tasks/"+task+"/pause", "").refuses(http.StatusForbidden, "SCOPE_MISSING", "viewer")
	l.as(i.token(t, ann.with(claims{"roles": nil}))).look("/api/v1/tasks").refuses(401, "TOKEN_WITHOUT_ROLE", "role")
	l.as(i.token(t, ann.with(claims{"tenant": nil}))).look("/api/v1/tasks").refuses(401, "TOKEN_WITHOUT_ROLE", "tenant")
	l.look("/api/v1/tasks", "Cookie", sessionName+good).refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")
	l.as("a.b.c").look("/api/v1/tasks").refuses(http.StatusUnauthorized, "TOKEN_INVALID")
	for name, bad := range i.forged(t, good) {
		r := l.as(bad).look("/api/v1/tasks")
		if r.status != http.StatusUnauthorized || r.object()["code"] != "TOKEN_INVALID" ||
			!strings.Contains(r.header.Get("WWW-Authenticate"), "invalid_token") {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	i.Rename("next")
	next := l.as(i.token(t, ann.with(claims{"sub": "u-2"}))) // the issuer has another key
	next.look("/api/v1/tasks").is(http.StatusOK)

	for range 20 {
		l.as("a.b.c").look("/api/v1/tasks")
	}
	l.as("a.b.c").look("/api/v1/tasks").refuses(http.StatusTooManyRequests, "TOO_MANY_WRONG_KEYS")
	l.as(i.token(t, ann.with(claims{"sub": "u-3"}))).look("/api/v1/tasks").is(http.StatusOK)
	next.look("/api/v1/tasks").is(http.StatusOK)
	l.pass(2 * time.Hour)
	next.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "TOKEN_EXPIRED")
	if strings.Contains(l.log.String(), good[:40]) {
		t.Errorf("logged: %s", l.log)
	}
}

// forged lists tokens with valid claims that must be refused.
func (i issuer) forged(t *testing.T, good string) map[string]string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(good, ".")[1])
	fine(t, err)
	var said claims
	fine(t, json.Unmarshal(text, &said))
	byPublicKey, unsigned := i.Forge(i.JWKS(), said), i.Forge(nil, said)
	head, body, sign := good[:strings.Index(good, ".")], good[strings.Index(good, ".")+1:strings.LastIndex(good, ".")],
		good[strings.LastIndex(good, ".")+1:]
	more, err := json.Marshal(said)
	fine(t, err)
	changed := strings.Replace(string(more), "editor", "boss", 1)
	later := dawn.Add(24 * time.Hour).Unix()
	logout := i.typed("logout+jwt", said)
	return map[string]string{
		"signed by what both have":  byPublicKey,
		"not signed":                unsigned,
		"without its signature":     head + "." + body + ".",
		"changed":                   head + "." + base64.RawURLEncoding.EncodeToString([]byte(changed)) + "." + sign,
		"for another service":       i.token(t, ann.with(claims{"aud": "other"})),
		"for the end of a session":  logout,
		"to refresh another":        i.token(t, ann.with(claims{"typ": "Refresh"})),
		"of a sign-in elsewhere":    i.token(t, ann.with(claims{"typ": "ID", "azp": "other"})),
		"of another issuer":         i.token(t, ann.with(claims{"iss": "https://other.example"})),
		"that does not count yet":   i.token(t, ann.with(claims{"nbf": later})),
		"of nobody":                 i.token(t, ann.with(claims{"sub": nil})),
		"that is longer than a key": i.token(t, ann.with(claims{"x": strings.Repeat("x", 16<<10)})),
	}
}

// TestAnIssuerThatIsAway: API keys still work, and later sign-ins ask the issuer again.
func TestAnIssuerThatIsAway(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted, func(o *web.Options) { o.Ready = nil })
	_, key := l.member("acme", access.Admin)
	token := l.as(i.token(t, ann))
	i.QueueError()
	token.look("/api/v1/tasks").refuses(http.StatusServiceUnavailable, "SIGN_IN_UNAVAILABLE")
	if r := l.look("/sign-in/oidc?to=/exports"); r.status != 503 || r.header.Get("Retry-After") == "" ||
		!strings.Contains(r.body, "API key") || !strings.Contains(r.body, "to=%2fexports") {
		t.Errorf("begun without an issuer: %d %s", r.status, r.body)
	}
	l.look("/sign-in").is(http.StatusOK)
	l.look("/readyz").is(http.StatusOK)
	l.as(key).look("/api/v1/tasks").is(http.StatusOK)
	l.pass(2 * time.Second)
	i.QueueError()
	token.look("/api/v1/tasks").refuses(http.StatusServiceUnavailable, "SIGN_IN_UNAVAILABLE")
	l.pass(2 * time.Second)
	at, flow := l.begin("/exports") // the issuer answers, but its keys cannot be loaded
	i.QueueError()
	token.look("/api/v1/tasks").refuses(http.StatusServiceUnavailable, "SIGN_IN_UNAVAILABLE")
	token.look("/api/v1/tasks").is(http.StatusOK)
	back := callback + "?" + i.asked(t, at, ann).Encode()
	for range 2 { // for each of the two ways to send the client secret
		i.QueueError()
	}
	l.out("no token for the code", l.look(back, "Cookie", flow), http.StatusServiceUnavailable, "reachable")

	l.loseTables()
	l.look(back, "Cookie", flow).is(http.StatusInternalServerError)
	none := newLab(t)
	none.look("/sign-in/oidc", "Accept", htmlType).is(http.StatusNotFound)
	none.look(callback, "Accept", htmlType).is(http.StatusNotFound)
}

// TestWalkWrongTokens: each path refuses a wrong token.
func TestWalkWrongTokens(t *testing.T) {
	t.Parallel()
	w, i := newWalk(t), newIssuer(t)
	i.trusted(&w.opt)
	w.serve()
	with := func(who claims) func(*http.Request, *operation) {
		token := i.token(t, ann.with(who))
		return func(r *http.Request, _ *operation) {
			w.pass(2 * time.Minute) // so that earlier wrong tokens do not limit the rate
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
	forever := dawn.Add(24 * 365 * time.Hour).Unix()
	w.every(401, "TOKEN_EXPIRED", with(claims{"exp": dawn.Unix() - 1}))
	w.every(401, "TOKEN_INVALID", with(claims{"aud": "other", "exp": forever}))
	w.every(401, "TOKEN_WITHOUT_ROLE", with(claims{"roles": nil, "exp": forever}))
	i.Shutdown()
	i.trusted(&w.opt)
	w.serve()
	w.every(503, "SIGN_IN_UNAVAILABLE", with(nil))
}
