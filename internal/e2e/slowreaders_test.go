//go:build all

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// mostMemory is the memory in MB that an API may use while clients do not read its responses.
const mostMemory = 260

// crowd is an API with clients that read nothing, and with good clients.
type crowd struct {
	*testing.T
	url   string
	large []string // paths with large answers
	task  string   // path of a task

	mu     sync.Mutex
	opened int
	took   []time.Duration // of /healthz
	fails  int             // of good clients
}

// TestSlowReaders_ReadNothing_CostLittle opens 50 connections from each of many addresses. These clients
// request large responses and do not read them. Meanwhile, 25 good clients are answered, in `make chaos`
// 100.
func TestSlowReaders_ReadNothing_CostLittle(t *testing.T) {
	t.Parallel()
	addresses, good, length := 20, 25, time.Minute
	if testenv.Chaos {
		addresses, good, length = 200, 100, 5*time.Minute
	}
	h := newDeployment(t)
	api := h.api()
	c := newCrowd(t, api.URL())

	ctx, stop := context.WithTimeout(t.Context(), length)
	defer stop()
	var clients sync.WaitGroup
	for i := range addresses {
		clients.Go(func() { c.readNothing(ctx, loopback(1, i), 40*time.Second+time.Duration(i%20)*time.Second) })
	}
	for i := range good {
		clients.Go(func() { c.poll(ctx, loopback(2, i)) })
	}
	clients.Wait()
	c.judge(api.PID())
}

// loopback returns a loopback address of this machine.
func loopback(network, host int) net.IP { return net.IPv4(127, byte(network), byte(host), 1) }

func newCrowd(t *testing.T, address string) *crowd {
	t.Helper()
	path, _ := sample(t, samples.Options{Rows: 20_000, Format: "csv", Seed: 3})
	v := start(t, address, path)
	c := &crowd{T: t, url: address, task: "/api/v1/tasks/" + v.ID}
	var whole task
	get(t, address+c.task, &whole)
	if whole.Source == nil {
		t.Fatal("the task has no file")
	}
	c.large = []string{"/docs", "/openapi.json", "/api/v1/files/" + whole.Source.FileID + "/content"}
	return c
}

// readNothing holds 50 connections from an address and does not read their answers. It opens new
// ones when the server has had time to close the last ones.
func (c *crowd) readNothing(ctx context.Context, from net.IP, hold time.Duration) {
	target, err := url.Parse(c.url)
	if err != nil {
		c.Error(err)
		return
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 10 * time.Second}
	for ctx.Err() == nil {
		var held []net.Conn
		for i := range 50 {
			conn, err := dialer.DialContext(ctx, "tcp", target.Host)
			if err != nil {
				continue // the server has no room for the connection
			}
			held = append(held, conn)
			if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", c.large[i%len(c.large)]); err == nil {
				c.note(&c.opened)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(hold):
		}
		for _, conn := range held {
			_ = conn.Close()
		}
	}
}

// poll requests /healthz and the task once a second.
func (c *crowd) poll(ctx context.Context, from net.IP) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	good := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}, Timeout: 20 * time.Second}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		begun := time.Now()
		healthy := c.answered(ctx, good, "/healthz")
		took := time.Since(begun)
		if !healthy || !c.answered(ctx, good, c.task) {
			c.note(&c.fails)
		}
		c.mu.Lock()
		c.took = append(c.took, took)
		c.mu.Unlock()
	}
}

// answered reports whether a path is answered with 200. The end of the test is no failure.
func (c *crowd) answered(ctx context.Context, good *http.Client, path string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		c.Error(err)
		return false
	}
	res, err := good.Do(req)
	if err == nil {
		_, err = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	if ctx.Err() == nil && (err != nil || res.StatusCode != http.StatusOK) {
		c.Logf("%s: %v, %v", path, res, err)
		return false
	}
	return true
}

func (c *crowd) note(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// judge checks that each good request was answered, and the greatest memory of the process. It only
// logs times, because those of a busy machine prove nothing.
func (c *crowd) judge(pid int) {
	c.Helper()
	if c.fails > 0 {
		c.Errorf("%d requests of good clients failed", c.fails)
	}
	slices.Sort(c.took)
	if c.opened == 0 || len(c.took) == 0 {
		c.Fatalf("%d connections that read nothing, %d good answers", c.opened, len(c.took))
	}
	at := func(share float64) time.Duration { return c.took[int(share*float64(len(c.took)-1))] }
	most := peakMemory(c.T, pid)
	c.Logf("%d connections read nothing; %d times /healthz: median %v, p99 %v, longest %v; memory at most %d MB",
		c.opened, len(c.took), at(0.5), at(0.99), at(1), most)
	if most > mostMemory {
		c.Errorf("the API had %d MB, want at most %d", most, mostMemory)
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the greatest resident memory of a process so far, in MB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	m := peakLine.FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("no VmHWM in %q", strings.TrimSpace(string(text)))
	}
	kb, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return kb / 1000
}
