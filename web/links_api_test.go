package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// uploaded imports a file for a caller and returns the path of the file.
func (l *lab) uploaded(content string) string {
	l.t.Helper()
	task := l.accepted("a.csv", content, "")
	source := l.look("/api/v1/tasks/" + task).object()["source"].(map[string]any)
	return "/api/v1/files/" + source["file_id"].(string)
}

// linkTo creates a link to a file.
func (l *lab) linkTo(file string) string {
	l.t.Helper()
	r := l.postTo(file+"/links", `{"expires_in":600}`)
	r.is(http.StatusCreated)
	return r.object()["url"].(string)
}

func TestLink_MakerIsRevoked_Ends(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	_, boss := l.member("acme", access.Admin)
	maker, secret := l.member("acme", access.Reviewer)
	l.tenant = "acme"
	file := l.as(secret).uploaded(rows(1))
	ofKey, ofBoss := l.as(secret).linkTo(file), l.as(boss).linkTo(file)
	ofPerson := l.as(i.token(t, ann.with(claims{"exp": dawn.Unix() + 900}))).linkTo(file)
	stranger := l.as("")
	for _, at := range []string{ofKey, ofBoss, ofPerson} {
		stranger.look(at).is(http.StatusOK)
	}
	people, _ := l.as(boss).look(keysPath).items()
	for _, id := range []string{maker, people[0]["id"].(string)} {
		l.as(boss).call(http.MethodDelete, keysPath+"/"+id, "").is(http.StatusNoContent)
	}
	stranger.look(ofKey).refuses(http.StatusForbidden, "LINK_ENDED")
	stranger.look(ofPerson).refuses(http.StatusForbidden, "LINK_ENDED")
	stranger.look(ofBoss).is(http.StatusOK)
	if got := l.logged("code=LINK_ENDED"); len(got) == 0 || !strings.Contains(got[0], "credential="+maker) {
		t.Errorf("logged: %q", got)
	}
	stranger.look(strings.Replace(ofKey, "by="+maker, "by=", 1)).refuses(http.StatusForbidden, "LINK_INVALID")
	other := people[len(people)-1]["id"].(string)
	stranger.look(strings.Replace(ofKey, "by="+maker, "by="+other, 1)).refuses(http.StatusForbidden, "LINK_INVALID")
}

func TestLink_KeyExpires_Ends(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret, err := l.opt.Access.Create(t.Context(), "test", access.Draft{
		Tenant: "acme", Name: "short", Role: access.Reviewer, ExpiresAt: l.clock().Add(time.Minute),
	})
	fine(t, err)
	l.tenant = "acme"
	at := l.as(secret).linkTo(l.as(secret).uploaded(rows(1)))
	l.look(at).is(http.StatusOK)
	l.pass(time.Minute)
	l.look(at).refuses(http.StatusForbidden, "LINK_ENDED")
}

func TestLink_Made_IsInTheAudit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id, secret := l.member("acme", access.Admin)
	l.tenant = "acme"
	mine := l.as(secret)
	file := mine.uploaded(rows(1))
	mine.linkTo(file)
	log, _ := mine.look("/api/v1/audit").items()
	if len(log) == 0 || log[0]["act"] != "create-link" || log[0]["by"] != id || log[0]["target"] != strings.TrimPrefix(file, "/api/v1/files/") {
		t.Errorf("audit: %v", log)
	}
}
