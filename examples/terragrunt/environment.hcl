locals {
  account_id = "123456789012"
  region     = "eu-west-1"
}
