#!/usr/bin/env bash
# python-hcl2 8.1.4 reads a number with an exponent as a reference.
#
# `1000` and `1000.0` become numbers, but `1e3` becomes the string "${1e3}", the form that it gives to expressions. The type of the
# result depends on how a number is spelled, and arithmetic in Python fails or joins text.
#
# Output seen: {"a": 1000, "b": 1000.0, "c": "${1e3}", "d": [1, "${2E-1}"]}
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib python-hcl2==8.1.4
export PYTHONPATH=$work/lib

printf 'a = 1000\nb = 1000.0\nc = 1e3\nd = [1, 2E-1]\n' >a.hcl
seen=$(python3 -c 'import hcl2, json; print(json.dumps(hcl2.load(open("a.hcl"))))')
echo "$seen"
[ "$seen" = '{"a": 1000, "b": 1000.0, "c": "${1e3}", "d": [1, "${2E-1}"]}' ]
