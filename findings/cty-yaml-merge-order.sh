#!/usr/bin/env bash
# go-cty-yaml 1.2.0 merges a list of mappings in the opposite order.
#
# The merge key of YAML says of `<<: [*a, *b]` that keys of earlier mappings override those of later ones. Here, the last one wins, so
# the same document has another value than for other libraries. It is yamldecode of OpenTofu 1.12.6; Terraform 1.16.4 has version
# 1.1.0, which refuses the list.
#
# Output seen: go-cty-yaml: from b, yaml/v3: from a
# Takes 2 seconds if Go's caches have the libraries.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.24

require (
	github.com/zclconf/go-cty v1.20.0
	github.com/zclconf/go-cty-yaml v1.2.0
	go.yaml.in/yaml/v3 v3.0.4
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

const text = `
a: &a {key: from a}
b: &b {key: from b}
both:
  <<: [*a, *b]
`

func main() {
	value, err := ctyyaml.YAMLDecodeFunc.Call([]cty.Value{cty.StringVal(text)})
	if err != nil {
		panic(err)
	}
	var other map[string]map[string]string
	if err := yaml.Unmarshal([]byte(text), &other); err != nil {
		panic(err)
	}
	key := value.GetAttr("both").GetAttr("key").AsString()
	fmt.Printf("go-cty-yaml: %s, yaml/v3: %s\n", key, other["both"]["key"])
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = 'go-cty-yaml: from b, yaml/v3: from a' ]
