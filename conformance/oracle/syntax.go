package main

// Ops on text alone: config, accept, traversal, refs and format.

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

const fileName = "input.hcl"

type srcRequest struct {
	Src *string `json:"src"`
}

func readSrc(line []byte) []byte { return source(read[srcRequest](line).Src) }

func source(src *string) []byte {
	if src == nil {
		panic(badf("no src"))
	}
	return []byte(*src)
}

func opConfig(line []byte) object {
	file, diags := hclsyntax.ParseConfig(readSrc(line), fileName, hcl.InitialPos)
	reply := object{"parse_diags": diagsJSON(diags), "body": []object{}}
	if file != nil {
		if body, ok := file.Body.(*hclsyntax.Body); ok && body != nil {
			reply["body"] = bodyJSON(body)
		}
	}
	return reply
}

func opAccept(line []byte) object {
	_, diags := hclsyntax.ParseConfig(readSrc(line), fileName, hcl.InitialPos)
	return object{"ok": !diags.HasErrors()}
}

func opTraversal(line []byte) object {
	request := read[struct {
		Src     *string `json:"src"`
		Partial bool    `json:"partial"`
	}](line)
	parse := hclsyntax.ParseTraversalAbs
	if request.Partial {
		parse = hclsyntax.ParseTraversalPartial
	}
	traversal, diags := parse(source(request.Src), fileName, hcl.InitialPos)
	return object{"parse_diags": diagsJSON(diags), "traversal": traversalJSON(traversal)}
}

func opRefs(line []byte) object {
	expr, diags := hclsyntax.ParseExpression(readSrc(line), fileName, hcl.InitialPos)
	reply := object{"parse_diags": diagsJSON(diags)}
	if !diags.HasErrors() {
		refs := []any{}
		for _, traversal := range expr.Variables() {
			refs = append(refs, traversalJSON(traversal))
		}
		reply["refs"] = refs
	}
	return reply
}

// bodyJSON puts attributes, which the reference keeps in a map, and blocks into source order.
func bodyJSON(body *hclsyntax.Body) []object {
	type item struct {
		start int
		json  object
	}
	items := []item{}
	for _, attr := range body.Attributes {
		item := item{attr.SrcRange.Start.Byte, object{
			"attr":       attr.Name,
			"range":      rangeJSON(attr.SrcRange),
			"name_range": rangeJSON(attr.NameRange),
			"expr_range": rangeJSON(attr.Expr.Range()),
		}}
		items = append(items, item)
	}
	for _, block := range body.Blocks {
		labels, labelRanges := []string{}, [][6]int{}
		labels = append(labels, block.Labels...)
		for _, r := range block.LabelRanges {
			labelRanges = append(labelRanges, rangeJSON(r))
		}
		item := item{block.TypeRange.Start.Byte, object{
			"block":        block.Type,
			"labels":       labels,
			"type_range":   rangeJSON(block.TypeRange),
			"label_ranges": labelRanges,
			"open":         rangeJSON(block.OpenBraceRange),
			"close":        rangeJSON(block.CloseBraceRange),
			"body":         []object{},
		}}
		if block.Body != nil {
			item.json["body"] = bodyJSON(block.Body)
		}
		items = append(items, item)
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].start < items[j].start })
	list := make([]object, len(items))
	for i := range items {
		list[i] = items[i].json
	}
	return list
}

func traversalJSON(traversal hcl.Traversal) []object {
	steps := []object{}
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			steps = append(steps, object{"root": step.Name, "range": rangeJSON(step.SrcRange)})
		case hcl.TraverseAttr:
			steps = append(steps, object{"attr": step.Name, "range": rangeJSON(step.SrcRange)})
		case hcl.TraverseIndex:
			steps = append(steps, object{"index": indexJSON(step.Key), "range": rangeJSON(step.SrcRange)})
		case hcl.TraverseSplat:
			steps = append(steps, object{"splat": true, "range": rangeJSON(step.SrcRange)})
		}
	}
	return steps
}

// indexJSON allows for a key without a value, as an erroneous traversal may hold one.
func indexJSON(key cty.Value) any {
	if key == cty.NilVal {
		return nil
	}
	return valueJSON(key)
}
