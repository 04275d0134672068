#!/bin/sh
# databases.sh [VERSION...]: run the tests of the stores on each version of Postgres in
# tools/databases. These are 14 to 18, or the versions in the arguments.
#
# The servers are packages of the npm registry, for Linux on x64. They are installed outside the
# checkout, because the user postgres must reach them.
set -eu
cd "$(dirname "$0")/.."

dir=${TMPDIR:-/tmp}/rollcall-databases
stores="./internal/ledger ./tasks ./events ./internal/lanes ./internal/access ./internal/audit
  ./internal/idempotency ./internal/mappings ./internal/notify ./internal/operate
  ./internal/retention ./internal/schedules ./internal/tasklist ./internal/uploads ./internal/feed"

if ! cmp -s tools/databases/package-lock.json "$dir/.installed"; then
  mkdir -p "$dir"
  cp tools/databases/package.json tools/databases/package-lock.json "$dir"
  npm ci --prefix "$dir" --no-audit --no-fund --ignore-scripts
  for home in "$dir"/node_modules/postgres-*; do
    (cd "$home" && node scripts/hydrate-symlinks.js) # names of its libraries
  done
  cp tools/databases/package-lock.json "$dir/.installed"
fi
# The tests are compiled once, and run on each server.
mkdir -p "$dir/tests"
# shellcheck disable=SC2086 # one word for each package
go test -c -vet=off -o "$dir/tests/" $stores
failed=0
for package in $stores; do
  for version in ${*:-14 15 16 17 18}; do
    bin=$dir/node_modules/postgres-$version/native/bin
    echo "databases: $package, $("$bin/postgres" --version)"
    (cd "$package" && POSTGRES_BIN=$bin "$dir/tests/${package##*/}.test" -test.timeout 30m) || failed=1
  done
done
exit $failed
