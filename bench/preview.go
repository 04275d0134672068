package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// previewRows is the number of rows of the previewed file.
const previewRows = 100_000

// benchPreview measures a preview from the first byte of the request to the end of the response. It also
// measures the peak memory of the process, including the embedded servers.
func benchPreview(ctx context.Context, l *lab, runs int) ([]figure, error) {
	defer l.leave(len(l.cleanup))
	path, err := l.sample(previewRows)
	if err != nil {
		return nil, err
	}
	s := l.embedded()
	var seconds []float64
	for range runs {
		begun := time.Now()
		if err := preview(s.url, path); err != nil {
			return nil, err
		}
		seconds = append(seconds, time.Since(begun).Seconds())
	}
	out := []figure{figureOf("preview of a 100,000-row xlsx", "s", seconds)}
	for name, p := range s.procs {
		mb, err := peakRSS(p.PID())
		if err != nil {
			return nil, err
		}
		out = append(out, figureOf("preview: peak RSS of "+name, "MB", []float64{mb}))
	}
	return out, ctx.Err()
}

// preview requests the preview of a file, and checks that it covers all rows.
func preview(url, path string) error {
	resp, err := send(url+"/api/v1/imports/preview", path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var v struct {
		Counts struct{ Total int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK || v.Counts.Total != previewRows {
		return fmt.Errorf("preview: %s, %d rows", resp.Status, v.Counts.Total)
	}
	return nil
}
