// A provider for Terraform that accepts what its schema lists, under any name. Nothing is ever applied: a plan has what is
// configured, and the rest is unknown. The environment variable PERMISSIVE_SCHEMA names the file with the schema; the name
// of the program decides which provider it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func main() {
	name := strings.TrimPrefix(filepath.Base(os.Args[0]), "terraform-provider-")
	schema, err := read(os.Getenv("PERMISSIVE_SCHEMA"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	factory := func() tfprotov6.ProviderServer { return &provider{name: name, schema: schema} }
	if err := tf6server.Serve("registry.terraform.io/hclkit/"+name, factory); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// provider answers what validating and planning need. Terraform calls nothing else.
type provider struct {
	tfprotov6.ProviderServer
	name   string
	schema *Schema
}

func (p *provider) block() *Block {
	if block := p.schema.Providers[p.name]; block != nil {
		return block
	}
	return &Block{}
}

func (p *provider) functions() map[string]*tfprotov6.Function {
	functions := map[string]*tfprotov6.Function{}
	for _, name := range p.schema.Functions[p.name] {
		functions[name] = &tfprotov6.Function{
			VariadicParameter: &tfprotov6.FunctionParameter{
				Name: "arguments", Type: tftypes.DynamicPseudoType, AllowNullValue: true,
			},
			Return: &tfprotov6.FunctionReturn{Type: tftypes.DynamicPseudoType},
		}
	}
	return functions
}

func (p *provider) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	return nil, errors.New("the schema has everything")
}

func (p *provider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	for address, exact := range p.schema.Exact {
		if strings.HasSuffix(address, "/"+p.name) {
			return exact.serve()
		}
	}
	response := &tfprotov6.GetProviderSchemaResponse{
		ServerCapabilities:       &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true},
		ResourceSchemas:          map[string]*tfprotov6.Schema{},
		DataSourceSchemas:        map[string]*tfprotov6.Schema{},
		EphemeralResourceSchemas: map[string]*tfprotov6.Schema{},
		Functions:                p.functions(),
	}
	// What configures a provider is not computed.
	own, err := p.block().proto(false)
	if err != nil {
		return nil, err
	}
	response.Provider = &tfprotov6.Schema{Block: own}
	kinds := []struct {
		from map[string]*Block
		to   map[string]*tfprotov6.Schema
	}{
		{p.schema.Resources, response.ResourceSchemas},
		{p.schema.Data, response.DataSourceSchemas},
		{p.schema.Ephemeral, response.EphemeralResourceSchemas},
	}
	for _, kind := range kinds {
		for name, block := range kind.from {
			converted, err := block.proto(true)
			if err != nil {
				return nil, err
			}
			kind.to[name] = &tfprotov6.Schema{Block: converted}
		}
	}
	return response, nil
}

func (p *provider) GetFunctions(context.Context, *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	return &tfprotov6.GetFunctionsResponse{Functions: p.functions()}, nil
}

func (p *provider) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (p *provider) ValidateProviderConfig(_ context.Context, request *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: request.Config}, nil
}

func (p *provider) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (p *provider) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (p *provider) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (p *provider) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return &tfprotov6.ValidateDataResourceConfigResponse{}, nil
}

func (p *provider) ValidateEphemeralResourceConfig(context.Context, *tfprotov6.ValidateEphemeralResourceConfigRequest) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return &tfprotov6.ValidateEphemeralResourceConfigResponse{}, nil
}

func (p *provider) PlanResourceChange(_ context.Context, request *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	planned, err := change(p.schema.Resources[request.TypeName], request.ProposedNewState, (*Block).plan)
	if err != nil {
		return nil, err
	}
	// Terraform's own rules forbid unknown blocks, which older providers plan.
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: planned, UnsafeToUseLegacyTypeSystem: true}, nil
}

func (p *provider) OpenEphemeralResource(_ context.Context, request *tfprotov6.OpenEphemeralResourceRequest) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	// Nothing that is ephemeral gets into a plan.
	return &tfprotov6.OpenEphemeralResourceResponse{Result: (*tfprotov6.DynamicValue)(request.Config)}, nil
}

func (p *provider) CloseEphemeralResource(context.Context, *tfprotov6.CloseEphemeralResourceRequest) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return &tfprotov6.CloseEphemeralResourceResponse{}, nil
}

func (p *provider) CallFunction(context.Context, *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	unknown, err := encode(cty.DynamicVal, cty.DynamicPseudoType)
	return &tfprotov6.CallFunctionResponse{Result: unknown}, err
}

// change applies a function to a value with the type of a block.
func change(block *Block, value *tfprotov6.DynamicValue, to func(*Block, cty.Value) cty.Value) (*tfprotov6.DynamicValue, error) {
	if block == nil {
		return nil, errors.New("the schema has no such type")
	}
	ty := block.value()
	decoded, err := msgpack.Unmarshal(value.MsgPack, ty)
	if err != nil {
		return nil, err
	}
	return encode(to(block, decoded), ty)
}

func encode(value cty.Value, ty cty.Type) (*tfprotov6.DynamicValue, error) {
	bytes, err := msgpack.Marshal(value, ty)
	return &tfprotov6.DynamicValue{MsgPack: bytes}, err
}
