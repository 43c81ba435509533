include "root" {
  path = find_in_parent_folders("root.hcl")
}

dependency "network" {
  config_path = "../network"

  mock_outputs = {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
}

terraform {
  source = "git::https://git.example.com/modules/database.git?ref=v2.0.1"
}

inputs = {
  engine     = "postgres"
  subnet_ids = dependency.network.outputs.subnet_ids
}
