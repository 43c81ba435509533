// The oracle for HCL 1: what its package reads from a text without a schema. Reads one request on each line, and writes one answer
// on each line. conformance/README.md describes both.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/printer"
	"github.com/hclkit/hclkit/conformance/lines"
)

type request struct {
	Text string `json:"text"`
	// Format asks for the text in the layout of hclfmt, instead of its value.
	Format bool `json:"format"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// Panics is true if the package panicked.
	Panics bool `json:"panics,omitempty"`
	// NotText is true if a string or a name is not UTF-8.
	NotText bool            `json:"not_text,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	// Formatted is the text in the layout of hclfmt, and Again that text after it is formatted again, if it is different.
	Formatted *string `json:"formatted,omitempty"`
	Again     *string `json:"again,omitempty"`
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == "bench" {
		bench(os.Args[2], os.Args[3])
		return
	}
	lines.Answer(ask)
}

// bench reads the files that a list names again and again for some seconds, and prints the MB/s.
func bench(seconds, list string) {
	limit, err := strconv.ParseFloat(seconds, 64)
	check(err)
	names, err := os.ReadFile(list)
	check(err)
	var texts [][]byte
	var size float64
	for _, name := range strings.Fields(string(names)) {
		text, err := os.ReadFile(name)
		check(err)
		texts = append(texts, text)
		size += float64(len(text)) / 1e6
	}
	start, rounds := time.Now(), 0.0
	for time.Since(start).Seconds() < limit {
		for _, text := range texts {
			var decoded map[string]any
			check(hcl.Unmarshal(text, &decoded))
		}
		rounds++
	}
	fmt.Println(size * rounds / time.Since(start).Seconds())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func ask(asked request) (found answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			found = answer{Error: fmt.Sprint(panicked), Panics: true}
		}
	}()
	if asked.Format {
		return format(asked.Text)
	}
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

// format formats a text, and the result again.
func format(text string) answer {
	once, err := printer.Format([]byte(text))
	if err != nil {
		return answer{Error: err.Error()}
	}
	formatted := string(once)
	twice, err := printer.Format(once)
	again := string(twice)
	if err != nil {
		again = err.Error()
	}
	if again == formatted {
		return answer{Formatted: &formatted}
	}
	return answer{Formatted: &formatted, Again: &again}
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
