// The oracle for Bake files: what `docker buildx bake --print` gives. Reads one request on each line, and writes one answer
// on each line. With `tests DIR`, writes requests from buildx's own tests instead. conformance/README.md describes both.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/docker/buildx/bake"
	"github.com/hclkit/hclkit/conformance/lines"
)

type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type request struct {
	Files   []file            `json:"files"`
	Targets []string          `json:"targets"`
	Set     []string          `json:"set"`
	Env     map[string]string `json:"env"`
	Var     map[string]string `json:"var"`
}

type printed struct {
	Group  map[string]*bake.Group  `json:"group,omitempty"`
	Target map[string]*bake.Target `json:"target"`
}

type answer struct {
	Print *printed `json:"print,omitempty"`
	Error string   `json:"error,omitempty"`
	// Build is an error about options of the build, which buildx reports before it prints.
	Build string `json:"build,omitempty"`
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "tests" {
		if err := tests(os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	lines.Answer(ask)
}

func ask(asked request) (found answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			found = answer{Error: fmt.Sprint("panic: ", panicked)}
		}
	}()
	os.Clearenv()
	for name, value := range asked.Env {
		os.Setenv(name, value)
	}
	var files []bake.File
	for _, own := range asked.Files {
		files = append(files, bake.File{Name: own.Name, Data: []byte(own.Text)})
	}
	targets := asked.Targets
	if len(targets) == 0 {
		targets = []string{"default"}
	}
	defaults := map[string]string{"BAKE_CMD_CONTEXT": "cwd://", "BAKE_LOCAL_PLATFORM": "linux/amd64"}
	var allowed bake.EntitlementConf
	built, groups, err := bake.ReadTargets(context.Background(), files, targets, asked.Set, defaults, asked.Var, &allowed)
	if err != nil {
		return answer{Error: err.Error()}
	}
	found.Print = &printed{Group: groups, Target: built}
	// It also sets the contexts of the targets.
	for name, target := range built {
		if _, err := bake.TargetsToBuildOpt(map[string]*bake.Target{name: target}, nil); err != nil {
			found.Build = err.Error()
		}
	}
	return found
}
