package main

// The op format. Bytes that are not UTF-8 come and go in hexadecimal digits, as JSON cannot say them.

import (
	"encoding/hex"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

func opFormat(line []byte) object {
	request := read[struct {
		Src     *string `json:"src"`
		Hex     *string `json:"hex"`
		Profile string  `json:"profile"`
	}](line)
	if request.Profile != "" && request.Profile != "plain" {
		panic(badf("unknown profile %q", request.Profile))
	}
	if request.Hex == nil {
		return object{"out": string(hclwrite.Format(source(request.Src)))}
	}
	src, err := hex.DecodeString(*request.Hex)
	if err != nil {
		panic(badf("%s", err))
	}
	return object{"hex": hex.EncodeToString(hclwrite.Format(src))}
}
