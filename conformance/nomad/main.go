// The oracle for Nomad's job files: what `nomad job run` reads from them. Reads one request on each line, and writes one answer
// on each line. conformance/README.md describes both.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/nomad/api"
	"github.com/hashicorp/nomad/jobspec2"
	"github.com/hclkit/hclkit/conformance/lines"
)

type request struct {
	Text string   `json:"text"`
	Env  []string `json:"env"`
	Var  []string `json:"var"`
	// VarFile is the text of a file with values.
	VarFile string `json:"var_file"`
}

// answer has the parts of the job in which any expression can stand.
type answer struct {
	Error  string            `json:"error,omitempty"`
	Name   string            `json:"name,omitempty"`
	Meta   map[string]string `json:"meta,omitempty"`
	Groups []group           `json:"groups,omitempty"`
}

type group struct {
	Name  string            `json:"name"`
	Count *int              `json:"count,omitempty"`
	Meta  map[string]string `json:"meta,omitempty"`
	Tasks []task            `json:"tasks,omitempty"`
}

type task struct {
	Name     string            `json:"name"`
	Driver   string            `json:"driver,omitempty"`
	Config   map[string]any    `json:"config,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Meta     map[string]string `json:"meta,omitempty"`
	Services []string          `json:"services,omitempty"`
}

func main() {
	lines.Answer(ask)
}

func ask(asked request) (found answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			found = answer{Error: fmt.Sprint("panic: ", panicked)}
		}
	}()
	config := jobspec2.ParseConfig{
		Path: "job.nomad.hcl", Body: []byte(asked.Text), AllowFS: true, Strict: true, Envs: asked.Env, ArgVars: asked.Var,
	}
	if asked.VarFile != "" {
		file, err := os.CreateTemp("", "*.hcl")
		if err != nil {
			return answer{Error: err.Error()}
		}
		defer os.Remove(file.Name())
		if _, err := file.WriteString(asked.VarFile); err != nil {
			return answer{Error: err.Error()}
		}
		file.Close()
		config.VarFiles = []string{file.Name()}
	}
	job, err := jobspec2.ParseWithConfig(&config)
	if err != nil {
		// Others follow from the first error, and traces of panics are different in each run.
		first, _, _ := strings.Cut(err.Error(), "\n")
		return answer{Error: first}
	}
	return shown(job)
}

func shown(job *api.Job) answer {
	found := answer{Meta: job.Meta}
	if job.ID != nil {
		found.Name = *job.ID
	}
	for _, own := range job.TaskGroups {
		one := group{Name: *own.Name, Count: own.Count, Meta: own.Meta}
		for _, inner := range own.Tasks {
			each := task{Name: inner.Name, Driver: inner.Driver, Config: inner.Config, Env: inner.Env, Meta: inner.Meta}
			for _, service := range inner.Services {
				each.Services = append(each.Services, service.Name)
			}
			one.Tasks = append(one.Tasks, each)
		}
		found.Groups = append(found.Groups, one)
	}
	return found
}
