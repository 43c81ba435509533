include "root" {
  path = find_in_parent_folders("root.hcl")
}

terraform {
  source = "git::https://git.example.com/modules/network.git?ref=v1.4.0"
}

inputs = {
  cidr_block   = "10.20.0.0/16"
  subnet_count = 2
}
