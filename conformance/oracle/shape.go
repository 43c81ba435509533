package main

// The op shape, an extension of the protocol: how an expression is built, without ranges, in a form
// that says what is said and not how the reference keeps it (a constant index is an index, whether
// it lies in a traversal or not).

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

func opShape(line []byte) object {
	request := read[struct {
		Src *string `json:"src"`
		As  string  `json:"as"`
	}](line)
	src := source(request.Src)
	var exprs []hclsyntax.Expression
	var diags hcl.Diagnostics
	switch request.As {
	case "config":
		var file *hcl.File
		file, diags = hclsyntax.ParseConfig(src, fileName, hcl.InitialPos)
		exprs = bodyExprs(file.Body.(*hclsyntax.Body))
	case "expression", "template":
		parse := hclsyntax.ParseExpression
		if request.As == "template" {
			parse = hclsyntax.ParseTemplate
		}
		var expr hclsyntax.Expression
		expr, diags = parse(src, fileName, hcl.InitialPos)
		exprs = append(exprs, expr)
	default:
		panic(badf("a source is read as config, expression or template, not %q", request.As))
	}
	reply := object{"parse_diags": diagsJSON(diags)}
	if !diags.HasErrors() {
		reply["shapes"] = shapes(exprs)
	}
	return reply
}

// bodyExprs lists the expressions of all attributes in source order, those of blocks among them.
func bodyExprs(body *hclsyntax.Body) []hclsyntax.Expression {
	var exprs []hclsyntax.Expression
	for _, attr := range body.Attributes {
		exprs = append(exprs, attr.Expr)
	}
	for _, block := range body.Blocks {
		exprs = append(exprs, bodyExprs(block.Body)...)
	}
	sort.SliceStable(exprs, func(i, j int) bool { return exprs[i].Range().Start.Byte < exprs[j].Range().Start.Byte })
	return exprs
}

func shapes(exprs []hclsyntax.Expression) []any {
	list := []any{}
	for _, expr := range exprs {
		list = append(list, shape(expr))
	}
	return list
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!",
	hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=",
	hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*",
	hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "-",
}

func shape(expr hclsyntax.Expression) any {
	switch expr := expr.(type) {
	case nil:
		return nil
	case *hclsyntax.LiteralValueExpr:
		if expr.Val.Type() == cty.String && expr.Val.IsKnown() && !expr.Val.IsNull() {
			return append([]any{"template"}, templateParts([]hclsyntax.Expression{expr})...)
		}
		return literal(expr.Val)
	case *hclsyntax.TemplateExpr:
		return append([]any{"template"}, templateParts(expr.Parts)...)
	case *hclsyntax.TemplateWrapExpr:
		return []any{"wrap", shape(expr.Wrapped)}
	case *hclsyntax.TemplateJoinExpr:
		return []any{"join", shape(expr.Tuple)}
	case *hclsyntax.ScopeTraversalExpr:
		return steps([]any{"var", expr.Traversal.RootName()}, expr.Traversal[1:])
	case *hclsyntax.RelativeTraversalExpr:
		return steps(shape(expr.Source), expr.Traversal)
	case *hclsyntax.IndexExpr:
		return []any{"index", shape(expr.Collection), shape(expr.Key)}
	case *hclsyntax.SplatExpr:
		return []any{"splat", shape(expr.Source), shape(expr.Each)}
	case *hclsyntax.AnonSymbolExpr:
		return []any{"item"}
	case *hclsyntax.FunctionCallExpr:
		return []any{"call", expr.Name, shapes(expr.Args), expr.ExpandFinal}
	case *hclsyntax.TupleConsExpr:
		return []any{"tuple", shapes(expr.Exprs)}
	case *hclsyntax.ObjectConsExpr:
		items := []any{}
		for _, item := range expr.Items {
			items = append(items, []any{shape(item.KeyExpr), shape(item.ValueExpr)})
		}
		return []any{"object", items}
	case *hclsyntax.ObjectConsKeyExpr:
		if name := hcl.ExprAsKeyword(expr.Wrapped); name != "" && !expr.ForceNonLiteral {
			return []any{"name", name}
		}
		return shape(expr.Wrapped)
	case *hclsyntax.ForExpr:
		return []any{
			"for", expr.KeyVar, expr.ValVar, shape(expr.CollExpr),
			shape(expr.KeyExpr), shape(expr.ValExpr), shape(expr.CondExpr), expr.Group,
		}
	case *hclsyntax.ConditionalExpr:
		return []any{"if", shape(expr.Condition), shape(expr.TrueResult), shape(expr.FalseResult)}
	case *hclsyntax.BinaryOpExpr:
		return []any{operators[expr.Op], shape(expr.LHS), shape(expr.RHS)}
	case *hclsyntax.UnaryOpExpr:
		return []any{operators[expr.Op], shape(expr.Val)}
	case *hclsyntax.ParenthesesExpr:
		return []any{"parens", shape(expr.Expression)}
	}
	panic("an unknown kind of expression")
}

func literal(val cty.Value) any {
	switch {
	case val.IsNull():
		return []any{"null"}
	case val.Type() == cty.Bool && val.IsKnown():
		return []any{"bool", val.True()}
	case val.Type() == cty.Number && val.IsKnown():
		return []any{"number", valueJSON(val)["number"]}
	}
	return []any{"literal", valueJSON(val)}
}

func steps(from any, traversal hcl.Traversal) any {
	for _, step := range traversal {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			from = []any{"attr", from, step.Name}
		case hcl.TraverseIndex:
			key := literal(step.Key)
			if step.Key.Type() == cty.String {
				key = []any{"template", step.Key.AsString()}
				if step.Key.AsString() == "" {
					key = []any{"template"}
				}
			}
			from = []any{"index", from, key}
		default:
			panic("an unknown kind of traversal step")
		}
	}
	return from
}

// templateParts writes literal text as strings, adjacent ones as one, and leaves empty ones out:
// where the text is cut is the reference's own affair.
func templateParts(parts []hclsyntax.Expression) []any {
	list := []any{}
	for _, part := range parts {
		text, ok := part.(*hclsyntax.LiteralValueExpr)
		if !ok || text.Val.Type() != cty.String || text.Val.IsNull() {
			list = append(list, shape(part))
			continue
		}
		if text.Val.AsString() == "" {
			continue
		}
		if n := len(list); n > 0 {
			if before, ok := list[n-1].(string); ok {
				list[n-1] = before + text.Val.AsString()
				continue
			}
		}
		list = append(list, text.Val.AsString())
	}
	return list
}
