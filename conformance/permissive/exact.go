package main

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// exactProvider is the schema of one provider as `terraform providers schema -json` prints it. It is served as it is, for tests
// that mock the provider, which call nothing else.
type exactProvider struct {
	Provider  exactSchema            `json:"provider"`
	Resources map[string]exactSchema `json:"resource_schemas"`
	Data      map[string]exactSchema `json:"data_source_schemas"`
}

type exactSchema struct {
	Version int64      `json:"version"`
	Block   exactBlock `json:"block"`
}

type exactBlock struct {
	Attributes map[string]exactAttribute `json:"attributes"`
	Blocks     map[string]exactNested    `json:"block_types"`
}

type exactAttribute struct {
	Type      json.RawMessage `json:"type"`
	Required  bool            `json:"required"`
	Optional  bool            `json:"optional"`
	Computed  bool            `json:"computed"`
	Sensitive bool            `json:"sensitive"`
}

type exactNested struct {
	Mode     string     `json:"nesting_mode"`
	MinItems int64      `json:"min_items"`
	MaxItems int64      `json:"max_items"`
	Block    exactBlock `json:"block"`
}

func (s exactSchema) proto() (*tfprotov6.Schema, error) {
	block, err := s.Block.proto()
	return &tfprotov6.Schema{Version: s.Version, Block: block}, err
}

func (b exactBlock) proto() (*tfprotov6.SchemaBlock, error) {
	block := &tfprotov6.SchemaBlock{}
	for name, own := range b.Attributes {
		ty, err := tftypes.ParseJSONType(own.Type) //nolint:staticcheck // There is no other way from JSON.
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		block.Attributes = append(block.Attributes, &tfprotov6.SchemaAttribute{
			Name: name, Type: ty, Required: own.Required, Optional: own.Optional, Computed: own.Computed, Sensitive: own.Sensitive,
		})
	}
	modes := map[string]tfprotov6.SchemaNestedBlockNestingMode{
		"list":   tfprotov6.SchemaNestedBlockNestingModeList,
		"set":    tfprotov6.SchemaNestedBlockNestingModeSet,
		"map":    tfprotov6.SchemaNestedBlockNestingModeMap,
		"single": tfprotov6.SchemaNestedBlockNestingModeSingle,
		"group":  tfprotov6.SchemaNestedBlockNestingModeGroup,
	}
	for name, own := range b.Blocks {
		inner, err := own.Block.proto()
		if err != nil {
			return nil, err
		}
		block.BlockTypes = append(block.BlockTypes, &tfprotov6.SchemaNestedBlock{
			TypeName: name, Block: inner, Nesting: modes[own.Mode], MinItems: own.MinItems, MaxItems: own.MaxItems,
		})
	}
	return block, nil
}

// serve returns the schema in the terms of the protocol.
func (p exactProvider) serve() (*tfprotov6.GetProviderSchemaResponse, error) {
	own, err := p.Provider.proto()
	if err != nil {
		return nil, err
	}
	response := &tfprotov6.GetProviderSchemaResponse{
		ServerCapabilities: &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true},
		Provider:           own,
		ResourceSchemas:    map[string]*tfprotov6.Schema{},
		DataSourceSchemas:  map[string]*tfprotov6.Schema{},
	}
	kinds := []struct {
		from map[string]exactSchema
		to   map[string]*tfprotov6.Schema
	}{{p.Resources, response.ResourceSchemas}, {p.Data, response.DataSourceSchemas}}
	for _, kind := range kinds {
		for name, schema := range kind.from {
			if kind.to[name], err = schema.proto(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return response, nil
}
