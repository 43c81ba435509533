module "network" {
  source  = "./network"
  version = "2.0.3" # tested on Monday
}

module "dns" {
  source  = "./dns"
  version = "1.4.0"
}
