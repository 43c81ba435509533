package main

// The op decode: files read by a spec.

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

type decodeRequest struct {
	Spec  *string `json:"spec"`
	Files []struct {
		Name string `json:"name"`
		Src  string `json:"src"`
	} `json:"files"`
	Vars     map[string]json.RawMessage `json:"vars"`
	Funcs    string                     `json:"funcs"`
	Dynamic  bool                       `json:"dynamic"`
	SpecName string                     `json:"spec_name"`
}

func opDecode(line []byte) object {
	request := read[decodeRequest](line)
	if request.SpecName == "" {
		request.SpecName = "spec.hcldec"
	}
	var spec *specFile
	specBody, diags := parseBody(request.SpecName, source(request.Spec))
	if !diags.HasErrors() {
		var more hcl.Diagnostics
		spec, more = readSpec(specBody)
		diags = append(diags, more...)
	}
	bodies := []hcl.Body{}
	for _, file := range request.Files {
		body, more := parseBody(file.Name, []byte(file.Src))
		bodies, diags = append(bodies, body), append(diags, more...)
	}
	reply := object{"parse_diags": diagsJSON(diags)}
	if diags.HasErrors() {
		return reply
	}
	body := hcl.MergeBodies(bodies)
	if len(bodies) == 1 {
		body = bodies[0]
	}
	ctx := spec.evalContext(evalRequest{Vars: request.Vars, Funcs: request.Funcs}.context())
	variables := hcldec.Variables
	if request.Dynamic {
		variables = dynblock.VariablesHCLDec
	}
	reply["refs"] = distinctRefs(variables(body, spec.root))
	if request.Dynamic {
		body = dynblock.Expand(body, ctx)
	}
	value, diags := hcldec.Decode(body, spec.root, ctx)
	reply["diags"] = diagsJSON(distinctDiags(diags))
	reply["value"] = valueJSON(value)
	return reply
}

// parseBody tells of the errors in a text only the first: what follows is for the ops config and json.
func parseBody(name string, src []byte) (hcl.Body, hcl.Diagnostics) {
	var file *hcl.File
	var diags hcl.Diagnostics
	if strings.HasSuffix(name, ".json") {
		file, diags = hcljson.Parse(src, name)
	} else {
		file, diags = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
		// Errors of the scanner come before those of the parser.
		sort.SliceStable(diags, func(i, j int) bool {
			one, other := diags[i].Subject, diags[j].Subject
			if one.Start.Byte != other.Start.Byte {
				return one.Start.Byte < other.Start.Byte
			}
			return one.End.Byte < other.End.Byte
		})
	}
	if diags.HasErrors() {
		diags = firstOf(diags)
	}
	if file == nil {
		return hcl.EmptyBody(), diags
	}
	return file.Body, diags
}

// evalContext is the caller's variables before those of the file, and the functions of both.
func (file *specFile) evalContext(given *hcl.EvalContext) *hcl.EvalContext {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}}
	for name, value := range file.variables {
		ctx.Variables[name] = value
	}
	// Without any, calls are not allowed, as in the program hcldec.
	functions := map[string]function.Function{}
	for name, function := range file.functions {
		functions[name] = function
	}
	if given != nil {
		for name, value := range given.Variables {
			ctx.Variables[name] = value
		}
		for name, function := range given.Functions {
			functions[name] = function
		}
	}
	if len(functions) > 0 {
		ctx.Functions = functions
	}
	return ctx
}

// distinctRefs sorts, as the reference goes through objects in no certain order, and tells each but once: it comes by
// what stands in a default several times.
func distinctRefs(traversals []hcl.Traversal) []any {
	texts := map[string]any{}
	for _, traversal := range traversals {
		steps := traversalJSON(traversal)
		texts[string(encode(steps))] = steps
	}
	keys := make([]string, 0, len(texts))
	for key := range texts {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	refs := []any{}
	for _, key := range keys {
		refs = append(refs, texts[key])
	}
	return refs
}

// distinctDiags tells each but once: an attribute in several parts of a spec is missing once for each.
func distinctDiags(diags hcl.Diagnostics) hcl.Diagnostics {
	seen := map[string]bool{}
	distinct := hcl.Diagnostics{}
	for _, diag := range diags {
		key := fmt.Sprint(diag.Severity, diag.Summary, diag.Subject)
		if !seen[key] {
			seen[key] = true
			distinct = append(distinct, diag)
		}
	}
	return distinct
}
