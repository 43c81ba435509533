variable "i" {
  type = string
}
resource "terraform_data" "t" {
  input = var.i
}
output "o" {
  value = terraform_data.t.id
}
