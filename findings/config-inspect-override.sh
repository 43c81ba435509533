#!/usr/bin/env bash
# terraform-config-inspect (September 2026) loses what a file says about a variable that an override file describes.
#
# An override file changes only the arguments that it has: if it gives the variable "size" a description, then the type, the default
# and `sensitive` of the other file stay. For this library, which lists the inputs of modules for registries and other tools, the
# block in the override file replaces the other one: the variable becomes required, has no type, and is not sensitive.
#
# Output seen:
#   without the override file: required false, type "number", default 3, sensitive true
#   with it: required true, type "", default <nil>, sensitive false
# Takes 2 seconds if Go's caches have the library.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir module
cat >module/main.tf <<'EOF'
variable "size" {
  type      = number
  default   = 3
  sensitive = true
}
EOF
cat >go.mod <<'EOF'
module finding

go 1.24

require github.com/hashicorp/terraform-config-inspect v0.0.0-20260904064934-75d64de68c31
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-config-inspect/tfconfig"
)

func show(name string) {
	module, problems := tfconfig.LoadModule("module")
	if problems.HasErrors() {
		panic(problems)
	}
	size := module.Variables["size"]
	fmt.Printf("%s: required %v, type %q, default %v, sensitive %v\n", name, size.Required, size.Type, size.Default, size.Sensitive)
}

func main() {
	show("without the override file")
	text := "variable \"size\" {\n  description = \"How many.\"\n}\n"
	if err := os.WriteFile("module/override.tf", []byte(text), 0o644); err != nil {
		panic(err)
	}
	show("with it")
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = 'without the override file: required false, type "number", default 3, sensitive true
with it: required true, type "", default <nil>, sensitive false' ]
