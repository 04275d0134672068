//go:build all

package e2e

import (
	"context"
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// price holds the columns of a product that the other program has.
type price struct {
	SKU   string `row:"SKU" key:"true" validate:"required"`
	Name  string `row:"Name" validate:"required"`
	Price string `row:"Price"`
	Brand string `row:"Brand"`
}

// TestAnotherProgram enqueues jobs for a running service, also while no API runs. The program has
// only the addresses of the service.
func TestAnotherProgram(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	h.worker()
	refuse := func(context.Context, *worker.Job[price]) error { return errors.New("not here") }
	imports := worker.Define("products.import", refuse)
	at := worker.Backends{DatabaseURL: h.postgres, RedisURL: h.redis.URL()}
	client, err := worker.Connect(t.Context(), at, worker.NewRegistry(imports), worker.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}()
	rows := func(yield func(price, error) bool) {
		for _, sku := range []string{"A", "B", "C"} {
			if !yield(price{SKU: sku, Name: sku, Price: "1", Brand: "Acme"}, nil) {
				return
			}
		}
	}
	ref, err := imports.Task(t.Context(), client, "from elsewhere", rows)
	if err != nil {
		t.Fatal(err)
	}
	status, err := ref.Wait(t.Context())
	counts, lost := ref.Counts(t.Context())
	if errors.Join(err, lost) != nil || status != tasks.Finished || counts.Finish != 3 {
		t.Errorf("the task ended %s with %+v, %v, %v", status, counts, err, lost)
	}
}

func TestConnectNeedsAddresses(t *testing.T) {
	t.Parallel()
	kinds := worker.NewRegistry()
	for _, at := range []worker.Backends{{}, {DatabaseURL: "postgres://127.0.0.1:1/x"}, {RedisURL: "redis://h"}} {
		if _, err := worker.Connect(t.Context(), at, kinds, worker.ClientOptions{}); !errors.Is(err, worker.ErrNoAddress) {
			t.Errorf("Connect(%+v) = %v, want ErrNoAddress", at, err)
		}
	}
	at := worker.Backends{DatabaseURL: t.TempDir() + "/x.db", RedisURL: "http://h"}
	if _, err := worker.Connect(t.Context(), at, kinds, worker.ClientOptions{}); err == nil {
		t.Error("an address that is none of Redis was accepted")
	}
}
