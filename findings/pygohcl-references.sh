#!/usr/bin/env bash
# pygohcl 1.2.9 makes references and text the same.
#
# It returns what it cannot evaluate as source text, but without the marks of a template. So `"v-${var.x}"`, which refers to a
# variable, and `"v-var.x"`, which is plain text, have equal results, and so have `var.x`, `"${var.x}"` and `"var.x"`. Nobody who
# gets the dictionary can know which one the file has.
#
# Output seen: {"a": "v-var.x", "b": "v-var.x", "c": "var.x", "d": "var.x", "e": "var.x"}
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib pygohcl==1.2.9
export PYTHONPATH=$work/lib

cat >main.tf <<'EOF'
a = "v-${var.x}"
b = "v-var.x"
c = var.x
d = "${var.x}"
e = "var.x"
EOF
seen=$(python3 -c 'import json, pygohcl; print(json.dumps(pygohcl.loads(open("main.tf").read())))')
echo "$seen"
[ "$seen" = '{"a": "v-var.x", "b": "v-var.x", "c": "var.x", "d": "var.x", "e": "var.x"}' ]
