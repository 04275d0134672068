package rollcall_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

type letter struct {
	To string `row:"To" key:"true" validate:"required,email"`
}

// This program has its own server, and Rollcall in it.
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
	service, err := rollcall.New(ctx, rollcall.Options{
		Kinds: worker.NewRegistry(send), DataDir: dir, Settings: map[string]string{"RATE_LIMIT": "600"},
	})
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

	server.Close() // the HTTP server stops before the service
	stop()
	fmt.Println(<-ended)
	// Output:
	// to ada@example.com
	// finished <nil>
	// 200 OK <nil> true
	// <nil>
}
