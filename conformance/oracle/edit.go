package main

// The op edit: sets one attribute in a file with hclwrite, the reference's editing tree. hcledit stands on it.

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

func opEdit(line []byte) object {
	request := read[struct {
		Src   *string  `json:"src"`
		Path  []string `json:"path"`
		Value string   `json:"value"`
	}](line)
	if len(request.Path) == 0 {
		panic(badf("the path is empty"))
	}
	file, diags := hclwrite.ParseConfig(source(request.Src), "", hcl.InitialPos)
	if diags.HasErrors() {
		return object{"error": diags.Error()}
	}
	value, diags := hclwrite.ParseConfig([]byte("value = "+request.Value+"\n"), "", hcl.InitialPos)
	if diags.HasErrors() {
		panic(badf("the value: %s", diags))
	}
	last := len(request.Path) - 1
	body := bodyAt(file.Body(), request.Path[:last])
	name := request.Path[last]
	if body == nil || body.GetAttribute(name) == nil {
		return object{"error": "no such attribute"}
	}
	body.SetAttributeRaw(name, value.Body().GetAttribute("value").Expr().BuildTokens(nil))
	return object{"out": string(file.Bytes())}
}

// bodyAt follows the types and labels of blocks.
func bodyAt(body *hclwrite.Body, path []string) *hclwrite.Body {
	if len(path) == 0 {
		return body
	}
	for _, block := range body.Blocks() {
		labels := block.Labels()
		if block.Type() != path[0] || len(labels) >= len(path) {
			continue
		}
		same := true
		for at, label := range labels {
			same = same && label == path[at+1]
		}
		if same {
			if found := bodyAt(block.Body(), path[len(labels)+1:]); found != nil {
				return found
			}
		}
	}
	return nil
}
