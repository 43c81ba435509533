package main

// Values as JSON, both ways.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"sort"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func valueJSON(v cty.Value) object {
	if v == cty.NilVal {
		panic("a value that is not there at all")
	}
	if v.IsMarked() {
		inner, marks := v.Unmark()
		names := []string{}
		for mark := range marks {
			names = append(names, fmt.Sprint(mark))
		}
		sort.Strings(names)
		return object{"marks": names, "of": valueJSON(inner)}
	}
	ty := v.Type()
	switch {
	case v.IsNull():
		return object{"null": typeJSON(ty)}
	case !v.IsKnown():
		return unknownJSON(v)
	case ty == cty.String:
		return object{"string": v.AsString()}
	case ty == cty.Number:
		text, err := convert.Convert(v, cty.String)
		if err != nil {
			panic(err)
		}
		return object{"number": text.AsString()}
	case ty == cty.Bool:
		return object{"bool": v.True()}
	case ty.IsListType():
		return object{"list": elementsJSON(v), "elem": typeJSON(ty.ElementType())}
	case ty.IsSetType():
		return object{"set": elementsJSON(v), "elem": typeJSON(ty.ElementType())}
	case ty.IsTupleType():
		return object{"tuple": elementsJSON(v)}
	case ty.IsMapType():
		return object{"map": attrsJSON(v), "elem": typeJSON(ty.ElementType())}
	case ty.IsObjectType():
		return object{"object": attrsJSON(v)}
	default:
		return object{"capsule": v.EncapsulatedValue().(*thing).text}
	}
}

func elementsJSON(v cty.Value) []any {
	list := []any{}
	for it := v.ElementIterator(); it.Next(); {
		_, elem := it.Element()
		list = append(list, valueJSON(elem))
	}
	return list
}

func attrsJSON(v cty.Value) object {
	attrs := object{}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		attrs[key.AsString()] = valueJSON(elem)
	}
	return attrs
}

func unknownJSON(v cty.Value) object {
	ty := v.Type()
	reply := object{"unknown": typeJSON(ty)}
	if ty == cty.DynamicPseudoType {
		return reply
	}
	known := v.Range()
	if known.DefinitelyNotNull() {
		reply["not_null"] = true
	}
	if ty == cty.String {
		if prefix := known.StringPrefix(); prefix != "" {
			reply["prefix"] = prefix
		}
	}
	if ty == cty.Number {
		if min, inclusive := known.NumberLowerBound(); min != cty.NilVal && min.IsKnown() && !min.RawEquals(cty.NegativeInfinity) {
			reply["min"] = []any{valueJSON(min)["number"], inclusive}
		}
		if max, inclusive := known.NumberUpperBound(); max != cty.NilVal && max.IsKnown() && !max.RawEquals(cty.PositiveInfinity) {
			reply["max"] = []any{valueJSON(max)["number"], inclusive}
		}
	}
	if ty.IsCollectionType() {
		if n := known.LengthLowerBound(); n > 0 {
			reply["min_len"] = n
		}
		if n := known.LengthUpperBound(); n < math.MaxInt {
			reply["max_len"] = n
		}
	}
	return reply
}

type valueRequest struct {
	String  *string                    `json:"string"`
	Number  *string                    `json:"number"`
	Origin  string                     `json:"origin"`
	Capsule *string                    `json:"capsule"`
	Bool    *bool                      `json:"bool"`
	List    []json.RawMessage          `json:"list"`
	Set     []json.RawMessage          `json:"set"`
	Map     map[string]json.RawMessage `json:"map"`
	Elem    json.RawMessage            `json:"elem"`
	Tuple   []json.RawMessage          `json:"tuple"`
	Object  map[string]json.RawMessage `json:"object"`
	Null    json.RawMessage            `json:"null"`
	Unknown json.RawMessage            `json:"unknown"`
	NotNull bool                       `json:"not_null"`
	Prefix  string                     `json:"prefix"`
	MinLen  *int                       `json:"min_len"`
	MaxLen  *int                       `json:"max_len"`
	Min     []json.RawMessage          `json:"min"`
	Max     []json.RawMessage          `json:"max"`
	Marks   []string                   `json:"marks"`
	Of      json.RawMessage            `json:"of"`
}

