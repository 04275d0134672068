package settings

import "testing"

func TestOtherHost_NamesOfThisMachine_AreNotOthers(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"localhost", "LOCALHOST:8080", "localhost.", "app.localhost", "a.App.LocalHost.:80", "127.0.0.1", "[::1]:80"} {
		for name, c := range map[string]Config{
			"HOSTS": {Hosts: []string{host}}, "PUBLIC_URL": {OIDC: OIDC{PublicURL: "http://" + host}},
		} {
			if got := c.OtherHost(); got != "" {
				t.Errorf("%s=%s: %q is another host", name, host, got)
			}
		}
	}
	for _, host := range []string{"localhost.example", "app.localhost.example", "applocalhost", "localhost..", "192.0.2.1"} {
		if (Config{Hosts: []string{"localhost", host}}).OtherHost() != host {
			t.Errorf("HOSTS=%s is not another host", host)
		}
	}
	if err := (OIDC{PublicURL: "http://LOCALHOST:8080"}).Check(); err != nil {
		t.Errorf("in upper case, without TLS: %v", err)
	}
}
