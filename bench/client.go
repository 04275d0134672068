package main

import (
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

// client is the HTTP client of the benches. It keeps a connection for each concurrent poller.
var client = &http.Client{
	Timeout:   time.Minute,
	Transport: &http.Transport{MaxIdleConnsPerHost: 100},
}

// task holds the fields of a polled task that benches read.
type task struct {
	ID     string
	Status string
	Done   bool
	Counts struct{ Total, Finish int }
}

// upload streams a file and returns the task.
func upload(url, path string) (task, error) {
	resp, err := send(url+"/api/v1/tasks", path)
	if err != nil {
		return task{}, err
	}
	return decode(resp, http.StatusAccepted)
}

// send posts a file in a form.
func send(url, path string) (*http.Response, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() { w.CloseWithError(writeForm(form, f)) }()
	return client.Post(url, form.FormDataContentType(), body)
}

func writeForm(form *multipart.Writer, f *os.File) error {
	if err := form.WriteField("kind", "products.import"); err != nil {
		return err
	}
	part, err := form.CreateFormFile("file", "products.xlsx")
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, f); err != nil {
		return err
	}
	return form.Close()
}

// poll reads a task.
func poll(url, id string) (task, error) {
	resp, err := client.Get(url + "/api/v1/tasks/" + id)
	if err != nil {
		return task{}, err
	}
	return decode(resp, http.StatusOK)
}

func decode(resp *http.Response, want int) (t task, err error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return t, err
	}
	if resp.StatusCode != want {
		return t, fmt.Errorf("%s: %s", resp.Status, body)
	}
	return t, json.Unmarshal(body, &t)
}

// finish polls until the task is done. It calls the function `seen` with the duration of each poll, and
// returns an error if not all rows have finished.
func finish(url, id string, every time.Duration, seen func(time.Duration)) error {
	for {
		begun := time.Now()
		t, err := poll(url, id)
		if err != nil {
			return err
		}
		seen(time.Since(begun))
		if t.Done && t.Counts.Finish != t.Counts.Total {
			return fmt.Errorf("ended as %s with %+v", t.Status, t.Counts)
		}
		if t.Done {
			return nil
		}
		time.Sleep(every)
	}
}
