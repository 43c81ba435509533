// The values for production.

project     = "storefront"
environment = "production"
region      = "eu-west-1"

network = "10.42.0.0/16"
zones   = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]

/*
 * The zone without the machine types that we use.
 */
excluded_zones = [
  "eu-west-1c", // no m7g
]

sizes = {
  development : "t4g.small",
  production : "m7g.xlarge",
}

rules = [
  {
    port        = 443
    public      = true
    description = "The shop \u2014 open to all"
  },
  { port = 53, protocol = "udp" },
  { port = 9100, description = null },
]

packages = ["curl", "nginx", "prometheus-node-exporter"]
token    = "s.9f\"quoted\"\\and\tescaped"
