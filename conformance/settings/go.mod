module github.com/hclkit/hclkit/conformance/settings

go 1.26.8

require github.com/hclkit/hclkit/conformance/lines v0.0.0

replace github.com/hclkit/hclkit/conformance/lines => ../lines
