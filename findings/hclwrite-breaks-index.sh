#!/usr/bin/env bash
# hclwrite.Format of hcl v2.25.0 makes a valid file invalid.
#
# `a = x.0 .1` is valid: the second element of the first element of x. The formatter, which also works in `terraform fmt`, removes
# the blank. Then `0.1` is one number, and the parser refuses the file that the formatter wrote.
#
# Output seen: before: valid, after "a = x.0.1\n": invalid
# Takes 2 seconds if Go's caches have the libraries.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.24

require github.com/hashicorp/hcl/v2 v2.25.0
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// verdict parses and evaluates a file with the argument a.
func verdict(text []byte) string {
	one := cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.Zero, cty.StringVal("found")})})
	scope := &hcl.EvalContext{Variables: map[string]cty.Value{"x": one}}
	file, problems := hclsyntax.ParseConfig(text, "a.hcl", hcl.InitialPos)
	if problems.HasErrors() {
		return "invalid"
	}
	items, _ := file.Body.JustAttributes()
	value, problems := items["a"].Expr.Value(scope)
	if problems.HasErrors() || value.AsString() != "found" {
		return "invalid"
	}
	return "valid"
}

func main() {
	text := []byte("a = x.0 .1\n")
	formatted := hclwrite.Format(text)
	fmt.Printf("before: %s, after %q: %s\n", verdict(text), formatted, verdict(formatted))
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = 'before: valid, after "a = x.0.1\n": invalid' ]
