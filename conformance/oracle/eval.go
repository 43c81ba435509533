package main

// Ops that evaluate: expr, template and json.

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

type evalRequest struct {
	Src   *string                    `json:"src"`
	Vars  map[string]json.RawMessage `json:"vars"`
	Funcs string                     `json:"funcs"`
}

// context is nil, not empty, for a request with neither variables nor functions: the reference
// words its errors by the difference.
func (r evalRequest) context() *hcl.EvalContext {
	if r.Vars == nil && r.Funcs == "" {
		return nil
	}
	ctx := &hcl.EvalContext{}
	if r.Vars != nil {
		ctx.Variables = map[string]cty.Value{}
		for name, raw := range r.Vars {
			ctx.Variables[name] = readValue(raw)
		}
	}
	switch r.Funcs {
	case "":
	case "std":
		ctx.Functions = stdFunctions()
	default:
		panic(badf("the oracle has no function table %q", r.Funcs))
	}
	return ctx
}

type parser func(src []byte, filename string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics)

func opExpr(line []byte) object { return evaluate(line, hclsyntax.ParseExpression) }

func opTemplate(line []byte) object { return evaluate(line, hclsyntax.ParseTemplate) }

func evaluate(line []byte, parse parser) object {
	request := read[evalRequest](line)
	ctx := request.context()
	expr, diags := parse(source(request.Src), fileName, hcl.InitialPos)
	reply := object{"parse_diags": diagsJSON(diags)}
	if !diags.HasErrors() {
		value, diags := expr.Value(ctx)
		reply["value"] = valueJSON(value)
		reply["diags"] = diagsJSON(diags)
		if compares(*request.Src) {
			steady(encode(reply["value"]), func() []byte {
				value, _ := expr.Value(ctx)
				return encode(valueJSON(value))
			})
		}
	}
	return reply
}

// Whether objects may be compared: where attributes differ and others are unknown or marked, what the
// reference says depends on the order in which it happens to visit them.
func compares(src string) bool {
	return strings.Contains(src, "==") || strings.Contains(src, "!=") || strings.Contains(src, "equal")
}

// steady panics of an answer that is another one when the same is asked again: there is no reference.
func steady(answer []byte, again func() []byte) {
	for range 12 {
		if !bytes.Equal(answer, again()) {
			panic("the reference has several answers to this")
		}
	}
}

// firstOf is the first error in a text. In JSON what comes after it only follows from it, mostly at the start of the
// file.
func firstOf(diags hcl.Diagnostics) hcl.Diagnostics {
	return diags[:1]
}

func opJSON(line []byte) object {
	request := read[evalRequest](line)
	ctx := request.context()
	file, diags := hcljson.Parse(source(request.Src), fileName+".json")
	if diags.HasErrors() {
		return object{"parse_diags": diagsJSON(firstOf(diags))}
	}
	reply := object{"parse_diags": diagsJSON(diags)}
	attrs, diags := file.Body.JustAttributes()
	values := object{}
	for name, attr := range attrs {
		value, diags := attr.Expr.Value(ctx)
		values[name] = object{"value": valueJSON(value), "diags": diagsJSON(diags)}
	}
	reply["diags"] = diagsJSON(diags)
	reply["attrs"] = values
	return reply
}
