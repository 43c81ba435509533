package main

// The op value-op, an extension of the protocol: one operation of the type system, or one encoding,
// on given values. What the reference panics of is answered as an error.

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

type valueOp struct {
	Do    string            `json:"do"`
	Args  []json.RawMessage `json:"args"`
	Type  json.RawMessage   `json:"type"`
	Types []json.RawMessage `json:"types"`
	Src   string            `json:"src"`

	Path       []step      `json:"path"`
	Numbers    [][2]string `json:"numbers"`
	Operations []string    `json:"operations"`
}

var unaryOps = map[string]func(cty.Value) cty.Value{
	"negate":   cty.Value.Negate,
	"absolute": cty.Value.Absolute,
	"not":      cty.Value.Not,
	"length":   cty.Value.Length,
	"same":     func(v cty.Value) cty.Value { return v },
	"unmark":   func(v cty.Value) cty.Value { bare, _ := v.UnmarkDeep(); return bare },
	"as-null":  cty.UnknownAsNull,
	"elements": func(v cty.Value) cty.Value {
		list := []cty.Value{}
		v, marks := v.Unmark()
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			list = append(list, cty.TupleVal([]cty.Value{key, elem}))
		}
		return cty.TupleVal(list).WithMarks(marks)
	},
}

var binaryOps = map[string]func(a, b cty.Value) cty.Value{
	"add":              cty.Value.Add,
	"subtract":         cty.Value.Subtract,
	"multiply":         cty.Value.Multiply,
	"divide":           cty.Value.Divide,
	"modulo":           cty.Value.Modulo,
	"equals":           decisive(cty.Value.Equals),
	"not-equals":       decisive(cty.Value.NotEqual),
	"less":             cty.Value.LessThan,
	"less-or-equal":    cty.Value.LessThanOrEqualTo,
	"greater":          cty.Value.GreaterThan,
	"greater-or-equal": cty.Value.GreaterThanOrEqualTo,
	"and":              cty.Value.And,
	"or":               cty.Value.Or,
	"index":            index,
	"has-index":        cty.Value.HasIndex,
	"has-element":      hasElement,
	"identical":        func(a, b cty.Value) cty.Value { return cty.BoolVal(a.RawEquals(b)) },
}

// decisive asks often, because where attributes differ and others are unknown the reference's answer
// depends on the order in which it happens to visit them: a known answer is the better one.
func decisive(compare func(a, b cty.Value) cty.Value) func(a, b cty.Value) cty.Value {
	return func(a, b cty.Value) cty.Value {
		answer := compare(a, b)
		for try := 0; try < 40; try++ {
			if bare, _ := answer.Unmark(); bare.IsKnown() {
				break
			}
			answer = compare(a, b)
		}
		return answer
	}
}

// hasElement takes marks off the element first, as the reference demands of its callers.
func hasElement(set, elem cty.Value) cty.Value {
	set, setMarks := set.UnmarkDeep()
	elem, elemMarks := elem.UnmarkDeep()
	return set.HasElement(elem).WithMarks(setMarks, elemMarks)
}

// index asks first whether a map has the key, as the reference demands of its callers.
func index(v, key cty.Value) cty.Value {
	bare, _ := v.Unmark()
	bareKey, _ := key.Unmark()
	if bare.IsKnown() && !bare.IsNull() && bare.Type().IsMapType() && bareKey.IsKnown() && !bareKey.IsNull() {
		if bareKey.Type() == cty.String && bare.HasIndex(bareKey).False() {
			panic("no such key")
		}
	}
	return v.Index(key)
}

