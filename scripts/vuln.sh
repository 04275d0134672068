#!/bin/sh
# vuln.sh [FOLDER]: search for known vulnerabilities that the code of the module in FOLDER reaches.
# The default FOLDER is this project. GOVULNDB is the database: https://vuln.go.dev by default, a
# mirror of it, or file:// and the folder of an unpacked vulndb.zip.
#
# The exit code is 0 if no vulnerability is known, and 3 if some are known, which the script lists.
# It is 1, with the words "not checked", if the database cannot be read or the code cannot be built.
set -u

database=${GOVULNDB:-https://vuln.go.dev}
module=$(cd "${1:-$(dirname "$0")/..}" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1

# check runs govulncheck. Govulncheck would treat a folder without an index, such as an empty
# folder, as a database without vulnerabilities.
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
echo "not checked: vuln.sh could not check $module for known vulnerabilities" >&2
exit 1
