# Values for other configurations.

output "addresses" {
  description = "Private addresses of the machines, in order"
  value       = aws_instance.web[*].private_ip
}

output "names" {
  description = "Names of the machines by their address"
  value = {
    for machine in aws_instance.web :
    machine.private_ip => machine.tags.Name
  }
}

output "subnets" {
  description = "Zones, and the subnet in each"
  value       = { for zone, subnet in aws_subnet.main : zone => subnet.id }
}

output "volumes" {
  description = "All volumes of all machines"
  value       = flatten(aws_instance.web.*.root_block_device.0.volume_id)
}

output "inventory" {
  description = "An inventory for Ansible"
  value = templatefile("${path.module}/inventory.tftpl", {
    hosts = aws_instance.web[*].private_ip
    user  = "admin"
  })
}

output "summary" {
  description = "One line for people"
  value       = "${length(aws_instance.web)} machine%{ if length(aws_instance.web) != 1 }s%{ endif } in ${var.region}"

  precondition {
    condition     = length(aws_instance.web) > 0 && length(local.subnets) >= 1
    error_message = "There must be at least one machine and one subnet."
  }
}
