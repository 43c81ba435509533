# Migrations of state to Terraform Stacks. Their blocks are not documented, so only the files are known.

name      = "stack-migrations"
title     = "migrations to Terraform Stacks"
functions = "terraform"

file "module" {
  names = ["*.tfmigrate.hcl"]
}
