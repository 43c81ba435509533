#!/bin/sh
# Fills the corpora of the targets with seeds:
#   hcl1           the sources of the suite's cases in HCL 1, and those whose values are recorded, of applications, too
#   parse, fixes, format, edit   the examples, as whole files and as the parts between blank lines
#   json, fixes    the sources of the suite's cases in the JSON syntax
#   decode         the suite's specs, each with its configurations
#   eval           what stands after an equals sign in the examples
#   value          two types and a value of each kind
#   module         the modules whose answers are recorded, with a few patterns
#   bake           the Bake files whose plans are recorded, with their overrides
#   program        files of the examples for each command
#   settings       settings and tables of languages, for each command
# The inputs of `partial`, `limits`, `secrets`, `tree`, `refactor` and `lsp` are decisions; the fuzzer finds them without seeds.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/parse
find ../examples -type f ! -name '*.md' | while read -r file; do
  name=$(basename "$file")
  cp "$file" "corpus/parse/$name"
  awk -v RS= -v to="corpus/parse/$name" '{ part = to "." NR; print > part; close(part) }' "$file"
done
mkdir -p corpus/format
cp corpus/parse/* corpus/format/
mkdir -p corpus/edit
number=0
for file in corpus/parse/*; do
  { printf 'edit%04d' "$number"; cat "$file"; } > "corpus/edit/$(basename "$file")"
  number=$((number + 1))
done
mkdir -p corpus/hcl1
for file in ../tests/suite/hcl-1/*.trees ../tests/hcl1/*.hcl1 ../tests/consul/*.consul ../tests/vault/*.vault ../tests/consul-template/*.consul-template; do
  awk -v to="corpus/hcl1/$(basename "$file")" '
    /^--- / { inside = $2 == "source"; number++; next }
    /^=== / { inside = 0; next }
    inside { print > (to "." number) }
  ' "$file"
done
mkdir -p corpus/json
for file in ../tests/suite/json-*/*.trees; do
  awk -v to="corpus/json/$(basename "$file")" \
    '/^--- source/{ part = to "." ++n; next } /^(--- |=== )/{ part = "" } part { print > part }' "$file"
done
mkdir -p corpus/decode
cat ../examples/service/service.hcldec >corpus/decode/service
printf -- '---\n' >>corpus/decode/service
cat ../examples/service/web.hcl >>corpus/decode/service
for file in ../tests/suite/*/*.cases; do
  awk -v to="corpus/decode/$(basename "$file")" '
    /^=== /{ spec = ""; what = "" }
    /^--- spec/{ what = "spec"; next }
    /^--- (native|json$|[a-z]*\.)/{ what = "file"; part = to "." ++n; printf "%s---\n", spec > part; next }
    /^(--- |=== )/{ what = ""; next }
    what == "spec"{ spec = spec $0 "\n" }
    what == "file"{ print > part }' "$file"
done
mkdir -p corpus/eval
find ../examples ../benches/inputs -type f ! -name '*.md' | while read -r file; do
  awk -v to="corpus/eval/$(basename "$file")" \
    'sub(/^[^="]* = /, "") { part = to "." ++n; printf "%s", $0 > part; close(part) }' "$file"
done
mkdir -p corpus/value
printf '["list","string"]\n["set","dynamic"]\n["a", null, "b"]' >corpus/value/list
printf '["map","number"]\n["object",{"a":"string","b":"bool"},["b"]]\n{"a": 0.1}' >corpus/value/map
printf '["tuple",["bool","number"]]\n["list","dynamic"]\n[true, -1e400]' >corpus/value/tuple
printf '"dynamic"\n"string"\n{"value": ["x"], "type": ["set","string"]}' >corpus/value/dynamic
printf '["object",{"a":"number"}]\n["map","string"]\n\201\241a\313\077\271\231\231\231\231\231\232' >corpus/value/float
printf '["list","number"]\n["set","string"]\n\222\324\000\000\307\013\014\203\001\302\003\222\001\303\004\222\011\302' \
  >corpus/value/refined
printf '"dynamic"\n["list","dynamic"]\n\222\304\010"number"\315\001\000' >corpus/value/typed
mkdir -p corpus/module
patterns='patterns\n..\n*.*\noutput.*[-1]\nlocal.*[a == 1]\nmodule.*..~[*]\nmodule.*[true].output.*'
for file in ../tests/modules/*.modules; do
  awk -v to="corpus/module/$(basename "$file")" -v patterns="$patterns" '
    /^=== /{ part = to "." ++n; print patterns > part; next }
    /^--- (terraform$|opentofu|options|console)/{ skip = 1; next }
    /^--- /{ skip = 0; print "---" > part; print substr($0, 5) > part; next }
    n && !skip{ print > part }' "$file"
done
mkdir -p corpus/bake
for file in ../tests/bake/*.bake; do
  awk -v to="corpus/bake/$(basename "$file")" '
    /^=== /{ part = to "." ++n; what = ""; next }
    /^--- options/{ what = "options"; print "---\noverrides" > part; next }
    /^--- buildx/{ what = "answer"; next }
    /^--- /{ if (what == "file") print "---" > part; what = "file"; print substr($0, 5) > part; next }
    what == "options" && !sub(/^set /, ""){ next }
    what == "file" || what == "options"{ print > part }' "$file"
done
mkdir -p corpus/fixes corpus/program
cp corpus/parse/* corpus/json/* corpus/fixes/
# The first line makes decisions; each byte that begins one leads to another command.
for file in ../examples/service/*.hcl ../benches/inputs/*; do
  [ -f "$file" ] || continue
  for first in A D G J M P S V Y b e h k n q t w z; do
    {
      printf '%s0aZ7q#Lw9\n' "$first"
      printf 'upper("x")\n---\n'
      head -c 2000 "$file"
      printf '\n---\n'
      head -c 1000 ../examples/service/service.hcldec
      printf '\n---\n{"x": 1}\n---\n'
      head -c 500 "$file"
      printf '\n---\n{"a": {"b": "${c}"}}\n---\n%%{ for x in y }${x}%%{ endfor }\n---\n*.tmp\n---\na: &a [x, {b: 1}]\nb: *a\n'
    } >"corpus/program/$first.$(basename "$file")"
  done
done
mkdir -p corpus/settings
for first in a b c d e f g h i j k l m n o p q; do
  {
    printf '%slanguages = ["t.hcl"]\nschemas = ["s.json"]\nschema-cache = "c"\n[fmt]\nwidth = 80\njoin = true\n' "$first"
    printf '[modules]\n"registry/m" = "n"\n[specs]\n"*.{hcl,[a-z]?}" = "s.hcldec"\n\n---\n'
    printf 'name = "ours"\nfiles = ["*.ours"]\nblock "b" {\n  role = "object"\n  labels = ["name"]\n  defines = "b.{name}"\n}\n'
  } >"corpus/settings/$first"
done
