#!/usr/bin/env bash
# hq of python-hcl2 8.1.4 compares strings in `select` with their quotes.
#
# For an argument `ami = "ami-1234"`, `select(.ami == "ami-1234")`, `select(.ami | startswith("ami-"))` and the example of its own help,
# `select(.ami | test("^ami-"))`, find nothing and exit with 1, as if no block had the value; `contains` and an expression without
# an anchor find the block. A search for a value by equality misses every string, in silence.
#
# Output seen: equal 0, startswith 0, anchored 0, contains 1, unanchored 1
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check python-hcl2==8.1.4

cat >main.tf <<'EOF'
resource "aws_instance" "web" {
  ami = "ami-1234"
}
EOF
found() {
  env/bin/hq --ndjson "resource~[select(.ami $1)]" main.tf | wc -l | tr -d ' '
}
set +o pipefail
seen="equal $(found '== "ami-1234"'), startswith $(found '| startswith("ami-")'), anchored $(found '| test("^ami-")'), contains $(found '| contains("ami-")'), unanchored $(found '| test("ami-")')"
echo "$seen"
[ "$seen" = 'equal 0, startswith 0, anchored 0, contains 1, unanchored 1' ]
