#!/usr/bin/env bash
# hashicorp/hcl v1.0.0 gives labelled blocks whose types differ only in case to each spelling.
#
# HCL 1 is what the agents of Consul and Vault are configured in. A file with the blocks `Port "x"` and `port "y"` has, when it is
# decoded into a map, both names, and each of them has both blocks: four where the file has two. Without labels, each has its own. Those
# who count listeners or policies by the length of a list count too many.
#
# Output seen:
#   {"Port":[{"x":[{"a":1}]},{"y":[{"b":2}]}],"port":[{"x":[{"a":1}]},{"y":[{"b":2}]}]}
# Takes 2 seconds if Go's caches have the library.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'END'
module finding

go 1.24

require github.com/hashicorp/hcl v1.0.0
END
cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl"
)

func main() {
	var decoded map[string]any
	if err := hcl.Unmarshal([]byte("Port \"x\" {\n  a = 1\n}\nport \"y\" {\n  b = 2\n}\n"), &decoded); err != nil {
		panic(err)
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
END
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = '{"Port":[{"x":[{"a":1}]},{"y":[{"b":2}]}],"port":[{"x":[{"a":1}]},{"y":[{"b":2}]}]}' ]
