# HCL without the rules of an application.

name    = "hcl"
title   = "HCL"
aliases = ["plain"]

file "module" {
  names = ["*.hcl"]
}
