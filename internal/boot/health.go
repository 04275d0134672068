package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// healthTimeout is the time limit of a health check.
const healthTimeout = 4 * time.Second

// errSilent means that the worker does not listen for health checks.
var errSilent = errors.New("METRICS_LISTEN is not set, so a worker serves no health checks: set it to the same address for the worker and this command")

// Health is the command health, which checks whether a running process is ready. It also works in an image
// without a shell.
type Health struct {
	settings.Form
}

// answer is the output of the command health with --json.
type answer struct {
	Ready  bool   `json:"ready"`
	Asked  string `json:"asked"` // URL; empty without METRICS_LISTEN
	Reason string `json:"reason,omitempty"`
}

// Run checks the running process of the same program on this machine. It returns nil if the process is
// ready. An API is checked at cfg.Listen, a worker at cfg.MetricsListen.
func (h Health) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	var a answer
	url, err := probe(cfg, d.Role)
	if err == nil {
		a.Asked, err = url, healthy(ctx, url)
	}
	if a.Ready = err == nil; !a.Ready {
		a.Reason = err.Error()
	}
	if a.Ready || h.JSON {
		return errors.Join(err, h.Print(d.Stdout, a, "ready: %s", a.Asked))
	}
	return err
}

// probe returns the URL of /readyz of a process with this role on this machine. It returns errSilent if
// such a process does not listen.
func probe(cfg settings.Config, role settings.Role) (url string, err error) {
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
		host = "127.0.0.1" // no name, since an image without a shell may lack /etc/hosts, too
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
	req.Host = "localhost" // an allowed host in every configuration
	return probeError(http.DefaultTransport.RoundTrip(req))
}

// probeError returns nil if the response means that the process is ready, otherwise an error.
func probeError(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1000))
	_ = resp.Body.Close() // it was read
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("not ready: %s: %s", resp.Status, text)
	}
	return err
}
