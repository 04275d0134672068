package web_test

import (
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/web"
)

// behind returns a lab whose service trusts a proxy on loopback addresses.
func behind(t *testing.T) *lab {
	trusted, err := proxy.Parse([]string{"127.0.0.0/8", "::1"})
	fine(t, err)
	return newLab(t, func(o *web.Options) { o.TrustedProxies = trusted })
}

func TestAddress_ClientsBehindATrustedProxy_AreCountedApart(t *testing.T) {
	t.Parallel()
	l := behind(t)
	l.opt.Guarded = true // otherwise, the service requires a key, and counts its tenant
	l.pace(2)
	from := func(want int, header, value string) {
		t.Helper()
		l.look("/api/v1/kinds", header, value).is(want)
	}
	from(http.StatusOK, "X-Forwarded-For", "198.51.100.7")
	from(http.StatusOK, "X-Forwarded-For", "1.1.1.1, 198.51.100.7")
	from(http.StatusTooManyRequests, "X-Forwarded-For", "2.2.2.2, 198.51.100.7")
	from(http.StatusTooManyRequests, "Forwarded", "for=198.51.100.7")
	from(http.StatusOK, "X-Forwarded-For", "198.51.100.8")
	from(http.StatusOK, "Forwarded", `for="[2001:db8::1]:99"`)
}

func TestAddress_PeerThatIsNotTrusted_CannotChooseIt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.opt.Guarded = true
	l.pace(2)
	for i, client := range []string{"198.51.100.1", "198.51.100.2", "198.51.100.3"} {
		want := http.StatusOK
		if i == 2 {
			want = http.StatusTooManyRequests
		}
		l.look("/api/v1/kinds", "X-Forwarded-For", client, "Forwarded", "for="+client).is(want)
	}
}
