#!/usr/bin/env bash
# Docker Buildx 0.38.2 (bake) changes large numbers that it gets from the environment.
#
# A variable of type number is exact if the file sets it: 9007199254740993 arrives in the build arguments. The same digits in the
# environment variable of that name become 9007199254740992, since they go through a float of 64 bits. A number of a build made of
# date and time, such as 20261128150402123, changes, too.
#
# Output seen: file 9007199254740993, environment 9007199254740992
# Takes 5 seconds if Go's caches have the libraries, and 2 minutes otherwise.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >go.mod <<'EOF'
module finding

go 1.25

require github.com/docker/buildx v0.38.2
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"

	"github.com/docker/buildx/bake"
)

// argument is what a build gets as the value of the variable "id".
func argument(initial string) string {
	text := "variable \"id\" {\n  default = " + initial + "\n}\ntarget \"default\" {\n  args = { id = id }\n}\n"
	files := []bake.File{{Name: "docker-bake.hcl", Data: []byte(text)}}
	targets, _, err := bake.ReadTargets(context.Background(), files, []string{"default"}, nil, nil, nil, &bake.EntitlementConf{})
	if err != nil {
		panic(err)
	}
	return *targets["default"].Args["id"]
}

func main() {
	fmt.Println(argument("9007199254740993"), argument("1"))
}
EOF
export GOFLAGS=-mod=mod
go build -o bake .
read -r file _ < <(./bake)
read -r _ environment < <(id=9007199254740993 ./bake)
echo "file $file, environment $environment"
[ "$file" = 9007199254740993 ] && [ "$environment" = 9007199254740992 ]
