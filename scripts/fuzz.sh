#!/bin/sh
# fuzz.sh [TIME]: run every fuzz target of the module, each for TIME (default 30s). The script ends
# at the first target that fails. The failing input is then in the folder testdata/fuzz of the
# package: commit it.
set -eu

time=${1:-30s}
targets=$(go list -f '{{$p := .ImportPath}}{{range .TestGoFiles}}{{$p}} {{$.Dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$p}} {{$.Dir}}/{{.}}
{{end}}' ./... | while read -r package file; do
  sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(.*|$package \1|p" "$file"
done)
if [ -z "$targets" ]; then
  echo "fuzz: no target found" >&2
  exit 1
fi
echo "$targets" | while read -r package target; do
  echo "fuzz: $package $target" >&2
  go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" </dev/null
done