func opValueOp(line []byte) (reply object) {
	request := read[valueOp](line)
	args := make([]cty.Value, len(request.Args))
	for i, raw := range request.Args {
		args[i] = readValue(raw)
	}
	ty := cty.DynamicPseudoType
	if request.Type != nil {
		ty = readType(request.Type)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case badRequest:
			panic(r)
		default:
			reply = object{"error": true, "detail": fmt.Sprint("panic: ", r)}
		}
	}()
	need := func(count int) {
		if len(args) != count {
			panic(badf("%d values needed", count))
		}
	}
	if run, known := unaryOps[request.Do]; known {
		need(1)
		return object{"value": valueJSON(run(args[0]))}
	}
	if run, known := binaryOps[request.Do]; known {
		need(2)
		return object{"value": valueJSON(run(args[0], args[1]))}
	}
	switch request.Do {
	case "call":
		return callFunction(line, args)
	case "result-type":
		return resultType(line, args)
	case "at":
		need(1)
		return valueOrError(readPath(request.Path).Apply(args[0]))
	case "walk":
		need(1)
		return walked(args[0])
	case "marked":
		need(1)
		return marked(args[0])
	case "compute":
		return computed(request.Numbers, request.Operations)
	case "unify-unsafely":
		return unified(request.Types, convert.UnifyUnsafe)
	case "attribute":
		need(1)
		return object{"value": valueJSON(args[0].GetAttr(request.Src))}
	case "list":
		return object{"value": valueJSON(cty.ListVal(args))}
	case "set":
		return object{"value": valueJSON(cty.SetVal(args))}
	case "convert-safely":
		need(1)
		if args[0].Type().Equals(ty) {
			return object{"value": valueJSON(args[0])}
		}
		conversion := convert.GetConversion(args[0].Type(), ty)
		if conversion == nil {
			return object{"error": true}
		}
		value, err := conversion(args[0])
		return valueOrError(value, err)
	case "matches":
		need(1)
		return object{"value": object{"bool": args[0].Type().TestConformance(ty) == nil}}
	case "json-out":
		need(1)
		text, err := ctyjson.Marshal(args[0], ty)
		return textOrError(string(text), err)
	case "json-in":
		// The reference leaves what follows the value, or some of it, and cannot be told not to.
		if !json.Valid([]byte(request.Src)) {
			return object{"error": true}
		}
		value, err := ctyjson.Unmarshal([]byte(request.Src), ty)
		return valueOrError(value, err)
	case "json-implied":
		implied, err := ctyjson.ImpliedType([]byte(request.Src))
		if err != nil || !json.Valid([]byte(request.Src)) {
			return object{"error": true}
		}
		return object{"type": typeJSON(implied)}
	case "type-out":
		text, err := ctyjson.MarshalType(ty)
		return textOrError(string(text), err)
	case "type-in":
		read, err := ctyjson.UnmarshalType([]byte(request.Src))
		if err != nil || !json.Valid([]byte(request.Src)) {
			return object{"error": true}
		}
		return object{"type": typeJSON(read)}
	case "msgpack-out":
		need(1)
		bytes, err := msgpack.Marshal(args[0], ty)
		return textOrError(hex.EncodeToString(bytes), err)
	case "msgpack-in":
		bytes, err := hex.DecodeString(request.Src)
		if err != nil {
			panic(badf("%s", err))
		}
		value, err := msgpack.Unmarshal(bytes, ty)
		// An empty map or array is the empty object or tuple to the reference, whatever type it is asked for.
		if err == nil && value.Type().TestConformance(ty) != nil {
			return object{"error": true}
		}
		return valueOrError(value, err)
	case "msgpack-implied":
		bytes, err := hex.DecodeString(request.Src)
		if err != nil {
			panic(badf("%s", err))
		}
		implied, err := msgpack.ImpliedType(bytes)
		if err != nil {
			return object{"error": true}
		}
		return object{"type": typeJSON(implied)}
	}
	panic(badf("unknown operation %q", request.Do))
}

func valueOrError(value cty.Value, err error) object {
	if err != nil {
		return object{"error": true, "detail": err.Error()}
	}
	return object{"value": valueJSON(value)}
}

func textOrError(text string, err error) object {
	if err != nil {
		return object{"error": true, "detail": err.Error()}
	}
	return object{"text": text}
}
