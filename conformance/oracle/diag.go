package main

// Ranges and diagnostics as the protocol writes them.

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
)

func rangeJSON(r hcl.Range) [6]int {
	return [6]int{r.Start.Byte, r.End.Byte, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
}

func diagsJSON(diags hcl.Diagnostics) []object {
	list := []object{}
	for _, diag := range diags {
		// A panic inside a function arrives here with its stack trace, which says where the
		// oracle was built and differs from run to run.
		detail, _, _ := strings.Cut(diag.Detail, "\ngoroutine ")
		item := object{"severity": "error", "summary": diag.Summary, "detail": detail}
		if diag.Severity == hcl.DiagWarning {
			item["severity"] = "warning"
		}
		if diag.Subject != nil {
			item["range"] = rangeJSON(*diag.Subject)
		}
		list = append(list, item)
	}
	return list
}
