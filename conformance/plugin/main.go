// A client of go-plugin, as Terraform is one. It starts a provider with AutoMTLS, asks for its health, calls a function and
// ends it. A client without a certificate and one with another cookie must be refused.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
)

const cookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"

// raw passes the bytes of messages as they are, so that no generated code is needed.
type raw struct{}

func (raw) Name() string                  { return "proto" }
func (raw) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (raw) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}

// connection dispenses the connection itself.
type connection struct {
	plugin.NetRPCUnsupportedPlugin
}

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is a client")
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}

func client(program, value string) *plugin.Client {
	return plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  6,
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: value,
		},
		VersionedPlugins: map[int]plugin.PluginSet{6: {"provider": connection{}}},
		Cmd:              exec.Command(program),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		Logger:           hclog.NewNullLogger(),
		StartTimeout:     10 * time.Second,
	})
}

// arguments encodes a call of a function with values in MessagePack.
func arguments(name string, values ...[]byte) []byte {
	message := protowire.AppendTag(nil, 1, protowire.BytesType)
	message = protowire.AppendString(message, name)
	for _, value := range values {
		dynamic := protowire.AppendTag(nil, 1, protowire.BytesType)
		dynamic = protowire.AppendBytes(dynamic, value)
		message = protowire.AppendTag(message, 2, protowire.BytesType)
		message = protowire.AppendBytes(message, dynamic)
	}
	return message
}

func ask(conn *grpc.ClientConn, method string, message []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var answer []byte
	err := conn.Invoke(ctx, method, &message, &answer, grpc.ForceCodec(raw{}))
	return answer, err
}

func run(program string) error {
	c := client(program, cookie)
	defer c.Kill()
	protocol, err := c.Client()
	if err != nil {
		return fmt.Errorf("cannot connect: %w", err)
	}
	if err := protocol.Ping(); err != nil {
		return fmt.Errorf("the provider is not healthy: %w", err)
	}
	dispensed, err := protocol.Dispense("provider")
	if err != nil {
		return err
	}
	conn := dispensed.(*grpc.ClientConn)
	// "1 + 2", and an empty object with its type.
	call := arguments("evalexpr", []byte("\xa51 + 2"), []byte("\x92\xc4\x0d[\"object\",{}]\x80"))
	answer, err := ask(conn, "/tfplugin6.Provider/CallFunction", call)
	if err != nil {
		return fmt.Errorf("the call failed: %w", err)
	}
	const expected = "\x0a\x0e\x0a\x0c\x92\xc4\x08\"number\"\x03"
	if string(answer) != expected {
		return fmt.Errorf("expected %q, found %q", expected, answer)
	}
	reattach := c.ReattachConfig()
	if err := stranger(reattach); err != nil {
		return err
	}
	c.Kill()
	if !c.Exited() {
		return errors.New("the provider goes on")
	}
	if _, err := os.Stat(reattach.Addr.String()); !os.IsNotExist(err) {
		return fmt.Errorf("the socket is still there: %v", err)
	}
	return nil
}

// stranger connects to the same socket without a certificate, and must be refused.
func stranger(config *plugin.ReattachConfig) error {
	c := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  plugin.HandshakeConfig{ProtocolVersion: 6},
		Plugins:          plugin.PluginSet{"provider": connection{}},
		Reattach:         &plugin.ReattachConfig{Protocol: plugin.ProtocolGRPC, ProtocolVersion: 6, Addr: config.Addr, Pid: config.Pid, Test: true},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
	})
	protocol, err := c.Client()
	if err == nil {
		err = protocol.Ping()
	}
	if err == nil {
		return errors.New("a client without a certificate is served")
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plugin PROVIDER")
		os.Exit(2)
	}
	program := os.Args[1]
	if err := run(program); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	wrong := client(program, "another cookie")
	defer wrong.Kill()
	if _, err := wrong.Client(); err == nil {
		fmt.Fprintln(os.Stderr, "a client with another cookie is served")
		os.Exit(1)
	}
	fmt.Println("The provider serves its client, and nobody else.")
}
