package main

// The op bench, an extension of the protocol: the reference timed on given files.

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

var benches = map[string]func(src []byte, name string) any{
	"lex": func(src []byte, name string) any {
		tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos)
		return tokens
	},
	"parse": func(src []byte, name string) any {
		file, _ := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
		return file
	},
	"write_parse": func(src []byte, name string) any {
		file, _ := hclwrite.ParseConfig(src, name, hcl.InitialPos)
		return file
	},
	"format": func(src []byte, _ string) any { return hclwrite.Format(src) },
}

func opBench(line []byte) object {
	request := read[struct {
		What    string   `json:"what"`
		Files   []string `json:"files"`
		Seconds float64  `json:"seconds"`
	}](line)
	run, known := benches[request.What]
	if !known {
		panic(badf("unknown bench %q", request.What))
	}
	sources, size := make([][]byte, len(request.Files)), 0
	for i, path := range request.Files {
		src, err := os.ReadFile(path)
		if err != nil {
			panic(badf("%s", err))
		}
		sources[i], size = src, size+len(src)
	}
	if size == 0 {
		panic(badf("nothing to read"))
	}

	base := baseMemory()
	rounds, start := 0, time.Now()
	limit := time.Duration(request.Seconds * float64(time.Second))
	for rounds == 0 || time.Since(start) < limit {
		for i, src := range sources {
			runtime.KeepAlive(run(src, request.Files[i]))
		}
		rounds++
	}
	ns := time.Since(start).Nanoseconds()
	return object{
		"what": request.What, "bytes": size * rounds, "ns": ns, "rounds": rounds,
		"base_memory": base, "peak_memory": memory("VmHWM:"),
	}
}

// baseMemory gives back what is not used and sets the peak back to what is resident then; where that is
// refused, the peak is that of the whole process so far.
func baseMemory() int {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200)
	return memory("VmRSS:")
}

// memory reads a size in bytes from the process's own status; 0 where there is none.
func memory(field string) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, found := strings.CutPrefix(line, field); found {
			if fields := strings.Fields(rest); len(fields) > 0 {
				kilobytes, _ := strconv.Atoi(fields[0])
				return kilobytes * 1024
			}
		}
	}
	return 0
}
