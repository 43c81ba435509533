package main

// ops names every op of the protocol that the reference can answer. An op takes the whole request
// line, reads the fields it knows with read, and panics with a badRequest where it cannot.
// A new op is one function in a file of its own and one line here.
var ops map[string]func(line []byte) object

// Filled by init: bench asks for ops by name, which would otherwise be a cycle.
func init() {
	ops = map[string]func(line []byte) object{
		"expr":         opExpr,
		"template":     opTemplate,
		"config":       opConfig,
		"accept":       opAccept,
		"json":         opJSON,
		"format":       opFormat,
		"edit":         opEdit,
		"convert":      opConvert,
		"unify":        opUnify,
		"refs":         opRefs,
		"static":       opStatic,
		"traversal":    opTraversal,
		"shape":        opShape,
		"value-op":     opValueOp,
		"value-bench":  opValueBench,
		"bench":        opBench,
		"eval-bench":   opEvalBench,
		"decode-bench": opDecodeBench,
		"gohcl-bench":  opGohclBench,
		"decode":       opDecode,
	}
}
