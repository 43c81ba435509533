module github.com/hclkit/hclkit/conformance/hcl1

go 1.26.8

require github.com/hashicorp/hcl v1.0.0

require github.com/hclkit/hclkit/conformance/lines v0.0.0

replace github.com/hclkit/hclkit/conformance/lines => ../lines
