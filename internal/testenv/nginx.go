package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// nginxHome is the path of nginx, which is often not in a user's $PATH.
const nginxHome = "/usr/sbin/nginx"

// nginxConfig is the configuration of nginx. nginx forwards requests to servers, and adds the address of
// the client to X-Forwarded-For. If a server is down, nginx uses the next server. The arguments of the
// format are the folder, the servers, the port, the line of nginxUser, and the path below which clients
// reach the servers.
const nginxConfig = `
%[4]s
worker_processes 1;
pid %[1]s/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  upstream service { %[2]s }
  server {
    listen 127.0.0.1:%[3]d;
    location %[5]s/ {
      proxy_pass http://service/;
      client_max_body_size 100m;
      proxy_request_buffering off;
      proxy_set_header Host localhost;
      proxy_set_header X-Forwarded-Prefix "%[5]s";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Forwarded "";
    }
  }
}
`

// StartNginx starts nginx in front of servers, given as host:port.
func StartNginx(t T, servers ...string) *Server {
	t.Helper()
	return StartNginxBelow(t, "", servers...)
}

// StartNginxBelow works like StartNginx, but for servers that share their host with other services.
// nginx forwards requests below a path, removes the path, and reports it in X-Forwarded-Prefix. It
// answers all other requests with 404.
func StartNginxBelow(t T, below string, servers ...string) *Server {
	t.Helper()
	path := findNginx(t)
	var upstream strings.Builder
	for _, server := range servers {
		fmt.Fprintf(&upstream, "server %s max_fails=0; ", server)
	}
	s := launch(t, newDir(t, "nginx"), recipe{
		name: "nginx",
		quit: syscall.SIGQUIT,
		url:  func(port int) string { return "http://" + address(port) },
		command: func(dir string, port int) command {
			config := filepath.Join(dir, "nginx.conf")
			text := fmt.Sprintf(nginxConfig, dir, upstream.String(), port, nginxUser(), below)
			if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
				t.Fatalf("testenv: configure nginx: %v", err)
			}
			return command{
				path: path, dir: dir,
				args: []string{"-p", dir, "-e", "stderr", "-c", config, "-g", "daemon off;"},
			}
		},
		ready: nginxReady,
	})
	t.Cleanup(s.remove)
	return s
}

// nginxUser returns the line that makes all processes of nginx run as the user of this process.
// Only root needs such a line.
func nginxUser() string {
	if os.Getuid() == 0 {
		return "user root;"
	}
	return ""
}

// nginxReady reports whether nginx, as the process with the number `pid`, listens on the port. nginx
// writes its process number after it has started to listen.
func nginxReady(dir string, port, pid int) bool {
	text, err := os.ReadFile(filepath.Join(dir, "nginx.pid"))
	return err == nil && strings.TrimSpace(string(text)) == fmt.Sprint(pid) && accepts(port)
}

func findNginx(t T) string {
	t.Helper()
	if _, err := exec.LookPath("nginx"); err == nil {
		return findProgram(t, "nginx")
	}
	if _, err := os.Stat(nginxHome); err == nil {
		return nginxHome
	}
	missing(t, "nginx")
	return ""
}
