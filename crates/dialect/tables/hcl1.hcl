# HCL 1 without the rules of an application.

name   = "hcl1"
title  = "HCL 1"
syntax = "hcl1"
