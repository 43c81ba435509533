package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// Schema is what the file describes. Every provider serves all resources, so that it does not matter which one a resource
// belongs to.
type Schema struct {
	Providers map[string]*Block   `json:"providers"`
	Resources map[string]*Block   `json:"resources"`
	Data      map[string]*Block   `json:"data"`
	Ephemeral map[string]*Block   `json:"ephemeral"`
	Functions map[string][]string `json:"functions"`
	// Exact has schemas as Terraform prints them, by the addresses of providers. Nothing else counts for these.
	Exact map[string]exactProvider `json:"provider_schemas"`
}

// Block has attributes, each with a type as cty writes it in JSON, and nested blocks. Plain attributes are not computed.
type Block struct {
	Attributes map[string]cty.Type `json:"attributes"`
	Plain      []string            `json:"plain"`
	Blocks     map[string]*Nested  `json:"blocks"`
}

// Nested is a list of blocks, or a single one. A computed one is unknown if it is not configured.
type Nested struct {
	Single   bool  `json:"single"`
	Computed bool  `json:"computed"`
	Block    Block `json:"block"`
}

func read(path string) (*Schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	schema := &Schema{}
	if err := json.Unmarshal(text, schema); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return schema, nil
}

// isDynamic reports whether an attribute in the block has any type.
func (b *Block) isDynamic() bool {
	for _, ty := range b.Attributes {
		if ty.HasDynamicTypes() {
			return true
		}
	}
	for _, nested := range b.Blocks {
		if nested.Block.isDynamic() {
			return true
		}
	}
	return false
}

// value returns the type of the block's values, as Terraform derives it.
func (b *Block) value() cty.Type {
	types := map[string]cty.Type{}
	for name, ty := range b.Attributes {
		types[name] = ty
	}
	for name, nested := range b.Blocks {
		types[name] = nested.value()
	}
	return cty.Object(types)
}

func (n *Nested) value() cty.Type {
	switch {
	case n.Single:
		return n.Block.value()
	case n.Block.isDynamic():
		return cty.DynamicPseudoType
	default:
		return cty.List(n.Block.value())
	}
}

// isWriteOnly follows the names that providers use. Such attributes can be ephemeral.
func isWriteOnly(name string) bool {
	return strings.HasSuffix(name, "_wo")
}

// proto returns the block in the terms of the protocol.
func (b *Block) proto(computed bool) (*tfprotov6.SchemaBlock, error) {
	block := &tfprotov6.SchemaBlock{}
	for name, ty := range b.Attributes {
		text, err := ty.MarshalJSON()
		if err != nil {
			return nil, err
		}
		parsed, err := tftypes.ParseJSONType(text) //nolint:staticcheck // There is no other way from JSON.
		if err != nil {
			return nil, err
		}
		attribute := &tfprotov6.SchemaAttribute{Name: name, Type: parsed, Optional: true, Computed: computed}
		if slices.Contains(b.Plain, name) {
			attribute.Computed = false
		}
		if isWriteOnly(name) && computed {
			attribute.Computed, attribute.WriteOnly = false, true
		}
		block.Attributes = append(block.Attributes, attribute)
	}
	for name, nested := range b.Blocks {
		inner, err := nested.Block.proto(computed)
		if err != nil {
			return nil, err
		}
		nesting := tfprotov6.SchemaNestedBlockNestingModeList
		if nested.Single {
			nesting = tfprotov6.SchemaNestedBlockNestingModeSingle
		}
		block.BlockTypes = append(block.BlockTypes, &tfprotov6.SchemaNestedBlock{TypeName: name, Block: inner, Nesting: nesting})
	}
	return block, nil
}

// plan makes what is computed and not configured unknown.
func (b *Block) plan(config cty.Value) cty.Value {
	if config.IsNull() || !config.IsKnown() {
		return config
	}
	values := map[string]cty.Value{}
	for name, ty := range b.Attributes {
		value := config.GetAttr(name)
		switch {
		case isWriteOnly(name):
			value = cty.NullVal(ty)
		case value.IsNull() && !slices.Contains(b.Plain, name):
			value = cty.UnknownVal(ty)
		}
		values[name] = value
	}
	for name, nested := range b.Blocks {
		values[name] = nested.plan(config.GetAttr(name))
	}
	return cty.ObjectVal(values)
}

func (n *Nested) plan(config cty.Value) cty.Value {
	switch {
	case !config.IsKnown():
		return config
	case n.Single && !config.IsNull():
		return n.Block.plan(config)
	case config.IsNull() || config.LengthInt() == 0:
		if n.Computed {
			return cty.UnknownVal(n.value())
		}
		return config
	}
	var blocks []cty.Value
	for it := config.ElementIterator(); it.Next(); {
		_, block := it.Element()
		blocks = append(blocks, n.Block.plan(block))
	}
	if config.Type().IsListType() {
		return cty.ListVal(blocks)
	}
	return cty.TupleVal(blocks)
}
