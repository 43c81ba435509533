package main

// The operations of value-op on paths, and on numbers that are not from text.

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

type step struct {
	Attr  *string         `json:"attr"`
	Index json.RawMessage `json:"index"`
}

func readPath(steps []step) cty.Path {
	path := cty.Path{}
	for _, step := range steps {
		if step.Attr != nil {
			path = path.GetAttr(*step.Attr)
		} else {
			path = path.Index(readValue(step.Index))
		}
	}
	return path
}

func pathJSON(path cty.Path) []any {
	steps := []any{}
	for _, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			steps = append(steps, object{"attr": step.Name})
		case cty.IndexStep:
			steps = append(steps, object{"index": valueJSON(step.Key)})
		}
	}
	return steps
}

func walked(value cty.Value) object {
	paths := []any{}
	err := cty.Walk(value, func(path cty.Path, _ cty.Value) (bool, error) {
		paths = append(paths, pathJSON(path))
		return true, nil
	})
	if err != nil {
		return object{"error": true, "detail": err.Error()}
	}
	return object{"paths": paths}
}

// marked says where which marks are, in the order of the paths' text: the reference has none of its own.
func marked(value cty.Value) object {
	bare, found := value.UnmarkDeepWithPaths()
	list := []any{}
	for _, at := range found {
		names := []string{}
		for mark := range at.Marks {
			names = append(names, fmt.Sprint(mark))
		}
		sort.Strings(names)
		list = append(list, object{"path": pathJSON(at.Path), "marks": names})
	}
	sort.Slice(list, func(i, j int) bool { return string(encode(list[i])) < string(encode(list[j])) })
	return object{"marked": list, "again": bare.MarkWithPaths(found).RawEquals(value)}
}

// nativeNumbers are numbers with the precision that their origin gives them: text, an integer or a float.
func nativeNumbers(pairs [][2]string) []cty.Value {
	numbers := []cty.Value{}
	for _, pair := range pairs {
		origin, text := pair[0], pair[1]
		switch origin {
		case "text":
			numbers = append(numbers, cty.MustParseNumberVal(text))
		case "integer":
			integer, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				panic(badf("not an integer: %q", text))
			}
			numbers = append(numbers, cty.NumberIntVal(integer))
		case "float":
			float, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(badf("not a float: %q", text))
			}
			numbers = append(numbers, cty.NumberFloatVal(float))
		default:
			panic(badf("not an origin: %q", origin))
		}
	}
	return numbers
}

// computed puts operations between numbers, from left to right.
func computed(pairs [][2]string, operations []string) object {
	numbers := nativeNumbers(pairs)
	if len(numbers) != len(operations)+1 {
		panic(badf("an operation between each two numbers is needed"))
	}
	result := numbers[0]
	for i, name := range operations {
		run, known := binaryOps[name]
		if !known {
			panic(badf("unknown operation %q", name))
		}
		result = run(result, numbers[i+1])
	}
	return object{"value": valueJSON(result)}
}
