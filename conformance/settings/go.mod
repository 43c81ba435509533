module github.com/hclkit/hclkit/conformance/settings

go 1.26.8
