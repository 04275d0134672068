// Package scaffold writes the first version of a worker. It consists of a struct for the rows of a
// file, a handler, a test, and a sample of the file.
//
// The written package compiles, its test passes, and no existing file is changed. Package scaffold
// guesses the types of columns from the first rows of the file, and a developer corrects them. It does
// not register the kind.
package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Request holds the description of the worker to write.
type Request struct {
	Kind string // lower case words joined by dots, such as "invoices.book"
	File string // a CSV file or workbook with headings, as users will upload it
	Key  string // heading of the ordering key; empty means the first text or integer column with unique values and no blanks
	Dir  string // folder of the package workers, which exists
}

// Worker is a written worker.
type Worker struct {
	Func  string   // the function that returns the definition, for the registry
	Files []string // the written files
}

// These are the errors of an invalid request.
var (
	// ErrKind means that the name of the kind is invalid.
	ErrKind = errors.New(`a kind is named by lower case words joined by dots, such as "invoices.book"`)

	// ErrKey means that the file has no column with the heading of the key.
	ErrKey = errors.New("no column has the heading of the key")

	// ErrTaken means that the package declares a name that the worker needs.
	ErrTaken = errors.New("the package has this name already: choose another name for the kind")
)

var kindName = regexp.MustCompile(`^[a-z][a-z0-9]*([._-][a-z0-9]+)*$`)

// Write writes the files of a worker. It returns ErrKind, ErrKey or ErrTaken, or the error of reading
// the sample file. If a file to write already exists, the error wraps fs.ErrExist. After an error, Write
// removes the files that it has written.
func Write(r Request) (w Worker, err error) {
	if !kindName.MatchString(r.Kind) {
		return w, fmt.Errorf("%q: %w", r.Kind, ErrKind)
	}
	t, err := readSample(r.File)
	if err != nil {
		return w, err
	}
	p := page{Kind: r.Kind, Package: filepath.Base(r.Dir), Columns: columnsOf(t), Rows: len(t.rows)}
	if p.Key, err = chooseKey(p.Columns, t, r.Key); err != nil {
		return w, err
	}
	p.setNames()
	if err := checkFree(r.Dir, p.Func, p.Row); err != nil {
		return w, err
	}
	base := filepath.Join(r.Dir, strings.ToLower(p.Func))
	sample := filepath.Join(r.Dir, "testdata", strings.ToLower(p.Func)+".csv")
	p.Sample = filepath.ToSlash(filepath.Join("testdata", filepath.Base(sample)))
	texts := map[string][]byte{sample: t.csv()}
	for name, template := range map[string]string{base + ".go": "worker.go.tmpl", base + "_test.go": "worker_test.go.tmpl"} {
		if texts[name], err = p.render(template); err != nil {
			return w, err
		}
	}
	w = Worker{Func: p.Func, Files: []string{base + ".go", base + "_test.go", sample}}
	return w, create(w.Files, texts)
}

// create writes new files. After an error it removes the files that it has written.
func create(names []string, texts map[string][]byte) (err error) {
	var made []string
	defer func() {
		for _, name := range made {
			if err != nil {
				_ = os.Remove(name) // create already returns an error
			}
		}
	}()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		made = append(made, name)
		_, err = f.Write(texts[name])
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
