package main

// The op gohcl-bench, an extension of the protocol: the reference timed on a file that is read into structs.

import (
	"os"
	"runtime"
	"time"

	"github.com/hashicorp/hcl/v2/gohcl"
)

type services struct {
	Service []service `hcl:"service,block"`
}

type service struct {
	Name    string   `hcl:"name,label"`
	Port    int      `hcl:"port"`
	Weight  *float64 `hcl:"weight"`
	Tags    []string `hcl:"tags,optional"`
	Enabled *bool    `hcl:"enabled"`
	Limits  *limits  `hcl:"limits,block"`
	Check   []check  `hcl:"check,block"`
}

type limits struct {
	CPU    *float64 `hcl:"cpu"`
	Memory *string  `hcl:"memory"`
}

type check struct {
	Path  string   `hcl:"path"`
	Every *float64 `hcl:"every"`
}

type gohclBench struct {
	File    string  `json:"file"`
	Seconds float64 `json:"seconds"`
}

func opGohclBench(line []byte) object {
	request := read[gohclBench](line)
	text, err := os.ReadFile(request.File)
	if err != nil {
		panic(badf("%s", err))
	}
	runtime.GC()
	runs, start := 0, time.Now()
	limit := time.Duration(request.Seconds * float64(time.Second))
	for runs == 0 || time.Since(start) < limit {
		body, diags := parseBody(request.File, text)
		if diags.HasErrors() {
			panic(badf("%s", diags))
		}
		var config services
		if diags := gohcl.DecodeBody(body, nil, &config); diags.HasErrors() {
			panic(badf("%s", diags))
		}
		runtime.KeepAlive(config)
		runs++
	}
	return object{"ns": float64(time.Since(start).Nanoseconds()) / float64(runs), "runs": runs}
}
