#!/usr/bin/env bash
# hcl v1.0.0 reads 010 as 8, and hcl v2.25.0 reads it as 10.
#
# The first version of the language reads numbers as Go does: a leading zero means octal, and `0x10` is 16. The second one is decimal
# only. So a line such as `mode = 0644` is valid in both, with a value of 420 in one and 644 in the other, and `a = 08` is an error in
# the first one only. Nothing warns about it when a file moves to the other library.
#
# Output seen: hcl 1: map[mode:420 retries:8], hcl 2: mode 644, retries 10
# Takes 2 seconds if Go's caches have the libraries.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.24

require (
	github.com/hashicorp/hcl v1.0.0
	github.com/hashicorp/hcl/v2 v2.25.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	hcl1 "github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/v2/hclsimple"
)

const text = "mode = 0644\nretries = 010\n"

func main() {
	var one map[string]any
	if err := hcl1.Decode(&one, text); err != nil {
		panic(err)
	}
	var two struct {
		Mode    int `hcl:"mode"`
		Retries int `hcl:"retries"`
	}
	if err := hclsimple.Decode("a.hcl", []byte(text), nil, &two); err != nil {
		panic(err)
	}
	fmt.Printf("hcl 1: %v, hcl 2: mode %d, retries %d\n", one, two.Mode, two.Retries)
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = 'hcl 1: map[mode:420 retries:8], hcl 2: mode 644, retries 10' ]
