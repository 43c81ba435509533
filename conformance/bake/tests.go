package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// named is a request with the name of the test that it comes from.
type named struct {
	Name string `json:"name"`
	request
}

// tests writes the files, targets, overrides and environment variables of buildx's own tests in a directory as requests.
func tests(dir string, out io.Writer) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			own, ok := decl.(*ast.FuncDecl)
			if !ok || own.Body == nil {
				continue
			}
			for _, asked := range requests(own.Body) {
				if err := lines.Encode(named{own.Name.Name, asked}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// requests has each file of a test by itself, all of them together, and what the test asks for.
func requests(body *ast.BlockStmt) []request {
	texts := map[string]string{}
	env := map[string]string{}
	var files []file
	var asked []request
	add := func(name, text string) {
		if strings.HasSuffix(name, "yml") || strings.HasSuffix(name, "yaml") || strings.Contains(text, "services:") {
			return
		}
		for _, other := range files {
			if other.Text == text {
				return
			}
		}
		for _, other := range files {
			if other.Name == name {
				name = strconv.Itoa(len(files)) + "-" + name
			}
		}
		files = append(files, file{name, text})
	}
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for at, value := range node.Rhs {
				if name, ok := node.Lhs[min(at, len(node.Lhs)-1)].(*ast.Ident); ok {
					if text, ok := text(value, texts); ok {
						texts[name.Name] = text
					}
				}
			}
		case *ast.CompositeLit:
			name, data := "", ""
			for _, element := range node.Elts {
				field, ok := element.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				key, _ := field.Key.(*ast.Ident)
				if value, ok := text(field.Value, texts); ok && key != nil {
					switch key.Name {
					case "Name":
						name = value
					case "Data":
						data = value
					}
				}
			}
			if name != "" && data != "" {
				add(name, data)
			}
		case *ast.CallExpr:
			called := ""
			switch function := node.Fun.(type) {
			case *ast.Ident:
				called = function.Name
			case *ast.SelectorExpr:
				called = function.Sel.Name
			}
			switch {
			case called == "ParseFile" && len(node.Args) == 2:
				if data, ok := text(node.Args[0], texts); ok {
					if name, ok := text(node.Args[1], texts); ok {
						add(name, data)
					}
				}
			case called == "Setenv" && len(node.Args) == 2:
				name, first := text(node.Args[0], texts)
				value, second := text(node.Args[1], texts)
				if first && second {
					env[name] = value
				}
			case called == "ReadTargets" && len(node.Args) > 3:
				targets, overrides := list(node.Args[2], texts), list(node.Args[3], texts)
				asked = append(asked, request{Targets: targets, Set: overrides})
			}
		}
		return true
	})
	if len(files) == 0 {
		return nil
	}
	all := []request{}
	everything := []string{"*"}
	for _, own := range files {
		all = append(all, request{Files: []file{own}, Targets: everything})
		if len(env) > 0 {
			all = append(all, request{Files: []file{own}, Targets: everything, Env: env})
		}
	}
	if len(files) > 1 {
		all = append(all, request{Files: files, Targets: everything, Env: env})
	}
	for _, one := range asked {
		one.Env = env
		one.Files = files
		all = append(all, one)
		if len(files) > 1 {
			one.Files = files[:1]
			all = append(all, one)
		}
	}
	return all
}

// text is the value of a literal, also in []byte(…), or of a variable.
func text(value ast.Expr, texts map[string]string) (string, bool) {
	switch value := value.(type) {
	case *ast.BasicLit:
		if value.Kind == token.STRING {
			text, err := strconv.Unquote(value.Value)
			return text, err == nil
		}
	case *ast.CallExpr:
		if _, ok := value.Fun.(*ast.ArrayType); ok && len(value.Args) == 1 {
			return text(value.Args[0], texts)
		}
	case *ast.Ident:
		text, ok := texts[value.Name]
		return text, ok
	}
	return "", false
}

func list(value ast.Expr, texts map[string]string) []string {
	literal, ok := value.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var all []string
	for _, element := range literal.Elts {
		if text, ok := text(element, texts); ok {
			all = append(all, text)
		}
	}
	return all
}
