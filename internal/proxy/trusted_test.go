package proxy_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/proxy"
)

// request returns a request of a peer with headers, given as names and values.
func request(peer string, headers ...string) *http.Request {
	r := &http.Request{RemoteAddr: peer, Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

const (
	xff = "X-Forwarded-For"
	std = "Forwarded"
)

func TestClient_HeadersAndPeers_AreReadFromTheRight(t *testing.T) {
	t.Parallel()
	trusted, err := proxy.Parse([]string{"10.0.0.0/8", "192.0.2.1", "2001:db8:1::/48", " 172.16.3.4/12 "})
	if err != nil {
		t.Fatal(err)
	}
	const front = "10.1.2.3:5000"
	tests := []struct {
		name, peer string
		headers    []string
		want       string
	}{
		{"no header", front, nil, "10.1.2.3"},
		{"peer that is not trusted", "203.0.113.9:1", []string{xff, "198.51.100.7", std, "for=198.51.100.7"}, "203.0.113.9"},
		{"one entry", front, []string{xff, "198.51.100.7"}, "198.51.100.7"},
		{"spoofed entries on the left", front, []string{xff, "1.1.1.1, 10.0.0.9, 198.51.100.7"}, "198.51.100.7"},
		{"chain of proxies", front, []string{xff, "1.1.1.1, 198.51.100.7,172.16.0.1 , 10.9.9.9"}, "198.51.100.7"},
		{"proxies alone", front, []string{xff, "172.16.0.1, 10.9.9.9"}, "172.16.0.1"},
		{"two lines", front, []string{xff, "1.1.1.1", xff, "198.51.100.7"}, "198.51.100.7"},
		{"second line of proxies", front, []string{xff, "1.1.1.1, 198.51.100.7", xff, "10.9.9.9"}, "198.51.100.7"},
		{"port", front, []string{xff, "198.51.100.7:443"}, "198.51.100.7"},
		{"IPv6", front, []string{xff, "2001:db8::7"}, "2001:db8::7"},
		{"IPv6 in brackets", front, []string{xff, "[2001:db8::7]"}, "2001:db8::7"},
		{"IPv6 with port", front, []string{xff, "[2001:db8::7]:443"}, "2001:db8::7"},
		{"IPv6 proxy", "[2001:db8:1::5]:80", []string{xff, "2001:db8::7, [2001:db8:1::6]:99"}, "2001:db8::7"},
		{"IPv6 proxy with a zone", "[2001:db8:1::5%eth0]:80", []string{xff, "2001:db8::7"}, "2001:db8::7"},
		{"IPv4 within IPv6", "[::ffff:10.1.2.3]:80", []string{xff, "::ffff:198.51.100.7"}, "198.51.100.7"},
		{"no address", front, []string{xff, "198.51.100.7, unknown"}, "10.1.2.3"},
		{"no address behind a proxy", front, []string{xff, "198.51.100.7, nonsense, 10.9.9.9"}, "10.9.9.9"},
		{"empty", front, []string{xff, ""}, "10.1.2.3"},
		{"huge", front, []string{xff, strings.Repeat("1.1.1.1,", 9000)}, "10.1.2.3"},
		{"peer without a port", "10.1.2.3", []string{xff, "198.51.100.7"}, "198.51.100.7"},
		{"Forwarded", front, []string{std, `for=198.51.100.7;proto=https;by=10.1.2.3`}, "198.51.100.7"},
		{"Forwarded in any case", front, []string{std, `proto=https;For="198.51.100.7:80"`}, "198.51.100.7"},
		{"Forwarded IPv6", front, []string{std, `for=1.1.1.1, for="[2001:db8::7]:443"; proto=https`}, "2001:db8::7"},
		{"Forwarded chain", front, []string{std, `for=1.1.1.1, for=198.51.100.7 ,for=10.9.9.9`}, "198.51.100.7"},
		{"Forwarded lines", front, []string{std, `for=1.1.1.1`, std, `for=198.51.100.7`}, "198.51.100.7"},
		{"Forwarded escapes", front, []string{std, `for="198.51.\100.7"`}, "198.51.100.7"},
		{"Forwarded hidden", front, []string{std, `for=1.1.1.1, for=_secret`}, "10.1.2.3"},
		{"Forwarded without for", front, []string{std, `for=1.1.1.1, proto=https`}, "10.1.2.3"},
		{"open quote of the client", front, []string{std, `for=1.1.1.1;x=", for=198.51.100.7`}, "10.1.2.3"},
		{"quote of the client that the next one closes", front, []string{std, `for=1.1.1.1;x=", for="[2001:db8::7]"`}, "10.1.2.3"},
		{"broken line of the client", front, []string{std, `for="1.1.1.1`, std, `for=198.51.100.7`}, "198.51.100.7"},
		{"both agree", front, []string{xff, "1.1.1.1, 198.51.100.7", std, `for=198.51.100.7`}, "198.51.100.7"},
		{"Forwarded of the client passed on", front, []string{std, "for=1.1.1.1", xff, "198.51.100.7"}, "10.1.2.3"},
	}
	for _, test := range tests {
		if got := trusted.Client(request(test.peer, test.headers...)).String(); got != test.want {
			t.Errorf("%s: client = %s, want %s", test.name, got, test.want)
		}
	}
	if got := trusted.Client(request("@")); got.IsValid() {
		t.Errorf("client without an address = %s", got)
	}
}

func TestParse_WrongNetworks_AreNamed(t *testing.T) {
	t.Parallel()
	_, err := proxy.Parse([]string{"10.0.0.0/8", "nginx", "10.0.0.0/33", "0.0.0.0/0", "::/0", "", "fe80::1%eth0"})
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{`"nginx"`, `"10.0.0.0/33"`, `"0.0.0.0/0" trusts all`, `"::/0" trusts all`, `""`, `"fe80::1%eth0"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %s: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "10.0.0.0/8\" is not") {
		t.Errorf("a right network is named: %v", err)
	}
}

func TestUnnamed_ForwardedByAPeer_IsReportedUnlessTrusted(t *testing.T) {
	t.Parallel()
	trusted, err := proxy.Parse([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		r    *http.Request
		want string
	}{
		{request("192.0.2.1:9", xff, "198.51.100.7"), "192.0.2.1"},
		{request("192.0.2.1:9", std, "for=198.51.100.7"), "192.0.2.1"},
		{request("192.0.2.1:9"), ""},
		{request("10.0.0.1:9", xff, "198.51.100.7"), ""},
	} {
		peer, is := trusted.Unnamed(test.r)
		if got := peer.String(); is != (test.want != "") || is && got != test.want {
			t.Errorf("%v: %s, %v, want %q", test.r.Header, got, is, test.want)
		}
	}
}
