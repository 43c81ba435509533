name = "shop-${region}"
log  = "warn"

listen "http" {
  address = "0.0.0.0:8080"
}

listen "metrics" {
  address = "127.0.0.1:9090"
}
