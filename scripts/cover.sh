#!/bin/sh
# cover.sh [PACKAGE...]: print a table of the statements of each package, and of the share that the
# tests of all packages reach. Statements that a test reaches only in a process that it starts do
# not count. Packages whose tests only start processes are therefore left out. The script does not
# use -race, which would double the time.
set -eu

module=$(go list -m)
others="$module/internal/(e2e|testenv|housetest)|$module/clients|$module/scripts"
[ $# -gt 0 ] || set -- $(go list ./... | grep -Ev "^($others)")
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT
code=0
go test -count=1 -timeout 30m -coverpkg="$(echo "$@" | tr ' ' ,)" -coverprofile="$profile" "$@" >&2 || code=$?

echo "| package | statements | reached |"
echo "|---|---|---|"
awk -v module="$module/" '
  NR > 1 {
    block = $1
    size[block] = $2
    if ($3 > 0) hit[block] = 1
  }
  END {
    for (block in size) {
      package = block
      sub(/\/[^\/]*:.*/, "", package)
      sub(module, "", package)
      all[package] += size[block]; total += size[block]
      if (block in hit) { reached[package] += size[block]; sum += size[block] }
    }
    for (package in all)
      printf "| `%s` | %d | %d %% |\n", package, all[package], 100 * reached[package] / all[package] | "sort"
    close("sort")
    printf "| all | %d | %d %% |\n", total, 100 * sum / total
  }' "$profile"
exit $code
