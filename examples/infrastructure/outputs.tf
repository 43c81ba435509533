output "subnets" {
  description = "The network of each zone"
  value       = module.network.cidrs
}

output "replicas" {
  value = { for name, service in aws_ecs_service.all : name => service.desired_count }
}

output "database" {
  value     = "postgres://shop:${var.database_password}@${aws_db_instance.main.address}/shop"
  sensitive = true
}
