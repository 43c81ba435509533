// The oracle for files of consul-template: what its own parser reads. Reads one request on each line, and writes one answer on each
// line; conformance/README.md describes both. With the argument "settings", writes the table of what it reads.
package main

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/hashicorp/consul-template/config"
	"github.com/hashicorp/hcl"
	"github.com/hclkit/hclkit/conformance/settings"
)

type request struct {
	Text string `json:"text"`
}

func main() {
	settings.Main(ask, write)
}

var unknown = regexp.MustCompile(`has invalid keys: (.*)`)

func ask(asked request) (found settings.Answer) {
	found = settings.Values(asked.Text, hcl.Decode)
	if found.Error != "" {
		return found
	}
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
