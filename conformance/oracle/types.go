package main

// Types as JSON, and the ops on them: convert and unify.

import (
	"encoding/json"
	"sort"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func opConvert(line []byte) object {
	request := read[struct {
		Value json.RawMessage `json:"value"`
		Type  json.RawMessage `json:"type"`
	}](line)
	value, err := convert.Convert(readValue(request.Value), readType(request.Type))
	if err != nil {
		return object{"error": true, "detail": err.Error()}
	}
	return object{"value": valueJSON(value)}
}

func opUnify(line []byte) object {
	request := read[struct {
		Types []json.RawMessage `json:"types"`
	}](line)
	return unified(request.Types, convert.Unify)
}

// unified is the answer of one of the two ways to unify types.
func unified(raw []json.RawMessage, unify func([]cty.Type) (cty.Type, []convert.Conversion)) object {
	types := make([]cty.Type, len(raw))
	for i, raw := range raw {
		types[i] = readType(raw)
	}
	common, _ := unify(types)
	if common == cty.NilType {
		return object{"none": true}
	}
	return object{"type": typeJSON(common)}
}

func typeJSON(ty cty.Type) any {
	switch {
	case ty == cty.String:
		return "string"
	case ty == cty.Number:
		return "number"
	case ty == cty.Bool:
		return "bool"
	case ty == cty.DynamicPseudoType:
		return "any"
	case ty.IsListType():
		return []any{"list", typeJSON(ty.ElementType())}
	case ty.IsSetType():
		return []any{"set", typeJSON(ty.ElementType())}
	case ty.IsMapType():
		return []any{"map", typeJSON(ty.ElementType())}
	case ty.IsTupleType():
		elems := []any{}
		for _, elem := range ty.TupleElementTypes() {
			elems = append(elems, typeJSON(elem))
		}
		return []any{"tuple", elems}
	case ty.IsObjectType():
		attrs := object{}
		for name, attr := range ty.AttributeTypes() {
			attrs[name] = typeJSON(attr)
		}
		optional := []string{}
		for name := range ty.OptionalAttributes() {
			optional = append(optional, name)
		}
		if len(optional) == 0 {
			return []any{"object", attrs}
		}
		sort.Strings(optional)
		return []any{"object", attrs, optional}
	default:
		return []any{"capsule", ty.FriendlyName()}
	}
}

func readType(raw json.RawMessage) cty.Type {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		switch name {
		case "string":
			return cty.String
		case "number":
			return cty.Number
		case "bool":
			return cty.Bool
		case "any":
			return cty.DynamicPseudoType
		}
		panic(badf("unknown type %q", name))
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &name) != nil {
		panic(badf("not a type: %s", raw))
	}
	switch name {
	case "capsule":
		return capsule
	case "list":
		return cty.List(readType(parts[1]))
	case "set":
		return cty.Set(readType(parts[1]))
	case "map":
		return cty.Map(readType(parts[1]))
	case "tuple":
		var elems []json.RawMessage
		if err := json.Unmarshal(parts[1], &elems); err != nil {
			panic(badf("%s", err))
		}
		types := make([]cty.Type, len(elems))
		for i, elem := range elems {
			types[i] = readType(elem)
		}
		return cty.Tuple(types)
	case "object":
		var attrs map[string]json.RawMessage
		if err := json.Unmarshal(parts[1], &attrs); err != nil {
			panic(badf("%s", err))
		}
		types := map[string]cty.Type{}
		for name, attr := range attrs {
			types[name] = readType(attr)
		}
		if len(parts) == 2 {
			return cty.Object(types)
		}
		var optional []string
		if err := json.Unmarshal(parts[2], &optional); err != nil {
			panic(badf("%s", err))
		}
		return cty.ObjectWithOptionalAttrs(types, optional)
	}
	panic(badf("unknown type constructor %q", name))
}
