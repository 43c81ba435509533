package main

// The operations of value-op on paths, and on numbers that are not from text.

import (
	"encoding/json"
	"fmt"
	"sort"

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

// computed puts operations between numbers, from left to right.
func computed(pairs [][2]string, operations []string) object {
	numbers := []cty.Value{}
	for _, pair := range pairs {
		numbers = append(numbers, readNumber(pair[0], pair[1]))
	}
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
