#!/bin/sh
# vuln.sh [FOLDER]: looks for known vulnerabilities that the module in FOLDER, this project
# unless given, reaches. GOVULNDB is the database: https://vuln.go.dev unless set, a mirror
# of it, or file:// and the folder of an unpacked vulndb.zip.
#
# Exit code: 0 if none is known, 3 if some are, which it lists, and 1 with the words "not
# checked" if the database cannot be read or the code cannot be built.
set -u

database=${GOVULNDB:-https://vuln.go.dev}
module=$(cd "${1:-$(dirname "$0")/..}" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1

# check runs govulncheck. Without an index, it takes a folder that is empty or of another
# layout for a database that knows nothing.
check() {
  case $database in
  file://*)
    for index in modules db; do
      [ -f "${database#file://}/index/$index.json" ] && continue
      echo "vuln.sh: $database has no index/$index.json" >&2
      return 1
    done ;;
  esac
  go tool -modfile=tools/go.mod govulncheck -db "$database" -show version -C "$module" ./...
}

code=0
check || code=$?
case $code in
0 | 3) exit "$code" ;;
esac
echo "not checked: whether $module has known vulnerabilities is open" >&2
exit 1
