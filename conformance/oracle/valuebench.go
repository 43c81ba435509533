package main

// The op value-bench, an extension of the protocol: the reference timed on values of a given size.

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func benchObjects(count int) []cty.Value {
	list := make([]cty.Value, count)
	for i := range list {
		list[i] = cty.ObjectVal(map[string]cty.Value{
			"id":   cty.NumberIntVal(int64(i)),
			"name": cty.StringVal(fmt.Sprintf("server-%d", i)),
			"up":   cty.BoolVal(i%2 == 0),
		})
	}
	return list
}

func opValueBench(line []byte) object {
	request := read[struct {
		What  string `json:"what"`
		Count int    `json:"count"`
	}](line)
	objects := benchObjects(request.Count)
	number := func(text string) cty.Value { return cty.MustParseNumberVal(text) }
	three, seven := number("3"), number("7")
	tenth, third := number("0.1"), number("1").Divide(number("3"))
	var list cty.Value
	if request.Count > 0 {
		list = cty.ListVal(objects)
	}
	ty := cty.List(cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String, "up": cty.Bool}))
	var run func()
	switch request.What {
	case "clone":
		run = func() { v := list; runtime.KeepAlive(v) }
	case "build":
		run = func() { runtime.KeepAlive(cty.ListVal(benchObjects(request.Count))) }
	case "iterate":
		run = func() {
			for it := list.ElementIterator(); it.Next(); {
				_, elem := it.Element()
				runtime.KeepAlive(elem.GetAttr("id"))
			}
		}
	case "convert":
		tuple := cty.TupleVal(objects)
		run = func() {
			if _, err := convert.Convert(tuple, ty); err != nil {
				panic(err)
			}
		}
	case "json-out", "json-in", "msgpack-out", "msgpack-in":
		text, err := ctyjson.Marshal(list, list.Type())
		if err != nil {
			panic(err)
		}
		bytes, err := msgpack.Marshal(list, list.Type())
		if err != nil {
			panic(err)
		}
		switch request.What {
		case "json-out":
			run = func() { _, _ = ctyjson.Marshal(list, list.Type()) }
		case "json-in":
			run = func() { _, _ = ctyjson.Unmarshal(text, list.Type()) }
		case "msgpack-out":
			run = func() { _, _ = msgpack.Marshal(list, list.Type()) }
		case "msgpack-in":
			run = func() { _, _ = msgpack.Unmarshal(bytes, list.Type()) }
		}
	case "small-add":
		run = func() { runtime.KeepAlive(three.Add(seven)) }
	case "small-multiply":
		run = func() { runtime.KeepAlive(three.Multiply(seven)) }
	case "small-divide":
		run = func() { runtime.KeepAlive(seven.Divide(three)) }
	case "small-equals":
		run = func() { runtime.KeepAlive(seven.Equals(three)) }
	case "big-add":
		run = func() { runtime.KeepAlive(tenth.Add(third)) }
	case "big-multiply":
		run = func() { runtime.KeepAlive(tenth.Multiply(third)) }
	case "big-divide":
		run = func() { runtime.KeepAlive(tenth.Divide(third)) }
	case "big-modulo":
		run = func() { runtime.KeepAlive(third.Modulo(tenth)) }
	case "big-equals":
		run = func() { runtime.KeepAlive(tenth.Equals(third)) }
	case "big-parse":
		run = func() { runtime.KeepAlive(number("1234567.89012345678901234567890123")) }
	case "big-print":
		run = func() { _, _ = convert.Convert(third, cty.String) }
	default:
		panic(badf("unknown bench %q", request.What))
	}
	objects = nil
	base := baseMemory()
	run()
	peak := memory("VmHWM:")
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			run()
		}
	})
	return object{
		"what": request.What, "ns": float64(result.T.Nanoseconds()) / float64(result.N),
		"allocs": result.AllocsPerOp(), "bytes": result.AllocedBytesPerOp(),
		"base_memory": base, "peak_memory": peak,
	}
}
