package boot

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

func TestSettings_OfAnEmbeddedService_AreThoseOfTheCommands(t *testing.T) {
	t.Setenv("RATE_LIMIT", "7") // is not read
	cfg, err := Settings(map[string]string{
		"LEASE": "20s", "WEIGHTS": "a=3,b=1", "TRUSTED_PROXIES": "10.0.0.0/8,::1", "SCHEDULER": "weighted", "SHARD_ASSIGNMENT": "1/3",
		"RUN_HOURS": "a=22:00-06:00 Europe/Berlin,b=",
	})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Lease != 20*time.Second || !reflect.DeepEqual(cfg.Weights, map[string]int{"a": 3, "b": 1}) || len(cfg.Proxies) != 2 ||
		cfg.RateLimit != 0 || cfg.Retention != 90 || cfg.Concurrency != 25 {
		t.Errorf("settings %+v", cfg)
	}
	if err := cfg.Check(settings.Role{API: true}); err != nil {
		t.Error(err)
	}
	if hours, err := cfg.Hours(); err != nil || hours["a"].String() != "22:00-06:00 Europe/Berlin" || len(hours) != 2 {
		t.Errorf("hours %v, %v", hours, err)
	}
	cfg.RunHours["a"] = "at night"
	if err := cfg.Check(settings.Role{API: true}); err == nil || !strings.Contains(err.Error(), "RUN_HOURS: a") {
		t.Errorf("wrong hours: %v", err)
	}
	_, err = Settings(map[string]string{"RATE_LIMITS": "1", "LISTEN": ":80", "MAX_UPLOAD": "much", "SCHEDULER": "fast"})
	for _, name := range []string{"RATE_LIMITS", "LISTEN", "MAX_UPLOAD", "SCHEDULER"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}
