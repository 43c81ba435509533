module github.com/hclkit/hclkit/conformance/lines

go 1.26.8
