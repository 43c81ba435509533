package main

// Spec files for the op decode: the spec language read onto the hcldec package, with tuple,
// block_attrs, and three extensions of ours: block_tuple, block_object and block_label.

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/ext/userfunc"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"github.com/zclconf/go-cty/cty/gocty"
)

// specFile is what a spec file says.
type specFile struct {
	root      hcldec.Spec
	variables map[string]cty.Value
	functions map[string]function.Function
}

// Every kind of spec, by its block type.
var specKinds map[string]func(*specReader, *hcl.BodyContent, string) hcldec.Spec

// The arguments that a kind takes; the nested specs that it may have.
var specArguments = map[string][]hcl.AttributeSchema{
	"object":       nil,
	"tuple":        nil,
	"array":        nil,
	"attr":         {{Name: "name"}, {Name: "type"}, {Name: "required"}},
	"literal":      {{Name: "value", Required: true}},
	"block":        {{Name: "block_type"}, {Name: "required"}},
	"block_list":   {{Name: "block_type"}, {Name: "min_items"}, {Name: "max_items"}},
	"block_tuple":  {{Name: "block_type"}, {Name: "min_items"}, {Name: "max_items"}},
	"block_set":    {{Name: "block_type"}, {Name: "min_items"}, {Name: "max_items"}},
	"block_map":    {{Name: "block_type"}, {Name: "labels", Required: true}},
	"block_object": {{Name: "block_type"}, {Name: "labels", Required: true}},
	"block_attrs":  {{Name: "block_type"}, {Name: "element_type", Required: true}, {Name: "required"}},
	"block_label":  {{Name: "index", Required: true}, {Name: "name"}},
	"default":      nil,
	"transform":    {{Name: "result", Required: true}},
}

var leafSpecs = map[string]bool{"attr": true, "literal": true, "block_attrs": true, "block_label": true}

func init() {
	specKinds = map[string]func(*specReader, *hcl.BodyContent, string) hcldec.Spec{
		"object": (*specReader).object,
		"tuple":  (*specReader).tuple,
		"array":  (*specReader).tuple,
		"attr":   (*specReader).attr,
		"literal": func(r *specReader, content *hcl.BodyContent, _ string) hcldec.Spec {
			return &hcldec.LiteralSpec{Value: r.value(content.Attributes["value"])}
		},
		"block": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockSpec{TypeName: r.blockType(content, implied)}
			r.argument(content, "required", &spec.Required)
			spec.Nested = r.single(content)
			return spec
		},
		"block_list": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockListSpec{TypeName: r.blockType(content, implied)}
			r.argument(content, "min_items", &spec.MinItems)
			r.argument(content, "max_items", &spec.MaxItems)
			spec.Nested = r.single(content)
			return spec
		},
		"block_tuple": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockTupleSpec{TypeName: r.blockType(content, implied)}
			r.argument(content, "min_items", &spec.MinItems)
			r.argument(content, "max_items", &spec.MaxItems)
			spec.Nested = r.single(content)
			return spec
		},
		"block_set": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockSetSpec{TypeName: r.blockType(content, implied)}
			r.argument(content, "min_items", &spec.MinItems)
			r.argument(content, "max_items", &spec.MaxItems)
			spec.Nested = r.single(content)
			return spec
		},
		"block_map": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockMapSpec{TypeName: r.blockType(content, implied), LabelNames: r.labels(content)}
			spec.Nested = r.single(content)
			return spec
		},
		"block_object": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockObjectSpec{TypeName: r.blockType(content, implied), LabelNames: r.labels(content)}
			spec.Nested = r.single(content)
			return spec
		},
		"block_attrs": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockAttrsSpec{TypeName: r.blockType(content, implied)}
			spec.ElementType = r.typeOf(content.Attributes["element_type"])
			r.argument(content, "required", &spec.Required)
			return spec
		},
		"block_label": func(r *specReader, content *hcl.BodyContent, implied string) hcldec.Spec {
			spec := &hcldec.BlockLabelSpec{Name: implied}
			r.argument(content, "index", &spec.Index)
			r.argument(content, "name", &spec.Name)
			return spec
		},
		"default": (*specReader).defaults,
		"transform": func(r *specReader, content *hcl.BodyContent, _ string) hcldec.Spec {
			spec := &hcldec.TransformExprSpec{Wrapped: r.single(content), VarName: "nested", TransformCtx: r.context}
			if result := content.Attributes["result"]; result != nil {
				spec.Expr = result.Expr
			} else {
				spec.Expr = hcl.StaticExpr(cty.DynamicVal, content.MissingItemRange)
			}
			return spec
		},
	}
}

