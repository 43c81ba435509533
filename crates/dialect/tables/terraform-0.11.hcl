# Terraform 0.11, the last one that reads HCL 1. Files *.tf are those of newer versions, unless the user says otherwise.

name   = "terraform-0.11"
title  = "Terraform 0.11"
syntax = "hcl1"
