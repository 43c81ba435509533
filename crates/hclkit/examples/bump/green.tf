# The second region.
module "network" { # the same module
  source  = "./network"
  version = "1.9.0"
  zones   = ["a", "b"]
}