type specReader struct {
	context *hcl.EvalContext
	diags   hcl.Diagnostics
}

func readSpec(body hcl.Body) (*specFile, hcl.Diagnostics) {
	reader := &specReader{context: &hcl.EvalContext{Functions: specFunctions()}}
	functions, rest, diags := userfunc.DecodeUserFunctions(body, "function", func() *hcl.EvalContext { return reader.context })
	reader.diags = diags
	file := &specFile{variables: map[string]cty.Value{}, functions: functions}
	if rest == nil {
		return file, reader.diags
	}
	schema := specSchema(nil)
	schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: "variables"})
	content, diags := rest.Content(schema)
	reader.diags = append(reader.diags, diags...)
	specs := hcl.Blocks{}
	for _, block := range content.Blocks {
		if block.Type != "variables" {
			specs = append(specs, block)
			continue
		}
		attrs, diags := block.Body.JustAttributes()
		reader.diags = append(reader.diags, diags...)
		for name, attr := range attrs {
			file.variables[name] = reader.value(attr)
		}
	}
	switch {
	case len(specs) > 1:
		reader.fail(specs[1].DefRange, "Extraneous spec block")
	case len(specs) == 0 && !diags.HasErrors():
		reader.fail(body.MissingItemRange(), "Missing spec block")
	}
	if len(specs) > 0 {
		file.root = reader.spec(specs[0], "")
	}
	return file, reader.diags
}

func specSchema(labels []string, attributes ...hcl.AttributeSchema) *hcl.BodySchema {
	schema := &hcl.BodySchema{Attributes: attributes}
	for kind := range specArguments {
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: kind, LabelNames: labels})
	}
	return schema
}

func (r *specReader) fail(subject hcl.Range, summary string) {
	r.diags = append(r.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Subject: &subject})
}

func (r *specReader) spec(block *hcl.Block, implied string) hcldec.Spec {
	var schema *hcl.BodySchema
	switch {
	case block.Type == "object":
		schema = specSchema([]string{"key"})
	case leafSpecs[block.Type]:
		schema = &hcl.BodySchema{Attributes: specArguments[block.Type]}
	default:
		schema = specSchema(nil, specArguments[block.Type]...)
	}
	content, diags := block.Body.Content(schema)
	r.diags = append(r.diags, diags...)
	return specKinds[block.Type](r, content, implied)
}

func (r *specReader) single(content *hcl.BodyContent) hcldec.Spec {
	switch {
	case len(content.Blocks) == 0:
		r.fail(content.MissingItemRange, "Missing spec block")
		return &hcldec.LiteralSpec{Value: cty.DynamicVal}
	case len(content.Blocks) > 1:
		r.fail(content.Blocks[1].DefRange, "Extraneous spec block")
	}
	return r.spec(content.Blocks[0], "")
}

func (r *specReader) object(content *hcl.BodyContent, _ string) hcldec.Spec {
	object := hcldec.ObjectSpec{}
	for _, block := range content.Blocks {
		name := block.Labels[0]
		if _, twice := object[name]; twice {
			r.fail(block.LabelRanges[0], "Duplicate attribute")
			continue
		}
		object[name] = r.spec(block, name)
	}
	return object
}

func (r *specReader) tuple(content *hcl.BodyContent, _ string) hcldec.Spec {
	tuple := hcldec.TupleSpec{}
	for _, block := range content.Blocks {
		tuple = append(tuple, r.spec(block, ""))
	}
	return tuple
}

