// Package lines answers requests for oracles: it reads a request on each line, and writes an answer on each line.
package lines

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Answer answers the requests on standard input. What is no request ends the program with 2.
func Answer[Q, A any](ask func(Q) A) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var asked Q
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := out.Encode(ask(asked)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}
