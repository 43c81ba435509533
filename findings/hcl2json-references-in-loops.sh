#!/usr/bin/env bash
# @cdktf/hcl2json 0.21 and its fork @cdktn/hcl2json 0.24 find no references in the body of a `for` expression.
#
# `getReferencesInExpression` says what an attribute of Terraform refers to; converters and bots build their graphs on it. In
# `[for x in var.names : local.prefix]`, `var.names` is found and `local.prefix` is not, although it is needed as much.
#
# Output seen:
#   @cdktf/hcl2json 0.21.0: var.names
#   @cdktn/hcl2json 0.24.0: var.names
# Takes 10 seconds if npm's cache has the packages.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >show.cjs <<'END'
const [, , name] = process.argv;
const { version } = require(`${name}/package.json`);
const { getReferencesInExpression } = require(name);
getReferencesInExpression("main.tf", "${[for x in var.names : local.prefix]}").then((found) => {
  console.log(`${name} ${version}: ${found.map((own) => own.value).join(", ")}`);
  process.exit(0);
});
END
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts @cdktf/hcl2json@0.21.0 @cdktn/hcl2json@0.24.0
# They cannot be loaded in one process.
seen=$(node show.cjs @cdktf/hcl2json; node show.cjs @cdktn/hcl2json)
echo "$seen"
[ "$seen" = '@cdktf/hcl2json 0.21.0: var.names
@cdktn/hcl2json 0.24.0: var.names' ]
