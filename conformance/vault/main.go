// The oracle for files of Vault: what its own parsers read. Reads one request on each line, and writes one answer on each line;
// conformance/README.md describes both. With the argument "settings", writes the table of what they read.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/vault/command/server"
	"github.com/hashicorp/vault/internalshared/configutil"
	"github.com/hclkit/hclkit/conformance/settings"
)

type request struct {
	Text string `json:"text"`
}

func main() {
	settings.Main(ask, write)
}

// noAnswer is the refusal where Vault gives no answer.
const noAnswer = "no answer"

func ask(asked request) (found settings.Answer) {
	found = settings.Values(asked.Text, hcl.Decode)
	if found.Error != "" {
		return found
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			found.Refused = noAnswer
		}
	}()
	read, err := server.ParseConfig(asked.Text, "server.hcl")
	if err != nil {
		found.Refused = err.Error()
		return found
	}
	for _, problem := range read.Validate("server.hcl") {
		text := strings.TrimPrefix(problem.Problem, "unknown or unsupported field ")
		found.Unknown = append(found.Unknown, strings.TrimSuffix(text, " found in configuration"))
	}
	slices.Sort(found.Unknown)
	return found
}

const header = `# What Vault %[1]s reads: configurations of servers, agents and proxies, and ACL policies.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/vault %[2]s.

title = "Vault %[1]s"

file "server" {
  object   = server
  unknown  = "warning"
  set_once = true
  accepts = {
    string  = ["string", "integer"]
    bool    = ["bool"]
    integer = ["integer", "digits"]
    number  = ["integer", "fraction"]
    list    = ["empty"]
  }
}

file "agent" {
  object   = agent
  unknown  = "warning"
  set_once = true
  accepts = {
    string  = ["string", "integer"]
    bool    = ["bool"]
    integer = ["integer", "digits"]
    number  = ["integer", "fraction"]
    list    = ["empty"]
  }
}

file "policy" {
  object   = policy
  unknown  = "error"
  set_once = true
  accepts = {
    string = ["string", "integer"]
    list   = ["empty"]
  }
}
`

func write() {
	version := settings.Version("github.com/hashicorp/vault")
	fmt.Printf(header, settings.Minor(version), version)
	table := settings.Table{Tag: "hcl"}
	// What is parsed without structs, or by structs that are not decoded as a whole.
	shared := map[string]string{
		"listener":     "labeled(" + table.Object(configutil.Listener{}) + ")",
		"telemetry":    table.Object(configutil.Telemetry{}),
		"user_lockout": "labeled(" + table.Object(configutil.UserLockout{}) + ")",
		"cloud":        table.Object(configutil.HCPLinkConfig{}),
		"seal":         "labeled(map(any))",
		"kms":          "labeled(map(any))",
		"hsm":          "labeled(map(any))",
		"entropy":      "labeled(map(any))",
	}
	own := map[string]string{
		"storage":              "labeled(map(any))",
		"backend":              "labeled(map(any))",
		"ha_storage":           "labeled(map(any))",
		"ha_backend":           "labeled(map(any))",
		"service_registration": "labeled(map(string))",
	}
	// What only Vault Enterprise reads.
	for _, name := range []string{
		"adaptive_overload_protection", "enable_multiseal", "kms_library", "raw_storage_endpoint", "replication", "reporting",
		"request_limiter", "sentinel",
	} {
		own[name] = "any"
	}
	maps.Copy(own, shared)
	table.More = map[string]map[string]string{"server": own}
	table.Named("server", server.Config{}, configutil.SharedConfig{})

	agents(&table, shared)
	// A policy is read by Vault's core, which this program does not contain.
	table.More["policy"] = map[string]string{"name": "string", "path": "labeled(path)"}
	table.Named("policy")
	table.More["path"] = map[string]string{
		"comment": "any",
		"policy":  settings.OneOf("deny", "read", "write", "sudo"),
		"capabilities": "list(" + settings.OneOf("deny", "create", "read", "update", "delete", "list", "sudo", "patch", "subscribe",
			"recover") + ")",
		"allowed_parameters": "map(any)", "denied_parameters": "map(any)", "required_parameters": "list(string)",
		"min_wrapping_ttl": "any", "max_wrapping_ttl": "any", "mfa_methods": "list(string)", "control_group": "any",
		"subscribe_event_types": "list(string)",
	}
	table.Named("path")
	table.Write(os.Stdout)
}

// agents describes the configurations of agents and proxies: their structs are in packages that need all of Vault, so what they
// contain is said here.
func agents(table *settings.Table, shared map[string]string) {
	own := map[string]string{
		"auto_auth": "AutoAuth", "exit_after_auth": "bool", "cache": "Cache", "api_proxy": "APIProxy", "vault": "Vault",
		"template_config": "TemplateConfig", "template": "any", "env_template": "any", "exec": "ExecConfig",
		"disable_idle_connections": "list(string)", "disable_keep_alives": "list(string)",
	}
	maps.Copy(own, shared)
	for name, members := range map[string]map[string]string{
		"agent": own,
		"Vault": {
			"address": "string", "ca_cert": "string", "ca_path": "string", "tls_skip_verify": "scalar", "client_cert": "string",
			"client_key": "string", "tls_server_name": "string", "namespace": "string", "retry": "Retry",
		},
		"Retry": {"num_retries": "integer"},
		"APIProxy": {
			"use_auto_auth_token": "scalar", "enforce_consistency": "string", "when_inconsistent": "string",
			"prepend_configured_namespace": "any",
		},
		"Cache": {
			"use_auto_auth_token": "scalar", "enforce_consistency": "string", "when_inconsistent": "string", "persist": "labeled(Persist)",
			"cache_static_secrets": "any", "disable_caching_dynamic_secrets": "any",
			"static_secret_token_capability_refresh_interval": "any", "static_secret_token_capability_refresh_behavior": "any",
		},
		"Persist": {
			"type": "string", "path": "string", "keep_after_import": "bool", "exit_on_err": "bool",
			"service_account_token_file": "string",
		},
		"AutoAuth": {
			"method": "labeled(Method)", "sink": "labeled(Sink)", "sinks": "any", "enable_reauth_on_new_credentials": "bool",
		},
		"Method": {
			"type": "string", "mount_path": "string", "wrap_ttl": "scalar", "min_backoff": "scalar", "max_backoff": "scalar",
			"namespace": "string", "exit_on_err": "bool", "config": "map(any)",
		},
		"Sink": {
			"type": "string", "wrap_ttl": "scalar", "dh_type": "string", "derive_key": "bool", "dh_path": "string", "aad": "string",
			"aad_env_var": "string", "config": "map(any)",
		},
		"TemplateConfig": {
			"exit_on_retry_failure": "bool", "static_secret_render_interval": "scalar", "max_connections_per_host": "scalar",
			"lease_renewal_threshold": "number",
		},
		"ExecConfig": {
			"command": "any", "restart_on_secret_changes": "string", "restart_stop_signal": "string",
			"child_process_stdout": "string", "child_process_stderr": "string",
		},
	} {
		table.More[name] = members
		if name == "agent" {
			table.Named(name, configutil.SharedConfig{})
		} else {
			table.Named(name)
		}
	}
}
