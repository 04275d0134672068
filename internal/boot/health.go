package boot

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// healthTimeout bounds Healthy.
const healthTimeout = 4 * time.Second

// Healthy asks the process that listens on cfg.Listen, on this machine, whether it
// is ready, and returns nil if so. It is for images without a shell.
func Healthy(ctx context.Context, cfg Config) error {
	host, port, err := net.SplitHostPort(cfg.Listen)
	if err != nil {
		return fmt.Errorf("LISTEN: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // not by name: an image without a shell may lack /etc/hosts, too
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	url := "http://" + net.JoinHostPort(host, port) + "/readyz"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	req.Host = "localhost" // a name that is always answered to
	return asked(http.DefaultTransport.RoundTrip(req))
}

// asked tells what an answer means.
func asked(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1000))
	_ = resp.Body.Close() // it has been read
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("not ready: %s: %s", resp.Status, text)
	}
	return err
}
