package main

// The op eval-bench, an extension of the protocol: the reference timed on an expression, a template or
// all attributes of the first block of a configuration.

import (
	"encoding/json"
	"runtime"
	"sort"
	"syscall"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Variables are plain JSON with their types, as the type system encodes both: they may be long.
type evalBench struct {
	Src     *string `json:"src"`
	As      string  `json:"as"`
	Seconds float64 `json:"seconds"`
	Vars    map[string]struct {
		Type json.RawMessage `json:"type"`
		JSON json.RawMessage `json:"json"`
	} `json:"vars"`
}

func opEvalBench(line []byte) object {
	request := read[evalBench](line)
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: stdFunctions()}
	for name, given := range request.Vars {
		ty, err := ctyjson.UnmarshalType(given.Type)
		if err != nil {
			panic(badf("%s", err))
		}
		value, err := ctyjson.Unmarshal(given.JSON, ty)
		if err != nil {
			panic(badf("%s", err))
		}
		ctx.Variables[name] = value
	}
	exprs := benched(request, ctx)

	runtime.GC()
	runs, start, used := 0, time.Now(), processorTime()
	limit := time.Duration(request.Seconds * float64(time.Second))
	for runs == 0 || time.Since(start) < limit {
		for _, expr := range exprs {
			value, diags := expr.Value(ctx)
			if diags.HasErrors() {
				panic(badf("%s", diags))
			}
			runtime.KeepAlive(value)
		}
		runs++
	}
	return object{"ns": float64(processorTime()-used) / float64(runs), "runs": runs}
}

// processorTime is what the process has had of the processor, its collector included, in nanoseconds: on a machine with
// other work, time by the clock is mostly waiting.
func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// benched is what is timed: one expression, or those of a block of locals, each of which sees those
// before it under local.
func benched(request evalBench, ctx *hcl.EvalContext) []hclsyntax.Expression {
	if request.As != "locals" {
		parse := hclsyntax.ParseExpression
		if request.As == "template" {
			parse = hclsyntax.ParseTemplate
		}
		expr, diags := parse(source(request.Src), fileName, hcl.InitialPos)
		if diags.HasErrors() {
			panic(badf("%s", diags))
		}
		return []hclsyntax.Expression{expr}
	}
	file, diags := hclsyntax.ParseConfig(source(request.Src), fileName, hcl.InitialPos)
	if diags.HasErrors() {
		panic(badf("%s", diags))
	}
	attrs := []*hclsyntax.Attribute{}
	for _, attr := range file.Body.(*hclsyntax.Body).Blocks[0].Body.Attributes {
		attrs = append(attrs, attr)
	}
	sort.Slice(attrs, func(i, j int) bool { return attrs[i].SrcRange.Start.Byte < attrs[j].SrcRange.Start.Byte })
	exprs, locals := []hclsyntax.Expression{}, map[string]cty.Value{}
	for _, attr := range attrs {
		ctx.Variables["local"] = cty.ObjectVal(locals)
		value, diags := attr.Expr.Value(ctx)
		if diags.HasErrors() {
			panic(badf("%s", diags))
		}
		locals[attr.Name] = value
		exprs = append(exprs, attr.Expr)
	}
	ctx.Variables["local"] = cty.ObjectVal(locals)
	return exprs
}
