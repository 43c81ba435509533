package main

// The op decode-bench, an extension of the protocol: the reference timed on files that are read and decoded by a spec.

import (
	"os"
	"runtime"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
)

type decodeBench struct {
	Spec    string   `json:"spec"`
	Files   []string `json:"files"`
	Seconds float64  `json:"seconds"`
}

func opDecodeBench(line []byte) object {
	request := read[decodeBench](line)
	load := func(path string) []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(badf("%s", err))
		}
		return text
	}
	check := func(diags hcl.Diagnostics) {
		if diags.HasErrors() {
			panic(badf("%s", diags))
		}
	}
	specBody, diags := parseBody(request.Spec, load(request.Spec))
	check(diags)
	spec, diags := readSpec(specBody)
	check(diags)
	ctx := spec.evalContext(evalRequest{}.context())
	texts := [][]byte{}
	for _, path := range request.Files {
		texts = append(texts, load(path))
	}

	runtime.GC()
	runs, start := 0, time.Now()
	limit := time.Duration(request.Seconds * float64(time.Second))
	for runs == 0 || time.Since(start) < limit {
		bodies := []hcl.Body{}
		for i, path := range request.Files {
			body, diags := parseBody(path, texts[i])
			check(diags)
			bodies = append(bodies, body)
		}
		value, diags := hcldec.Decode(hcl.MergeBodies(bodies), spec.root, ctx)
		check(diags)
		runtime.KeepAlive(value)
		runs++
	}
	return object{"ns": float64(time.Since(start).Nanoseconds()) / float64(runs), "runs": runs}
}
