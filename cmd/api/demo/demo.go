// Package demo fills a running service with the sample data of three shops.
//
// The package uses only the API, like the programs of tenants. Afterwards each tenant has a running import,
// an import with rows to correct, a repaired import, an export, a schedule and a webhook. Fill
// deletes nothing: a second run adds more data.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/client"
)

// Tenant holds the name of a tenant and an API key of the tenant.
type Tenant struct{ Name, Key string }

// Tenants lists the names of the demo's tenants.
var Tenants = []string{"acme", "globex", "initech"}

// Reach returns nil if a healthy service responds at the address within 30 seconds.
func Reach(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(address, "/")+"/healthz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("demo: start the service first: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("demo: the service at %s is not healthy: %s", address, res.Status)
	}
	return nil
}

// Fill fills the service at the address with the sample data of the tenants. It writes a line to `out`
// after each step of each tenant, and ends at the first error.
func Fill(ctx context.Context, address string, tenants []Tenant, out io.Writer) error {
	for n, tenant := range tenants {
		c, err := client.New(address, client.Options{Key: tenant.Key})
		if err != nil {
			return err
		}
		s := &shop{Client: c, tenant: tenant, address: strings.TrimRight(address, "/"), seed: n + 1}
		for _, step := range []struct {
			name string
			do   func(context.Context) error
		}{
			{"a schedule and a webhook", s.subscribe},
			{"an import that was repaired", s.importRepaired},
			{"an import with rows to correct", s.importBad},
			{"an export", s.export},
			{"an import that runs for some minutes", s.importSlow},
		} {
			if err := step.do(ctx); err != nil {
				return fmt.Errorf("demo: %s: %s: %w", tenant.Name, step.name, err)
			}
			fmt.Fprintf(out, "%s: %s\n", tenant.Name, step.name)
		}
	}
	return nil
}

// shop is a tenant that Fill fills with data.
type shop struct {
	*client.Client
	tenant  Tenant
	address string
	seed    int // makes the data of each tenant different
}

// post sends a request for which package client has no method.
func (s *shop) post(ctx context.Context, path, body string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.tenant.Key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 10_000))
	if err == nil && res.StatusCode >= http.StatusMultipleChoices {
		err = errors.New(path + ": " + res.Status + ": " + string(text))
	}
	return err
}
