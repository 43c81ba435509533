#!/usr/bin/env bash
# pyhcl 0.4.5 groups subtractions and divisions from the right.
#
# `a = 1 - 2 - 3` gives 2, which is 1 - (2 - 3), and `b = 16 / 4 / 2` gives 8. Everything else in this family groups from the
# left: -4 and 2. There is no warning, and parentheses, which would help, are a syntax error.
#
# Output seen: {"a": 2, "b": 8.0}
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib pyhcl==0.4.5
export PYTHONPATH=$work/lib

printf 'a = 1 - 2 - 3\nb = 16 / 4 / 2\n' >a.hcl
seen=$(python3 -W ignore -c 'import hcl, json; print(json.dumps(hcl.load(open("a.hcl"))))')
echo "$seen"
[ "$seen" = '{"a": 2, "b": 8.0}' ]
