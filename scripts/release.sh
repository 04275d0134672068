#!/bin/sh
# release.sh PLATFORM...: build the programs for platforms such as linux/amd64, and pack an archive
# for each into DIST (default dist). An archive has api, worker, the list of the parts of each
# (CycloneDX), LICENSE and THIRD_PARTY_NOTICES. SHA256SUMS has the checksums. The same commit,
# version and Go give the same bytes.
#
# VERSION is the version of the release; the default is what git describe prints, such as the tag of
# the commit. The script first runs vuln.sh. The release fails if vuln.sh finds a vulnerability. It
# also fails if vuln.sh could not check, unless VULN is "unchecked". VULNERABILITIES.txt has the
# result. The script needs git, and tar and sha256sum of GNU.
set -eu

cd "$(dirname "$0")/.."
dist=${DIST:-dist}
version=${VERSION:-$(git describe --tags --always --abbrev=12 --dirty=+changed)}
commit=$(git describe --always --abbrev=12 --exclude='*' --dirty=+changed)
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check runs vuln.sh and writes VULNERABILITIES.txt, or ends the release.
check() {
  code=0
  ./scripts/vuln.sh >"$work/vulnerabilities" 2>&1 || code=$?
  cat "$work/vulnerabilities" >&2
  case $code/${VULN:-} in
  0/*) mv "$work/vulnerabilities" "$dist/VULNERABILITIES.txt" ;;
  3/*) echo "release.sh: there are known vulnerabilities" >&2; exit 3 ;;
  */unchecked) echo "$version was not checked for known vulnerabilities." >"$dist/VULNERABILITIES.txt" ;;
  *) echo "release.sh: set GOVULNDB, or VULN=unchecked to release without the check" >&2; exit 1 ;;
  esac
}

# pack makes the archive for a system and a processor.
pack() {
  name=rollcall-$version-$1-$2
  mkdir "$work/$name"
  GOOS=$1 GOARCH=$2 VERSION=$version COMMIT=$commit ./scripts/build.sh "$work/$name"
  cp LICENSE THIRD_PARTY_NOTICES "$work/$name/"
  for program in api worker; do
    GOFLAGS=-trimpath go tool -modfile=tools/sbom/go.mod cyclonedx-gomod bin -json -std -noserial -notimestamp \
      -version "$version" -output "$work/$name/$program.cdx.json" "$work/$name/$program"
  done
  tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    -cf - "$name" | gzip -9 -n >"$dist/$name.tar.gz"
}

mkdir -p "$dist"
rm -f "$dist"/rollcall-*.tar.gz "$dist/SHA256SUMS" "$dist/VULNERABILITIES.txt"
check
for platform in "$@"; do
  pack "${platform%/*}" "${platform#*/}"
done
(cd "$dist" && sha256sum rollcall-*.tar.gz VULNERABILITIES.txt >SHA256SUMS && cat SHA256SUMS)
