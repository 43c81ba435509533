#!/bin/sh
# Seeds the corpus of the target `parse` with the examples: each file as a whole, and its pieces between blank lines.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/parse
find ../examples -type f ! -name '*.md' | while read -r file; do
  name=$(basename "$file")
  cp "$file" "corpus/parse/$name"
  awk -v RS= -v to="corpus/parse/$name" '{ part = to "." NR; print > part; close(part) }' "$file"
done
