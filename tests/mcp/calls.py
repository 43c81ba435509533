"""A module, another version of it, and a call of each tool of `hcl mcp` that works on them."""

import pathlib

MODULE = """variable "size" {
  default = 1
}
locals {
  twice = var.size * 2
}
resource "disk" "a" {
  size = local.twice
}
output "twice" {
  value = local.twice
}
"""

CALLS = {
    "check": {"paths": ["app"]},
    "fix": {"paths": ["app"]},
    "format": {"paths": ["app"]},
    "eval": {"directory": "app"},
    "explain": {"directory": "app", "addresses": ["output.twice"]},
    "references": {"name": "local.twice", "paths": ["app"]},
    "rename": {"name": "local.twice", "new_name": "double", "paths": ["app"]},
    "edit": {"edits": ["variable.size.default=3"], "paths": ["app/main.tf"]},
    "diff": {"old_directory": "app", "new_directory": "next"},
    "query": {"path": "variable.*.default", "paths": ["app"]},
    "schema": {"block": "variable"},
}


def write_modules(directory: str) -> None:
    for name, text in [("app", MODULE), ("next", MODULE.replace("default = 1", "default = 4"))]:
        path = pathlib.Path(directory, name)
        path.mkdir()
        (path / "main.tf").write_text(text)
