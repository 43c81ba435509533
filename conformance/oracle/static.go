package main

// The op static: expressions read without evaluating them.

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

type staticRequest struct {
	Src   *string         `json:"src"`
	As    string          `json:"as"`
	Value json.RawMessage `json:"value"`
}

func opStatic(line []byte) object {
	request := read[staticRequest](line)
	analyse, known := analyses[request.As]
	if request.As == "defaults" {
		analyse, known = withDefaults(readValue(request.Value)), true
	}
	if !known {
		panic(badf("unknown static analysis %q", request.As))
	}
	expr, diags := hclsyntax.ParseExpression(source(request.Src), fileName, hcl.InitialPos)
	reply := object{"parse_diags": diagsJSON(diags)}
	if !diags.HasErrors() {
		reply["diags"] = diagsJSON(analyse(expr, reply))
	}
	return reply
}

// Each analysis puts its results into the reply where it succeeds.
var analyses = map[string]func(expr hcl.Expression, reply object) hcl.Diagnostics{
	"list": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		exprs, diags := hcl.ExprList(expr)
		if !diags.HasErrors() {
			reply["items"] = exprRanges(exprs)
		}
		return diags
	},
	"map": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		pairs, diags := hcl.ExprMap(expr)
		if !diags.HasErrors() {
			items := [][2][6]int{}
			for _, pair := range pairs {
				items = append(items, [2][6]int{rangeJSON(pair.Key.Range()), rangeJSON(pair.Value.Range())})
			}
			reply["items"] = items
		}
		return diags
	},
	"call": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		call, diags := hcl.ExprCall(expr)
		if !diags.HasErrors() {
			reply["name"] = call.Name
			reply["items"] = exprRanges(call.Arguments)
		}
		return diags
	},
	"traversal": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		traversal, diags := hcl.AbsTraversalForExpr(expr)
		if !diags.HasErrors() {
			reply["traversal"] = traversalJSON(traversal)
		}
		return diags
	},
	"keyword": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		reply["keyword"] = hcl.ExprAsKeyword(expr)
		return nil
	},
	"type": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		ty, diags := typeexpr.Type(expr)
		if !diags.HasErrors() {
			reply["type"] = typeJSON(ty)
		}
		return diags
	},
	"bare-constraint": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		ty, diags := typeexpr.TypeConstraint(expr)
		if !diags.HasErrors() {
			reply["type"] = typeJSON(ty)
		}
		return diags
	},
	"constraint": func(expr hcl.Expression, reply object) hcl.Diagnostics {
		ty, _, diags := typeexpr.TypeConstraintWithDefaults(expr)
		if !diags.HasErrors() {
			reply["type"] = typeJSON(ty)
		}
		return diags
	},
}

// withDefaults is the analysis that applies a constraint's defaults to a value, and then converts it.
func withDefaults(value cty.Value) func(expr hcl.Expression, reply object) hcl.Diagnostics {
	return func(expr hcl.Expression, reply object) hcl.Diagnostics {
		ty, defaults, diags := typeexpr.TypeConstraintWithDefaults(expr)
		if diags.HasErrors() {
			return diags
		}
		if defaults != nil && !value.IsNull() {
			value = defaults.Apply(value)
		}
		reply["applied"] = valueJSON(value)
		if converted, err := convert.Convert(value, ty); err != nil {
			reply["error"], reply["detail"] = true, err.Error()
		} else {
			reply["value"] = valueJSON(converted)
		}
		return diags
	}
}

func exprRanges(exprs []hcl.Expression) [][6]int {
	ranges := [][6]int{}
	for _, expr := range exprs {
		ranges = append(ranges, rangeJSON(expr.Range()))
	}
	return ranges
}
