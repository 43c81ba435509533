#!/usr/bin/env bash
# python-hcl2 8.1.4 writes lists with a heredoc so that nothing can read them, and it can not either.
#
# It reads the list `[<<-EOT … EOT, "b"]` with the comma on the line after the closing name, as HCL wants it. `dumps` of what it read puts
# the comma on the line of the closing name, which then closes nothing.
#
# Output seen:
#   read: 2 elements
#   written, read again: an error
# Takes 10 seconds.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv environment
environment/bin/pip install -q --disable-pip-version-check python-hcl2==8.1.4
cat >show.py <<'END'
import hcl2

data = hcl2.loads('lines = [\n  <<EOT\nfirst\nEOT\n  , "b"]\n')
print(f"read: {len(data['lines'])} elements")
try:
    again = hcl2.loads(hcl2.dumps(data))
    print("written, read again:", again["lines"] == data["lines"])
except Exception:
    print("written, read again: an error")
END
seen=$(environment/bin/python show.py)
echo "$seen"
[ "$seen" = 'read: 2 elements
written, read again: an error' ]
