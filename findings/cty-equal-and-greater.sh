#!/usr/bin/env bash
# In go-cty 1.20.0, a number can be equal to another one and greater than it.
#
# The value that a Go program makes of the float 0.8 and the value of the text "0.8" are equal (Equals compares decimals), the first
# one is also greater (GreaterThan compares bits), and a set of both has one element. For 1e23 it is the other way round: the two
# are not equal, so the set has two, which print the same.
#
# Output seen:
#   0.8: equal true, greater true, less false, in a set 1
#   1e+23: equal false, greater false, less true, in a set 2
# Takes 2 seconds if Go's caches have the libraries.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.24

require github.com/zclconf/go-cty v1.20.0
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

func main() {
	for _, float := range []float64{0.8, 1e23} {
		text := strconv.FormatFloat(float, 'g', -1, 64)
		a, b := cty.NumberFloatVal(float), cty.MustParseNumberVal(text)
		both := cty.SetVal([]cty.Value{a, b})
		fmt.Printf("%s: equal %v, greater %v, less %v, in a set %d\n", text,
			a.Equals(b).True(), a.GreaterThan(b).True(), a.LessThan(b).True(), both.LengthInt())
	}
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = '0.8: equal true, greater true, less false, in a set 1
1e+23: equal false, greater false, less true, in a set 2' ]
