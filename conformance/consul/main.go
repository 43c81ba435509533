// The oracle for files of Consul: what its own parsers read. Reads one request on each line, and writes one answer on each line;
// conformance/README.md describes both. With the argument "settings", writes the table of what they read.
package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/hashicorp/consul/acl"
	"github.com/hashicorp/consul/agent/config"
	"github.com/hashicorp/hcl"
	"github.com/hclkit/hclkit/conformance/settings"
)

type request struct {
	Text string `json:"text"`
	// File is what the text is: agent or policy.
	File string `json:"file"`
}

func main() {
	settings.Main(ask, write)
}

func ask(asked request) (found settings.Answer) {
	found = settings.Values(asked.Text, hcl.Decode)
	if found.Error != "" {
		return found
	}
	if asked.File == "policy" {
		if _, err := acl.NewPolicyFromSource(asked.Text, nil, nil); err != nil {
			found.Refused = err.Error()
		}
		return found
	}
	source := config.FileSource{Name: "agent.hcl", Format: "hcl", Data: asked.Text}
	_, metadata, err := source.Parse()
	if err != nil && err != config.ErrNoData {
		found.Refused = err.Error()
	}
	found.Unknown = metadata.Unused
	slices.Sort(found.Unknown)
	return found
}

// header is what the table says beside objects: how mapstructure decodes values without conversion, and how hcl decodes them into
// structs.
const header = `# What Consul %[1]s reads: configurations of agents, and ACL policies. Configuration entries, which have a kind, are left out.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/consul %[2]s.

title  = "Consul %[1]s"
others = ["kind"]

file "agent" {
  object  = agent
  unknown = "error"
  unwraps = true
  once    = true
  accepts = {
    string  = ["string"]
    bool    = ["bool"]
    integer = ["integer", "fraction"]
    number  = ["integer", "fraction"]
  }
}

file "policy" {
  object   = policy
  unknown  = "warning"
  set_once = true
  accepts = {
    string = ["string", "integer"]
    list   = ["empty"]
  }
}
`

func write() {
	version := settings.Version("github.com/hashicorp/consul")
	fmt.Printf(header, settings.Minor(version), version)
	agent := settings.Table{
		Tag:   "mapstructure",
		Known: map[reflect.Type]string{reflect.TypeFor[time.Time](): "any"},
		// What only Consul Enterprise reads, and what is read but has no effect.
		More: map[string]map[string]string{
			"agent":             {"acl_enforce_version_8": "any"},
			"AuditSink":         {"name": "any"},
			"CheckDefinition":   {"namespace": "string", "partition": "string"},
			"ServiceDefinition": {"namespace": "string", "partition": "string"},
		},
	}
	agent.Named("agent", config.DeprecatedConfig{}, config.Config{})
	agent.Write(os.Stdout)

	levels := settings.OneOf(acl.PolicyDeny, acl.PolicyRead, acl.PolicyWrite)
	lists := settings.OneOf(acl.PolicyDeny, acl.PolicyRead, acl.PolicyList, acl.PolicyWrite)
	policy := settings.Table{
		Tag: "hcl",
		Fields: map[string]string{
			"policy.acl": levels, "policy.keyring": levels, "policy.operator": levels, "policy.mesh": levels,
			"policy.peering": levels, "KeyRule.policy": lists,
		},
		More: map[string]map[string]string{
			"policy": {"namespace": "any", "namespace_prefix": "any", "partition": "any", "partition_prefix": "any"},
		},
	}
	for _, rule := range []string{"Agent", "Event", "Identity", "Key", "Node", "PreparedQuery", "Service", "Session"} {
		if rule != "Key" {
			policy.Fields[rule+"Rule.policy"] = levels
		}
		policy.More[rule+"Rule"] = map[string]string{"sentinel": "any"}
	}
	policy.Fields["IdentityRule.intentions"] = levels
	policy.Fields["ServiceRule.intentions"] = levels
	policy.Named("policy", acl.PolicyRules{})
	policy.Write(os.Stdout)
}
