#!/bin/sh
# provision.sh [deployments]: install the programs that the tests start. With "deployments", also
# install the programs that make deployments-test starts.
#
# The script does nothing if no program is missing. On Debian and Ubuntu, as root or with a sudo
# that needs no password, it installs the missing packages and starts no service. Otherwise, it
# prints the packages and exits with code 1.
set -eu

tests=${1:-}

has() { command -v "$1" >/dev/null 2>&1; }

has_postgres() {
  for path in /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb \
    /opt/homebrew/opt/postgresql@*/bin/initdb /usr/local/opt/postgresql@*/bin/initdb; do
    [ -x "$path" ] && return 0
  done
  has initdb
}

has_nginx() { has nginx || [ -x /usr/sbin/nginx ]; }

has_pgbouncer() { has pgbouncer || [ -x /usr/sbin/pgbouncer ]; }

has_node() { has node || has nodejs; }

has_firefox() { has firefox-esr || has firefox; }

# firefox_package prints the name of the package with Firefox. Ubuntu has no firefox-esr.
firefox_package() {
  if grep -qs '^ID=ubuntu' /etc/os-release; then echo firefox; else echo firefox-esr; fi
}

has_browser() { has chromium || has chromium-browser || has google-chrome; }

# missing prints the Debian packages with the missing programs. The race detector needs a C
# compiler. The tests list processes with ps, and verify signatures with openssl. They also run the
# commands of the docs, which use curl and jq.
missing() {
  has redis-server || echo redis-server
  has redis-cli || echo redis-tools
  has_postgres || echo postgresql
  has_browser || echo chromium
  has_firefox || firefox_package
  has_node || echo nodejs
  has npm || echo npm
  has_nginx || echo nginx
  has_pgbouncer || echo pgbouncer
  has ps || echo procps
  has openssl || echo openssl
  has curl || echo curl
  has jq || echo jq
  has cc || has gcc || has clang || echo gcc libc6-dev
  [ "$tests" = deployments ] || return 0
  has ip || echo iproute2
  has promtool || echo prometheus
  has amtool || echo prometheus-alertmanager
  has buildah || echo buildah
  has systemd-analyze || echo systemd
  has soffice || echo libreoffice-calc-nogui
  /usr/bin/python3 -c 'import openpyxl' 2>/dev/null || echo python3-openpyxl
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
  has apt-get && { [ "$(id -u)" = 0 ] || { has sudo && sudo -n true 2>/dev/null; }; }
}

# forbid_services prevents apt from starting the services that it installs. Debian runs policy-rc.d
# before it starts a service, and does not start the service if the exit code is 101. An existing
# policy-rc.d stays unchanged.
forbid_services() {
  policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] && return
  trap 'as_root rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
}

if ! has go; then
  echo "provision: Go is missing; see https://go.dev/doc/install" >&2
  exit 1
fi
packages=$(missing | tr '\n' ' ')
[ -n "$packages" ] || exit 0

if ! may_install; then
  echo "provision: programs that the tests need are missing. Install these Debian packages," >&2
  echo "or the packages of your system with the same programs:" >&2
  echo "  $packages" >&2
  exit 1
fi

echo "provision: installing $packages" >&2
forbid_services
as_root apt-get update -qq </dev/null
# shellcheck disable=SC2086 # one word for each package
as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends $packages </dev/null

packages=$(missing | tr '\n' ' ')
if [ -n "$packages" ]; then
  echo "provision: still missing after the installation: $packages" >&2
  exit 1
fi
