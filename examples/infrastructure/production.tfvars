environment       = "production"
database_password = "correct horse battery staple"

services = {
  web    = { port = 443, replicas = 2, public = true }
  search = { port = 9200 }
}
