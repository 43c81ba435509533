domain = "example.com"
hosts = {
  db  = "10.0.0.5"
  web = "10.0.0.4"
}
