package main

// The operations call and result-type of value-op: a function described by the request, called with given values.

import (
	"encoding/json"
	"errors"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

type parameter struct {
	Type  json.RawMessage `json:"type"`
	Allow []string        `json:"allow"`
}

type functionRequest struct {
	Parameters []parameter     `json:"parameters"`
	Variadic   *parameter      `json:"variadic"`
	Announces  string          `json:"announces"`
	Type       json.RawMessage `json:"type"`
	Returns    string          `json:"returns"`
	NotNull    bool            `json:"not_null"`
}

func readParameter(p parameter) function.Parameter {
	read := function.Parameter{Name: "it", Type: readType(p.Type)}
	for _, what := range p.Allow {
		switch what {
		case "null":
			read.AllowNull = true
		case "unknown":
			read.AllowUnknown = true
		case "dynamic":
			read.AllowDynamicType = true
		case "marked":
			read.AllowMarked = true
		default:
			panic(badf("nothing to allow: %q", what))
		}
	}
	return read
}

func readFunction(r functionRequest) function.Function {
	spec := &function.Spec{Type: announces(r), Impl: returns(r)}
	for _, p := range r.Parameters {
		spec.Params = append(spec.Params, readParameter(p))
	}
	if r.Variadic != nil {
		read := readParameter(*r.Variadic)
		spec.VarParam = &read
	}
	if r.NotNull {
		spec.RefineResult = func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }
	}
	return function.New(spec)
}

func announces(r functionRequest) function.TypeFunc {
	switch r.Announces {
	case "fixed":
		ty := readType(r.Type)
		return function.StaticReturnType(ty)
	case "first":
		return func(args []cty.Value) (cty.Type, error) {
			if len(args) == 0 {
				return cty.DynamicPseudoType, errors.New("no argument")
			}
			return args[0].Type(), nil
		}
	case "seen":
		return func(args []cty.Value) (cty.Type, error) {
			types := []cty.Type{}
			for _, arg := range args {
				types = append(types, seen(arg))
			}
			return cty.Tuple(types), nil
		}
	case "failure":
		return func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, errors.New("no type") }
	}
	panic(badf("nothing to announce: %q", r.Announces))
}

// seen says in a type what a function can see of an argument: that it has marks, and that it is not known.
func seen(arg cty.Value) cty.Type {
	ty := arg.Type()
	if arg.ContainsMarked() {
		ty = cty.Map(ty)
	}
	if bare, _ := arg.Unmark(); !bare.IsKnown() {
		ty = cty.Set(ty)
	}
	return ty
}

func returns(r functionRequest) function.ImplFunc {
	switch r.Returns {
	case "arguments":
		return func(args []cty.Value, _ cty.Type) (cty.Value, error) { return cty.TupleVal(args), nil }
	case "first", "marked":
		return func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if len(args) == 0 {
				return cty.DynamicVal, errors.New("no argument")
			}
			if r.Returns == "marked" {
				return args[0].Mark("own"), nil
			}
			return args[0], nil
		}
	case "null":
		return func(_ []cty.Value, ty cty.Type) (cty.Value, error) { return cty.NullVal(ty), nil }
	case "unknown":
		return func(_ []cty.Value, ty cty.Type) (cty.Value, error) { return cty.UnknownVal(ty), nil }
	case "failure":
		return func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, errors.New("no value") }
	}
	panic(badf("nothing to return: %q", r.Returns))
}

func callFunction(line []byte, args []cty.Value) object {
	value, err := readFunction(read[functionRequest](line)).Call(args)
	return valueOrError(value, err)
}

func resultType(line []byte, args []cty.Value) object {
	ty, err := readFunction(read[functionRequest](line)).ReturnTypeForValues(args)
	if err != nil {
		return object{"error": true, "detail": err.Error()}
	}
	return object{"type": typeJSON(ty)}
}