// readValue turns the reference's panics about values that cannot exist into bad requests.
func readValue(raw json.RawMessage) cty.Value {
	defer func() {
		if r := recover(); r != nil {
			if bad, ok := r.(badRequest); ok {
				panic(bad)
			}
			panic(badf("impossible value: %v", r))
		}
	}()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var r valueRequest
	if err := decoder.Decode(&r); err != nil {
		panic(badf("not a value: %s", err))
	}
	switch {
	case r.String != nil:
		return cty.StringVal(*r.String)
	case r.Number != nil:
		return readNumber(r.Origin, *r.Number)
	case r.Capsule != nil:
		return cty.CapsuleVal(capsule, capsuleContent(*r.Capsule))
	case r.Bool != nil:
		return cty.BoolVal(*r.Bool)
	case r.List != nil:
		if elem := readType(r.Elem); len(r.List) == 0 {
			return cty.ListValEmpty(elem)
		}
		return cty.ListVal(readValues(r.List))
	case r.Set != nil:
		if elem := readType(r.Elem); len(r.Set) == 0 {
			return cty.SetValEmpty(elem)
		}
		return cty.SetVal(readValues(r.Set))
	case r.Map != nil:
		if elem := readType(r.Elem); len(r.Map) == 0 {
			return cty.MapValEmpty(elem)
		}
		return cty.MapVal(readAttrs(r.Map))
	case r.Tuple != nil:
		return cty.TupleVal(readValues(r.Tuple))
	case r.Object != nil:
		return cty.ObjectVal(readAttrs(r.Object))
	case r.Null != nil:
		return cty.NullVal(readType(r.Null))
	case r.Unknown != nil:
		return readUnknown(r)
	case r.Of != nil:
		value := readValue(r.Of)
		for _, mark := range r.Marks {
			value = value.Mark(mark)
		}
		return value
	}
	panic(badf("not a value: %s", raw))
}

// readNumber is a number with the precision that its origin gives it: text, an integer or a float.
func readNumber(origin, text string) cty.Value {
	switch origin {
	case "", "text":
		number, err := cty.ParseNumberVal(text)
		if err != nil {
			panic(badf("not a number: %q", text))
		}
		return number
	case "integer":
		integer, ok := new(big.Int).SetString(text, 10)
		if !ok {
			panic(badf("not an integer: %q", text))
		}
		if integer.IsInt64() {
			return cty.NumberIntVal(integer.Int64())
		}
		return cty.NumberVal(new(big.Float).SetInt(integer))
	case "float":
		float, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(badf("not a float: %q", text))
		}
		return cty.NumberFloatVal(float)
	}
	panic(badf("not an origin: %q", origin))
}

// capsule is the type of all capsules in requests. Each content is a place of its own, so that capsules of the same
// content are equal.
var capsule = cty.Capsule("thing", reflect.TypeOf(thing{}))

type thing struct{ text string }

// MarshalJSON refuses, because what Go writes for a content is not a matter of HCL.
func (thing) MarshalJSON() ([]byte, error) { return nil, errors.New("a thing has no JSON") }

var capsuleContents = map[string]*thing{}

func capsuleContent(text string) *thing {
	content, known := capsuleContents[text]
	if !known {
		content = &thing{text}
		capsuleContents[text] = content
	}
	return content
}

func readUnknown(r valueRequest) cty.Value {
	value := cty.UnknownVal(readType(r.Unknown))
	if !r.NotNull && r.Prefix == "" && r.MinLen == nil && r.MaxLen == nil && r.Min == nil && r.Max == nil {
		return value
	}
	refined := value.Refine()
	if r.NotNull {
		refined = refined.NotNull()
	}
	if r.Prefix != "" {
		refined = refined.StringPrefixFull(r.Prefix)
	}
	if r.MinLen != nil {
		refined = refined.CollectionLengthLowerBound(*r.MinLen)
	}
	if r.MaxLen != nil {
		refined = refined.CollectionLengthUpperBound(*r.MaxLen)
	}
	if r.Min != nil {
		number, inclusive := readBound(r.Min)
		refined = refined.NumberRangeLowerBound(number, inclusive)
	}
	if r.Max != nil {
		number, inclusive := readBound(r.Max)
		refined = refined.NumberRangeUpperBound(number, inclusive)
	}
	return refined.NewValue()
}

func readBound(raw []json.RawMessage) (number cty.Value, inclusive bool) {
	var text string
	if len(raw) != 2 || json.Unmarshal(raw[0], &text) != nil || json.Unmarshal(raw[1], &inclusive) != nil {
		panic(badf("not a bound: %s", raw))
	}
	number, err := cty.ParseNumberVal(text)
	if err != nil {
		panic(badf("not a number: %q", text))
	}
	return number, inclusive
}

func readValues(list []json.RawMessage) []cty.Value {
	values := make([]cty.Value, len(list))
	for i, raw := range list {
		values[i] = readValue(raw)
	}
	return values
}

func readAttrs(attrs map[string]json.RawMessage) map[string]cty.Value {
	values := map[string]cty.Value{}
	for name, raw := range attrs {
		values[name] = readValue(raw)
	}
	return values
}
