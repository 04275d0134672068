package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// lab provides private servers and processes, and stops all of them at the end. It implements testenv.T
// for the benches.
type lab struct {
	dir     string
	cleanup []func()
	built   map[string]string // programs of this module, by folder
	rows    int               // of the bench growth
	aof     bool              // the Redis servers of the queue benches use an append-only file
}

// failed is the panic value with which Fatalf ends the bench.
type failed struct{ error }

// Helper does nothing: there is no test log.
func (l *lab) Helper() {}

// Fatalf ends the bench.
func (l *lab) Fatalf(format string, args ...any) { panic(failed{fmt.Errorf(format, args...)}) }

// Cleanup adds a function to run at the end. The last added function runs first.
func (l *lab) Cleanup(f func()) { l.cleanup = append(l.cleanup, f) }

// TempDir creates a folder that is removed at the end.
func (l *lab) TempDir() string {
	dir, err := os.MkdirTemp(l.dir, "")
	if err != nil {
		l.Fatalf("%v", err)
	}
	return dir
}

// inLab runs f with a new lab, and cleans the lab up.
func inLab(aof bool, f func(*lab) error) (err error) {
	dir, err := os.MkdirTemp("", "rollcall-bench-")
	if err != nil {
		return err
	}
	l := &lab{dir: dir, built: map[string]string{}, aof: aof}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	defer l.leave(0)
	defer func() {
		if p := recover(); p != nil {
			fail, ok := p.(failed)
			if !ok {
				panic(p)
			}
			err = fail.error
		}
	}()
	return f(l)
}

// program builds a program of this module, once, and returns its path.
func (l *lab) program(folder string) string {
	if path, ok := l.built[folder]; ok {
		return path
	}
	path := filepath.Join(l.dir, folder)
	build := exec.Command("go", "build", "-o", path, "./"+folder)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		l.Fatalf("build %s: %w", folder, err)
	}
	l.built[folder] = path
	return path
}

// leave runs the cleanups that were added since l.cleanup had the length mark, newest first.
func (l *lab) leave(mark int) {
	for len(l.cleanup) > mark {
		last := len(l.cleanup) - 1
		f := l.cleanup[last]
		l.cleanup = l.cleanup[:last]
		f()
	}
}

// site is a running service.
type site struct {
	url    string
	procs  map[string]*testenv.Process
	ledger string // address of its Postgres; empty if no bench reads it
	redis  string // address of its Redis; empty if no bench reads it
}

// embedded starts the service in one process.
func (l *lab) embedded() *site {
	env := []string{"LISTEN=127.0.0.1:0", "DATA_DIR=" + l.TempDir()}
	p := testenv.StartProcess(l, l.program("service"), env, "api")
	return &site{url: p.URL(), procs: map[string]*testenv.Process{"service": p}}
}

// real starts one API and one worker process. Their Redis and Postgres have the default durability.
func (l *lab) real() *site { return l.spread(1, 0) }
