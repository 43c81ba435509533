// Program rows is the peer of `hcl tables --table attributes`, for docs/scale.md: it reads files as lines of JSON, parses them with
// the reference, and prints a line for each attribute. It knows neither sensitive values nor references.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
)

type file struct {
	Repo    string `json:"repo"`
	Commit  string `json:"commit"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

type row struct {
	Repo       string `json:"repo"`
	Commit     string `json:"commit"`
	Path       string `json:"path"`
	Block      string `json:"block"`
	Name       string `json:"name"`
	Expression string `json:"expression"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	StartByte  int    `json:"start_byte"`
	EndByte    int    `json:"end_byte"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	lines, rows := json.NewDecoder(in), json.NewEncoder(out)
	files, broken, count := 0, 0, 0
	for {
		var own file
		if err := lines.Decode(&own); err != nil {
			break
		}
		files++
		src := []byte(own.Content)
		emit := func(block, name string, value, whole hcl.Range) {
			count++
			text := ""
			// In broken files, there are ranges that end before they start.
			if value.Start.Byte <= value.End.Byte {
				text = string(src[value.Start.Byte:value.End.Byte])
			}
			rows.Encode(row{own.Repo, own.Commit, own.Path, block, name, text, whole.Start.Line, whole.End.Line, whole.Start.Byte, whole.End.Byte})
		}
		if strings.HasSuffix(own.Path, ".json") {
			parsed, diags := hcljson.Parse(src, own.Path)
			if diags.HasErrors() {
				broken++
			}
			if parsed != nil {
				// What is a block is not known without a schema.
				attributes, _ := parsed.Body.JustAttributes()
				for name, attribute := range attributes {
					emit("", name, attribute.Expr.Range(), attribute.Range)
				}
			}
			continue
		}
		parsed, diags := hclsyntax.ParseConfig(src, own.Path, hcl.InitialPos)
		if diags.HasErrors() {
			broken++
		}
		if parsed != nil {
			walk("", parsed.Body.(*hclsyntax.Body), emit)
		}
	}
	fmt.Fprintf(os.Stderr, "%d files, %d broken, %d rows\n", files, broken, count)
}

func walk(address string, body *hclsyntax.Body, emit func(block, name string, value, whole hcl.Range)) {
	for name, attribute := range body.Attributes {
		emit(address, name, attribute.Expr.Range(), attribute.SrcRange)
	}
	for _, block := range body.Blocks {
		names := append([]string{block.Type}, block.Labels...)
		if address != "" {
			names = append([]string{address}, names...)
		}
		walk(strings.Join(names, "."), block.Body, emit)
	}
}
