// Command oracle is the reference side of the conformance protocol (../protocol.md): it reads one
// JSON request a line and writes one JSON answer a line, in order, asking nothing but the public
// API of hashicorp/hcl and go-cty. What an op does lives in the file named after its topic.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// An exhausted stack ends a Go process and cannot be recovered from. A limit well below the default
// of 1 GB keeps such a death cheap; the driver restarts the oracle and records it.
const maxStack = 256 << 20

type object = map[string]any

// badRequest is what an op panics with, or returns, when it cannot read its request.
type badRequest struct{ why string }

func (b badRequest) Error() string { return b.why }

func badf(format string, args ...any) badRequest { return badRequest{fmt.Sprintf(format, args...)} }

func main() {
	debug.SetMaxStack(maxStack)
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			// One write an answer, so that an answer is never lost to a later request's death.
			if _, err := os.Stdout.Write(encode(answer(line))); err != nil {
				os.Exit(1)
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func answer(line []byte) (reply object) {
	var head struct {
		ID any    `json:"id"`
		Op string `json:"op"`
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case badRequest:
			reply = object{"id": head.ID, "bad_request": r.why}
		default:
			reply = object{"id": head.ID, "panic": fmt.Sprint(r)}
		}
	}()
	if err := unmarshal(line, &head); err != nil {
		return object{"id": nil, "bad_request": err.Error()}
	}
	op, known := ops[head.Op]
	if !known {
		return object{"id": head.ID, "bad_request": fmt.Sprintf("unknown op %q", head.Op)}
	}
	reply = op(line)
	reply["id"] = head.ID
	return reply
}

// unmarshal keeps numbers as their text, so that an id comes back as it was sent.
func unmarshal(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}

// read decodes the fields of a request that an op knows.
func read[T any](line []byte) T {
	var fields T
	if err := unmarshal(line, &fields); err != nil {
		panic(badf("%s", err))
	}
	return fields
}

func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // answers hold nothing that JSON cannot say
	}
	return out.Bytes()
}
