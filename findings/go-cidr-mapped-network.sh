#!/usr/bin/env bash
# go-cidr 1.1.1 adds host numbers to the wrong end of an IPv4 network that is written as IPv6.
#
# Host 5 of ::ffff:0:0/96, the range of IPv4 in IPv6, is 0:5::ffff:0:0, which is far outside of that network: Go keeps such a network
# as four bytes, and the number is added to the first four of sixteen. The same network written as 0.0.0.0/0 gives 0.0.0.5. There
# is no error. This is cidrhost of Terraform and OpenTofu (Terraform 1.16.4 answers the same).
#
# Output seen: ::ffff:0:0/96 0:5::ffff:0:0, 0.0.0.0/0 0.0.0.5
# Takes 2 seconds if Go's caches have the library.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.24

require github.com/apparentlymart/go-cidr v1.1.1
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"net"

	"github.com/apparentlymart/go-cidr/cidr"
)

func host(network string) string {
	_, parsed, err := net.ParseCIDR(network)
	if err != nil {
		panic(err)
	}
	address, err := cidr.Host(parsed, 5)
	if err != nil {
		panic(err)
	}
	return network + " " + address.String()
}

func main() {
	fmt.Println(host("::ffff:0:0/96") + ", " + host("0.0.0.0/0"))
}
EOF
seen=$(GOFLAGS=-mod=mod go run .)
echo "$seen"
[ "$seen" = '::ffff:0:0/96 0:5::ffff:0:0, 0.0.0.0/0 0.0.0.5' ]
