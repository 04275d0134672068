package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// apiAlone starts one API process without a worker, so that only the bench causes work. It also connects
// to the ledger of the process.
func (l *lab) apiAlone(ctx context.Context) (*site, *pgx.Conn, error) {
	ledger := testenv.Postgres(l)
	env := []string{
		"LISTEN=127.0.0.1:0", "DATABASE_URL=" + ledger, "REDIS_URL=" + testenv.StartRedis(l).URL(),
		"BLOB_URL=file://" + l.TempDir(),
	}
	p := testenv.StartProcess(l, l.program("service"), env, "api")
	s := &site{url: p.URL(), procs: map[string]*testenv.Process{"api": p}, ledger: ledger}
	db, err := pgx.Connect(ctx, ledger)
	if err != nil {
		return nil, nil, err
	}
	l.Cleanup(func() { _ = db.Close(context.Background()) }) // everything is measured by then
	return s, db, nil
}

// openTask creates a task whose jobs are added later.
func openTask(url, name string) (task, error) {
	body, err := json.Marshal(map[string]any{"kind": "products.import", "name": name, "open": true})
	if err != nil {
		return task{}, err
	}
	resp, err := client.Post(url+"/api/v1/tasks", "application/json", strings.NewReader(string(body)))
	if err != nil {
		return task{}, fmt.Errorf("open a task: %w", err)
	}
	return decode(resp, http.StatusAccepted)
}
