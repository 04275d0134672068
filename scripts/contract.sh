#!/bin/sh
# contract.sh: compare the interfaces that other programs use with those of the last tag. These are
# the Go packages in PACKAGES, the OpenAPI document, the settings, the metrics, the body of webhooks
# and the keys in Redis. The script prints each incompatible difference.
#
# The exit code is 0 if there is no difference, or if CHANGELOG.md announces the differences under
# "### Breaking" of "## [Unreleased]". It is also 0, with a message, if there is no tag yet.
# Otherwise it is 1.
set -eu

cd "$(dirname "$0")/.."
PACKAGES="client queue worker worker/rollcall worker/workertest"
module=$(go list -m)
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) || {
  echo "contract: no tag yet, nothing to compare with"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old"
git archive "$tag" | tar -C "$work/old" -xf -
(cd tools/contract && GOFLAGS='' go build -o "$work/contract" . && GOFLAGS='' go build -o "$work/apidiff" golang.org/x/exp/cmd/apidiff)

"$work/contract" "$work/old" . >"$work/broken" || [ $? = 1 ]
for package in $PACKAGES; do
  [ -d "$work/old/$package" ] || continue
  (cd "$work/old" && "$work/apidiff" -w "$work/export" "$module/$package")
  "$work/apidiff" -incompatible "$work/export" "$module/$package" | sed "s|^|$package: |" >>"$work/broken"
done

if [ ! -s "$work/broken" ]; then
  echo "contract: compatible with $tag"
  exit 0
fi
cat "$work/broken"
if sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | grep -q '^### Breaking'; then
  echo "contract: not compatible with $tag, as CHANGELOG.md announces"
  exit 0
fi
echo "contract: not compatible with $tag: undo the change, or announce it in CHANGELOG.md under \"### Breaking\"" >&2
exit 1
