// The oracle for files of consul-template: what its own parser reads. Reads one request on each line, and writes one answer on each
// line; conformance/README.md describes both. With the argument "settings", writes the table of what it reads.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/hashicorp/consul-template/config"
	"github.com/hashicorp/hcl"
	"github.com/hclkit/hclkit/conformance/lines"
	"github.com/hclkit/hclkit/conformance/settings"
)

type request struct {
	Text string `json:"text"`
}

type answer struct {
	// Error is why the text is no HCL 1.
	Error string `json:"error,omitempty"`
	// Refused is why its values are not what consul-template reads.
	Refused string `json:"refused,omitempty"`
	// Unknown has the names that it does not read.
	Unknown []string        `json:"unknown,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "settings" {
		write()
		return
	}
	lines.Answer(ask)
}

var unknown = regexp.MustCompile(`has invalid keys: (.*)`)

func ask(asked request) (found answer) {
	var raw map[string]any
	if err := hcl.Decode(&raw, asked.Text); err != nil {
		return answer{Error: err.Error()}
	}
	if raw == nil {
		raw = map[string]any{}
	}
	found.Value, _ = json.Marshal(raw)
	if _, err := config.Parse(asked.Text); err != nil {
		found.Refused = err.Error()
		for _, names := range unknown.FindAllStringSubmatch(err.Error(), -1) {
			found.Unknown = append(found.Unknown, strings.Split(names[1], ", ")...)
		}
	}
	return found
}

const header = `# What consul-template %[1]s reads.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/consul-template %[2]s.

title = "consul-template %[1]s"

file "config" {
  object  = config
  unknown = "error"
  accepts = {
    string   = ["string"]
    bool     = ["bool"]
    integer  = ["integer", "fraction"]
    number   = ["integer", "fraction"]
    duration = ["duration", "integer", "fraction"]
    mode     = ["string", "integer"]
    list     = ["string"]
  }
}
`

func write() {
	version := settings.Version("github.com/hashicorp/consul-template")
	fmt.Printf(header, settings.Minor(version), version)
	table := settings.Table{
		Tag: "mapstructure",
		Known: map[reflect.Type]string{
			reflect.TypeFor[os.FileMode](): "mode",
			reflect.TypeFor[os.Signal]():   "string",
		},
		Fields: map[string]string{},
	}
	// A wait and the address of Consul can be strings.
	wait := "text_or(" + table.Object(config.WaitConfig{}) + ")"
	table.Known[reflect.TypeFor[config.WaitConfig]()] = wait
	table.Fields["config.consul"] = "text_or(" + table.Object(config.ConsulConfig{}) + ")"
	table.Named("config", config.Config{})
	table.Write(os.Stdout)
}
