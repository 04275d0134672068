package boot

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

func TestCheckReportsEveryFault(t *testing.T) {
	t.Parallel()
	good := settings.Config{
		Listen: "127.0.0.1:0", DataDir: "data", Concurrency: 1, Lease: time.Second, MaxUpload: 1,
		Retention: 90,
	}
	if err := good.Check(settings.Role{API: true}); err != nil {
		t.Errorf("the embedded mode: %v", err)
	}
	bucket := good
	bucket.BlobURL, bucket.S3ID = "s3://bucket/prefix?endpoint=http://minio:9000", "key"
	if err := bucket.Check(settings.Role{API: true}); err == nil || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("a key without a secret: %v", err)
	}
	bucket.S3Secret = "secret"
	if err := bucket.Check(settings.Role{API: true}); err != nil {
		t.Errorf("a bucket: %v", err)
	}
	bad := settings.Config{
		Listen: "80", DatabaseURL: "mysql://x", BlobURL: "s3://bucket?endpoint=minio:9000", Concurrency: 0, Lease: 0,
		Hosts: []string{"x", ":80"}, Proxies: []string{"10.0.0.0/8", "nginx"}, CrashLimit: -1, StopTimeout: 2 * time.Hour, Poll: time.Millisecond, DatabasePool: 3,
		MaxRows: 1<<20 + 1,
	}
	err := bad.Check(settings.Role{API: true})
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{
		"REDIS_URL", "postgres://", "BLOB_URL", "CONCURRENCY", "LISTEN", "RETENTION", `TRUSTED_PROXIES: "nginx"`, `HOSTS: ":80" has no host name`,
		"CRASH_LIMIT", "MAX_ROWS must be from 1 to 1048576", "STOP_TIMEOUT must be from 0s to 1h0m0s", "POLL_INTERVAL must be from 10ms to 1m0s", "DATABASE_POOL must be from 4 to 1000",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported: %v", want, err)
		}
	}
	if err := good.Check(settings.Role{Workers: true}); err == nil {
		t.Error("a worker without servers was accepted")
	}
}

// TestOIDCIsCheckedWhole: all faults of the settings are reported together. A process with only
// workers does not check them.
func TestOIDCIsCheckedWhole(t *testing.T) {
	t.Parallel()
	good := settings.OIDC{
		PublicURL: "https://rollcall.example.com/", Issuer: "https://login.example.com/realms/shop", ClientID: "rollcall",
		TenantClaim: "tenant", RolesClaim: "groups", Roles: map[string]string{"a": "viewer", "b": "admin", "c": "viewer"},
	}
	if err := good.Check(); err != nil {
		t.Errorf("a whole one: %v", err)
	}
	if rules := good.Rules(); len(rules) != 3 || rules[0].Role != "admin" || rules[1].Value != "a" {
		t.Errorf("rules = %v, want the greatest role first", rules)
	}
	hosts := settings.Config{Hosts: []string{"x", "y:80", "[::1]", "[::2]:80", "::3", "Shop.Example.com"}, OIDC: good}
	if got := hosts.AllowedHosts(); !slices.Equal(got, []string{"x", "y", "::1", "::2", "::3", "shop.example.com", "rollcall.example.com"}) {
		t.Errorf("hosts = %q", got)
	}
	local := good
	local.PublicURL, local.Issuer = "http://localhost:8080", "http://127.0.0.1:5556/dex"
	if err := local.Check(); err != nil {
		t.Errorf("all on this machine: %v", err)
	}
	below := good
	if below.PublicURL = "https://example.com/team/rollcall/"; below.Check() != nil || below.BaseURL() != "/team/rollcall" {
		t.Errorf("an address with a path: %v, %q", below.Check(), below.BaseURL())
	}
	bad := settings.OIDC{
		PublicURL: "https://rollcall.example.com/tasks", Issuer: "http://login.example.com", Secret: "x",
		SecretFile: filepath.Join(t.TempDir(), "none"), Tenant: "a/b", Roles: map[string]string{"a": "root"},
	}
	err := settings.Config{OIDC: bad}.Check(settings.Role{API: true})
	for _, want := range []string{
		"PUBLIC_URL", "OIDC_ISSUER must", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET_FILE", "OIDC_TENANT ", "OIDC_ROLES_CLAIM",
		`OIDC_ROLES: "a"`, "RETENTION",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported: %v", want, err)
		}
	}
	if err := (settings.OIDC{ClientID: "x"}).Check(); err == nil {
		t.Error("settings without an issuer were accepted")
	}
	if err := (settings.Config{OIDC: bad}).Check(settings.Role{Workers: true}); strings.Contains(err.Error(), "OIDC") {
		t.Errorf("a worker is asked for what it does not use: %v", err)
	}
}

func TestADataFolderIsForOneProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	release, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockDir(dir); err == nil {
		t.Error("a second process got the folder")
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if release, err = lockDir(dir); err != nil {
		t.Errorf("the folder is not free after its release: %v", err)
	} else if err := release(); err != nil {
		t.Error(err)
	}
}
