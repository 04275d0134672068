package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// healthTimeout bounds a question after health.
const healthTimeout = 4 * time.Second

// errSilent means that nobody can ask a worker.
var errSilent = errors.New("METRICS_LISTEN: a worker without it answers nobody; set it, to the same for both")

// Health says how to ask a process that runs whether it is ready. It is for images
// without a shell.
type Health struct {
	Form
}

// answer is what a process has said of itself.
type answer struct {
	Ready  bool   `json:"ready"`
	Asked  string `json:"asked"` // URL
	Reason string `json:"reason,omitempty"`
}

// Run asks the process of the program on this machine, and returns nil if it is ready: an
// API where cfg.Listen says, a worker where cfg.MetricsListen does.
func (h Health) Run(ctx context.Context, cfg Config, d Desk) error {
	a := answer{Asked: "nobody"}
	url, err := probe(cfg, d.Role)
	if err == nil {
		a.Asked, err = url, healthy(ctx, url)
	}
	if a.Ready = err == nil; !a.Ready {
		a.Reason = err.Error()
	}
	if a.Ready || h.JSON {
		return errors.Join(err, h.tell(d.Stdout, a, "ready: %s", a.Asked))
	}
	return err
}

// probe is where the process of a role on this machine tells whether it is ready.
func probe(cfg Config, role Role) (url string, err error) {
	name, listen := "LISTEN", cfg.Listen
	if !role.API {
		name, listen = "METRICS_LISTEN", cfg.MetricsListen
	}
	if listen == "" {
		return "", errSilent
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // not by name: an image without a shell may lack /etc/hosts, too
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz", nil
}

func healthy(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
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
