package rollcall_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

type letter struct {
	To string `row:"To" key:"true" validate:"required,email"`
}

// A program has its own server, and Rollcall in it.
func Example() {
	dir, err := os.MkdirTemp("", "rollcall")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing of it is kept
	send := worker.Define("letters.send", func(_ context.Context, job *worker.Job[letter]) error {
		fmt.Println("to", job.Args.To)
		return nil
	})
	ctx, stop := context.WithCancel(context.Background())
	service, err := rollcall.New(ctx, rollcall.Options{Kinds: worker.NewRegistry(send), DataDir: dir})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/rollcall/", http.StripPrefix("/rollcall", service.Handler()))
	server := httptest.NewServer(mux)
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()

	ref, err := send.Enqueue(ctx, service.Client(), letter{To: "ada@example.com"})
	if err != nil {
		log.Fatal(err)
	}
	status, err := service.Client().Find("default", ref.TaskID).Wait(ctx)
	fmt.Println(status, err)

	answer, err := http.Get(server.URL + "/rollcall/api/v1/tasks/" + ref.TaskID)
	if err != nil {
		log.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.Status, answer.Body.Close(), strings.Contains(string(body), `"finish":1`))

	server.Close() // first whoever calls, then the service
	stop()
	fmt.Println(<-ended)
	// Output:
	// to ada@example.com
	// finished <nil>
	// 200 OK <nil> true
	// <nil>
}

// TestWhatIsWrongIsToldAtOnce, and nobody else is let in by mistake.
func TestWhatIsWrongIsToldAtOnce(t *testing.T) {
	t.Parallel()
	kinds := worker.NewRegistry()
	for name, tt := range map[string]struct {
		opt  rollcall.Options
		told []string
	}{
		"no kinds":        {rollcall.Options{}, []string{"Kinds"}},
		"several":         {rollcall.Options{Kinds: kinds, RedisURL: "redis://x", Keep: time.Hour, Lease: 1}, []string{"REDIS_URL", "RETENTION", "LEASE"}},
		"nobody to work":  {rollcall.Options{Kinds: kinds, NoWorkers: true}, []string{"NoWorkers"}},
		"open to anybody": {rollcall.Options{Kinds: kinds, Hosts: []string{"tasks.example.com"}}, []string{rollcall.ErrOpen.Error()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.opt.DataDir = t.TempDir()
			_, err := rollcall.New(t.Context(), tt.opt)
			if err == nil {
				t.Fatal("it was accepted")
			}
			for _, want := range tt.told {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not told: %v", want, err)
				}
			}
		})
	}
}

// TestAFolderIsFreeAfterClose, and a service runs once.
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
