// The oracle for HCL 1: what its package reads from a text without a schema. Reads one request on each line, and writes one answer
// on each line. conformance/README.md describes both.
package main

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/hcl"
	"github.com/hclkit/hclkit/conformance/lines"
)

type request struct {
	Text string `json:"text"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// Panics is true if the package panicked.
	Panics bool `json:"panics,omitempty"`
	// NotText is true if a string or a name is not UTF-8.
	NotText bool            `json:"not_text,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
}

func main() {
	lines.Answer(ask)
}

func ask(asked request) (found answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			found = answer{Error: fmt.Sprint(panicked), Panics: true}
		}
	}()
	var decoded map[string]any
	if err := hcl.Unmarshal([]byte(asked.Text), &decoded); err != nil {
		return answer{Error: err.Error()}
	}
	if decoded == nil {
		decoded = map[string]any{}
	}
	text, err := json.Marshal(decoded)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: text, NotText: !isText(decoded)}
}

func isText(value any) bool {
	switch value := value.(type) {
	case string:
		return utf8.ValidString(value)
	case []any:
		for _, element := range value {
			if !isText(element) {
				return false
			}
		}
	case []map[string]any:
		for _, element := range value {
			if !isText(element) {
				return false
			}
		}
	case map[string]any:
		for name, element := range value {
			if !utf8.ValidString(name) || !isText(element) {
				return false
			}
		}
	}
	return true
}