func (r *specReader) attr(content *hcl.BodyContent, implied string) hcldec.Spec {
	spec := &hcldec.AttrSpec{Name: implied, Type: r.typeOf(content.Attributes["type"])}
	fits := r.argument(content, "name", &spec.Name)
	r.argument(content, "required", &spec.Required)
	if fits && spec.Name == "" {
		r.fail(content.MissingItemRange, "Missing name")
	}
	return spec
}

func (r *specReader) blockType(content *hcl.BodyContent, implied string) string {
	name := implied
	fits := r.argument(content, "block_type", &name)
	if fits && name == "" {
		r.fail(content.MissingItemRange, "Missing block_type")
	}
	return name
}

func (r *specReader) labels(content *hcl.BodyContent) []string {
	var names []string
	attr := content.Attributes["labels"]
	if attr == nil {
		return []string{"missing"}
	}
	if r.argument(content, "labels", &names) && len(names) == 0 {
		r.fail(attr.Expr.Range(), "Missing labels")
	}
	return names
}

func (r *specReader) defaults(content *hcl.BodyContent, _ string) hcldec.Spec {
	if len(content.Blocks) == 0 {
		r.fail(content.MissingItemRange, "Missing spec block")
		return &hcldec.LiteralSpec{Value: cty.DynamicVal}
	}
	last := len(content.Blocks) - 1
	specs := make([]hcldec.Spec, len(content.Blocks))
	for i, block := range content.Blocks {
		specs[i] = r.spec(block, "")
	}
	result := specs[last]
	for i := last - 1; i >= 0; i-- {
		result = &hcldec.DefaultSpec{Primary: specs[i], Default: result}
	}
	return result
}

func (r *specReader) value(attr *hcl.Attribute) cty.Value {
	if attr == nil {
		return cty.DynamicVal
	}
	value, diags := attr.Expr.Value(r.context)
	r.diags = append(r.diags, diags...)
	return value
}

func (r *specReader) typeOf(attr *hcl.Attribute) cty.Type {
	if attr == nil {
		return cty.DynamicPseudoType
	}
	ty, diags := typeexpr.TypeConstraint(attr.Expr)
	r.diags = append(r.diags, diags...)
	if !diags.HasErrors() && !ty.WithoutOptionalAttributesDeep().Equals(ty) {
		r.fail(attr.Expr.Range(), "Optional attributes")
	}
	return ty
}

// argument reads a constant argument, and says whether nothing is wrong with it; it may be missing.
func (r *specReader) argument(content *hcl.BodyContent, name string, into any) bool {
	attr := content.Attributes[name]
	if attr == nil {
		return true
	}
	value, diags := attr.Expr.Value(nil)
	r.diags = append(r.diags, diags...)
	if diags.HasErrors() || value.IsNull() {
		return !diags.HasErrors()
	}
	wanted, err := gocty.ImpliedType(into)
	if err == nil {
		value, err = convert.Convert(value, wanted)
	}
	if err == nil {
		err = gocty.FromCtyValue(value, into)
	}
	if err != nil {
		r.fail(attr.Expr.Range(), fmt.Sprintf("Unsuitable %s", name))
	}
	return err == nil
}

func specFunctions() map[string]function.Function {
	return map[string]function.Function{
		"abs":        stdlib.AbsoluteFunc,
		"coalesce":   stdlib.CoalesceFunc,
		"concat":     stdlib.ConcatFunc,
		"hasindex":   stdlib.HasIndexFunc,
		"int":        stdlib.IntFunc,
		"jsondecode": stdlib.JSONDecodeFunc,
		"jsonencode": stdlib.JSONEncodeFunc,
		"length":     stdlib.LengthFunc,
		"lower":      stdlib.LowerFunc,
		"max":        stdlib.MaxFunc,
		"min":        stdlib.MinFunc,
		"reverse":    stdlib.ReverseFunc,
		"strlen":     stdlib.StrlenFunc,
		"substr":     stdlib.SubstrFunc,
		"upper":      stdlib.UpperFunc,
	}
}
