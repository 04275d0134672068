package client

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// partBytes is the size of a part, in bytes. A larger file is sent in
// parts if it can seek.
const partBytes = 8 << 20

// parted is a file that is sent in parts. After a broken connection, the upload continues after the
// last byte that the service has stored.
type parted struct {
	c    *Client
	id   string
	file io.ReadSeeker
	from int64 // position of the file's first byte
	size int64
}

// sizeOf returns the current position of `file`, and its size from there. The result `ok` is false
// if the file cannot seek.
func sizeOf(file io.Reader) (from, size int64, ok bool) {
	seeker, ok := file.(io.Seeker)
	if !ok {
		return 0, 0, false
	}
	from, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, 0, false // a pipe
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if _, back := seeker.Seek(from, io.SeekStart); err != nil || back != nil {
		return 0, 0, false
	}
	return from, end - from, true
}

// uploadParts sends a file in parts, and creates its task. If an earlier call had the same idempotency
// key, uploadParts continues the upload of that call.
func (c *Client) uploadParts(ctx context.Context, up Upload, key string, p parted) (*Task, error) {
	sum, err := p.sum()
	if err != nil {
		return nil, err
	}
	var made struct{ ID string }
	err = c.exchange(ctx, call{method: http.MethodPost, path: "/uploads", header: map[string]string{
		"Upload-Length":   strconv.FormatInt(p.size, 10),
		"Upload-Metadata": "filename " + base64.StdEncoding.EncodeToString([]byte(up.FileName)) + ",sha256 " + sum,
		"Idempotency-Key": key + ".upload",
	}}, &made)
	if err != nil {
		return nil, err
	}
	p.c, p.id = c, made.ID
	if err := p.send(ctx); err != nil {
		return nil, err
	}
	in := map[string]any{"kind": up.Kind, "upload_id": p.id, "options": up.Options}
	if up.Name != "" {
		in["name"] = up.Name
	}
	out := &Task{}
	return orNil(out, c.post(ctx, "/tasks", key, in, out))
}

// sum returns the SHA-256 of the file, in base64. If an earlier call with the same idempotency key had
// another sum, the service rejects the file. Bytes of two files are thus never joined.
func (p parted) sum() (string, error) {
	if _, err := p.file.Seek(p.from, io.SeekStart); err != nil {
		return "", &fileError{fmt.Errorf("client: %w", err)}
	}
	hash := sha256.New()
	if _, err := io.CopyN(hash, p.file, p.size); err != nil {
		return "", &fileError{fmt.Errorf("client: the file ends before its size: %w", err)}
	}
	return base64.StdEncoding.EncodeToString(hash.Sum(nil)), nil
}

func (p parted) path() string { return "/uploads/" + url.PathEscape(p.id) }

// send sends the bytes that the service does not have yet. It gives up after Options.Tries consecutive
// tries that stored no byte.
func (p parted) send(ctx context.Context) error {
	buf := make([]byte, min(partBytes, p.size))
	var lost error
	for try, stored := 0, int64(-1); ; try++ {
		at, err := p.offset(ctx)
		if err != nil {
			return err
		}
		if at > stored {
			try, stored = 0, at
		}
		if try >= p.c.opt.Tries {
			return lost
		}
		if lost = p.sendFrom(ctx, at, buf); lost == nil || !mayContinue(lost) {
			return lost
		}
		pause, _ := pauseAfter(lost, try+1)
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// mayContinue reports whether send may try again after an error.
func mayContinue(err error) bool {
	var problem *Problem
	var file *fileError
	if errors.As(err, &file) {
		return false
	}
	return fateUnknown(err) || errors.As(err, &problem) && (problem.Code == "WRONG_OFFSET" || problem.Status == http.StatusRequestTimeout)
}

// fileError is an error while reading the caller's file.
type fileError struct{ error }

func (e *fileError) Unwrap() error { return e.error }

// offset returns the number of bytes that the service has stored.
func (p parted) offset(ctx context.Context) (int64, error) {
	var now struct{ Offset int64 }
	err := p.c.get(ctx, p.path(), &now)
	return now.Offset, err
}

// sendFrom sends the rest of the file, in parts. The argument `at` is the number of bytes that the
// service has already stored.
func (p parted) sendFrom(ctx context.Context, at int64, buf []byte) error {
	if _, err := p.file.Seek(p.from+at, io.SeekStart); err != nil {
		return &fileError{fmt.Errorf("client: %w", err)}
	}
	for at < p.size {
		part := buf[:min(int64(len(buf)), p.size-at)]
		if _, err := io.ReadFull(p.file, part); err != nil {
			return &fileError{fmt.Errorf("client: the file ends before its size: %w", err)}
		}
		res, err := p.c.do(ctx, call{method: http.MethodPatch, path: p.path(), body: part, header: map[string]string{
			"Content-Type": "application/offset+octet-stream", "Upload-Offset": strconv.FormatInt(at, 10),
		}})
		if err != nil {
			return err
		}
		_ = res.Body.Close() // the body is empty
		at += int64(len(part))
	}
	return nil
}
