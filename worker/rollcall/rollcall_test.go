package rollcall_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

// TestNew_WrongSettings_AreReportedTogether checks that New reports all faults of the options together, and rejects
// hosts that other machines can reach without a credential.
func TestNew_WrongSettings_AreReportedTogether(t *testing.T) {
	t.Parallel()
	kinds := worker.NewRegistry()
	for name, tt := range map[string]struct {
		opt     rollcall.Options
		missing []string
	}{
		"no kinds":           {rollcall.Options{}, []string{"Kinds"}},
		"several":            {rollcall.Options{Kinds: kinds, RedisURL: "redis://x", Keep: time.Hour, Settings: map[string]string{"LEASE": "1ns"}}, []string{"REDIS_URL", "RETENTION", "LEASE"}},
		"settings":           {rollcall.Options{Kinds: kinds, Settings: map[string]string{"RATE_LIMITS": "1", "MAX_UPLOAD": "much", "LISTEN": ":80"}}, []string{"RATE_LIMITS", "MAX_UPLOAD", "LISTEN"}},
		"nobody to work":     {rollcall.Options{Kinds: kinds, NoWorkers: true}, []string{"NoWorkers"}},
		"open by HOSTS":      {rollcall.Options{Kinds: kinds, Settings: map[string]string{"HOSTS": "localhost,tasks.example.com"}}, []string{rollcall.ErrOpen.Error()}},
		"open by PUBLIC_URL": {rollcall.Options{Kinds: kinds, Settings: map[string]string{"PUBLIC_URL": "https://tasks.example.com/x"}}, []string{rollcall.ErrOpen.Error()}},
		"open to anybody":    {rollcall.Options{Kinds: kinds, Hosts: []string{"tasks.example.com"}}, []string{rollcall.ErrOpen.Error()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.opt.DataDir = t.TempDir()
			_, err := rollcall.New(t.Context(), tt.opt)
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, want := range tt.missing {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not reported: %v", want, err)
				}
			}
		})
	}
}

// TestAFolderIsFreeAfterClose opens two services in one folder, one after the other.
func TestAFolderIsFreeAfterClose(t *testing.T) {
	t.Parallel()
	opt := rollcall.Options{Kinds: worker.NewRegistry(), DataDir: t.TempDir(), Hosts: []string{"a.example"}, Guarded: true}
	for range 2 {
		s, err := rollcall.New(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rollcall.New(t.Context(), opt); err == nil {
			t.Error("two services share one folder")
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Error(err)
		}
		if err := s.Run(t.Context()); !errors.Is(err, rollcall.ErrRun) {
			t.Errorf("Run after Close: %v", err)
		}
	}
}
