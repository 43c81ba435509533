// Package settings describes what the structs of an application decode from its configuration, as a table for hclkit: the names of
// arguments and blocks, and their types. It also has what the oracles of such applications share.
package settings

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hclkit/hclkit/conformance/lines"
)

// Answer is what an application reads from a text.
type Answer struct {
	// Error is why the text is no HCL 1.
	Error string `json:"error,omitempty"`
	// Refused is why its values are not what the application reads.
	Refused string `json:"refused,omitempty"`
	// Unknown has the names that the application does not read.
	Unknown []string        `json:"unknown,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
}

// Values is the answer with the values of a text, or with the error of hcl.Decode.
func Values(text string, decode func(any, string) error) (found Answer) {
	var raw map[string]any
	if err := decode(&raw, text); err != nil {
		return Answer{Error: err.Error()}
	}
	if raw == nil {
		raw = map[string]any{}
	}
	found.Value, _ = json.Marshal(raw)
	return found
}

// Main answers requests, or writes the table if the argument is "settings".
func Main[Q any](ask func(Q) Answer, write func()) {
	if len(os.Args) == 2 && os.Args[1] == "settings" {
		write()
		return
	}
	lines.Answer(ask)
}

// A Table has the objects that were described.
type Table struct {
	// Tag is the name of the tags of fields: hcl or mapstructure.
	Tag string
	// Known has the types of what is not decoded as its Go type says.
	Known map[reflect.Type]string
	// Fields has the types of single fields, as Object.argument.
	Fields map[string]string
	// More has arguments that are not decoded into structs, for each object.
	More    map[string]map[string]string
	objects map[string]map[string]string
	types   map[reflect.Type]string
}

// Version returns the version of a module that the program was built with.
func Version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, own := range info.Deps {
		if own.Path == module {
			return own.Version
		}
	}
	return ""
}

// Minor returns a version such as v1.22.7 without its patch.
func Minor(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// OneOf is the type of strings of which there are only some.
func OneOf(texts ...string) string {
	quoted := make([]string, len(texts))
	for at, text := range texts {
		quoted[at] = fmt.Sprintf("%q", text)
	}
	return "one_of(" + strings.Join(quoted, ", ") + ")"
}

// Object describes a struct, and returns its name.
func (t *Table) Object(of any) string {
	return t.kind(reflect.TypeOf(of))
}

// Named describes the fields of structs as those of one object.
func (t *Table) Named(name string, of ...any) string {
	fields := map[string]string{}
	for _, one := range of {
		t.fields(name, reflect.TypeOf(one), fields)
	}
	for argument, kind := range t.More[name] {
		fields[argument] = kind
	}
	if t.objects == nil {
		t.objects = map[string]map[string]string{}
	}
	t.objects[name] = fields
	return name
}

// Write writes the objects as HCL, in the order of their names.
func (t *Table) Write(out io.Writer) {
	for _, name := range sorted(t.objects) {
		fmt.Fprintf(out, "\nobject %q {\n", name)
		width := 0
		for argument := range t.objects[name] {
			width = max(width, len(argument))
		}
		for _, argument := range sorted(t.objects[name]) {
			fmt.Fprintf(out, "  %-*s = %s\n", width, argument, t.objects[name][argument])
		}
		fmt.Fprintln(out, "}")
	}
}

func sorted[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (t *Table) kind(of reflect.Type) string {
	if known, ok := t.Known[of]; ok {
		return known
	}
	if of.PkgPath() == "time" && of.Name() == "Duration" {
		return "duration"
	}
	switch of.Kind() {
	case reflect.Pointer:
		return t.kind(of.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "integer"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Interface:
		return "any"
	case reflect.Slice, reflect.Array:
		if of.Elem().Kind() == reflect.Uint8 {
			return "any"
		}
		return "list(" + t.kind(of.Elem()) + ")"
	case reflect.Map:
		return "map(" + t.kind(of.Elem()) + ")"
	case reflect.Struct:
		return t.object(of)
	default:
		return "any"
	}
}

func (t *Table) object(of reflect.Type) string {
	if name, ok := t.types[of]; ok {
		return name
	}
	name := of.Name()
	if name == "" {
		name = "Unnamed"
	}
	for n, base := 2, name; t.objects[name] != nil; n++ {
		name = fmt.Sprint(base, n)
	}
	if t.types == nil {
		t.types = map[reflect.Type]string{}
	}
	if t.objects == nil {
		t.objects = map[string]map[string]string{}
	}
	t.types[of] = name
	fields := map[string]string{}
	t.objects[name] = fields
	t.fields(name, of, fields)
	for argument, kind := range t.More[name] {
		fields[argument] = kind
	}
	return name
}

// fields adds the fields of a struct, with those of embedded ones.
func (t *Table) fields(object string, of reflect.Type, into map[string]string) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	for at := range of.NumField() {
		field := of.Field(at)
		if !field.IsExported() && !field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get(t.Tag), ",")
		if name == "-" || strings.Contains(options, "unused") || strings.Contains(options, "decodedFields") ||
			strings.Contains(options, "remain") || options == "key" {
			continue
		}
		embedded := field.Type
		for embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if strings.Contains(options, "squash") || t.Tag == "hcl" && field.Anonymous {
			if embedded.Kind() == reflect.Struct {
				t.fields(object, embedded, into)
			}
			continue
		}
		if name == "" {
			name = strings.ToLower(field.Name)
		}
		kind, ok := t.Fields[object+"."+name]
		if !ok {
			kind = t.kind(field.Type)
		}
		if t.Tag == "hcl" && kind == "any" && strings.HasSuffix(field.Name, "Raw") {
			kind = t.raw(of, field.Name, kind)
		}
		// A block with a label, which is the field for its key.
		if t.Tag == "hcl" && strings.HasPrefix(kind, "list(") && isKeyed(field.Type) {
			kind = "labeled(" + strings.TrimSuffix(strings.TrimPrefix(kind, "list("), ")") + ")"
		}
		into[name] = kind
		if alias := field.Tag.Get("alias"); alias != "" {
			for other := range strings.SplitSeq(alias, ",") {
				into[other] = kind
			}
		}
	}
}

// raw is the type of a field that is read into an interface first: anything that can be text, if the field beside it is no collection.
func (t *Table) raw(of reflect.Type, name, kind string) string {
	beside, ok := of.FieldByName(strings.TrimSuffix(name, "Raw"))
	if !ok {
		return kind
	}
	switch t.kind(beside.Type) {
	case "string", "bool", "integer", "number", "duration":
		return "scalar"
	}
	return kind
}

func isKeyed(of reflect.Type) bool {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return false
	}
	for at := range of.NumField() {
		if of.Field(at).Tag.Get("hcl") == ",key" {
			return true
		}
	}
	return false
}
