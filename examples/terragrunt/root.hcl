# What all units share.

inputs = {
  tags = {
    team       = "shop"
    managed_by = "terragrunt"
  }
}
