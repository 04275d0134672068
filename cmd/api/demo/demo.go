// Package demo fills a running service with the sample data of three shops.
//
// It uses only the API, like the programs of tenants. It promises that each tenant then has a running
// import, an import with rows to correct, a repaired import, an export, a schedule and a webhook. It
// deletes nothing: a second run adds to the first.
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

// Tenant is a tenant with the key of its program.
type Tenant struct{ Name, Key string }

// Tenants are the names of the tenants that Fill fills.
var Tenants = []string{"acme", "globex", "initech"}

// Fill fills a service at an address. It writes a line to out for each step.
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
			{"an import with rows to correct", s.importBad},
			{"an import that was repaired", s.importRepaired},
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

// shop is a tenant while it is filled.
type shop struct {
	*client.Client
	tenant  Tenant
	address string
	seed    int // makes the data of each tenant different
}

// post sends a request that package client has no method for.
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
