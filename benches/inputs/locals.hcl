# The locals of a service platform: what a module of some size computes from its variables.
locals {
  name        = "${var.project}-${var.environment}"
  name_short  = lower("${var.project}${var.environment == "production" ? "p" : "t"}")
  production  = var.environment == "production"
  region      = var.region != null ? var.region : "eu-central-1"
  account_arn = "arn:aws:iam::${var.account}:root"

  tags = merge(var.tags, {
    Project     = var.project
    Environment = var.environment
    ManagedBy   = "terraform"
    Name        = "${var.project}-${var.environment}"
  })

  # Networks: one public and one private subnet in each zone.
  zones          = [for zone in var.zones : "${var.region}${zone}"]
  zone_count     = length(var.zones)
  public_subnets = [for index, zone in var.zones : "10.${var.network}.${index}.0/24"]
  private_subnets = [
    for index, zone in var.zones : "10.${var.network}.${index + 100}.0/24"
  ]
  subnets = {
    for index, zone in var.zones : "private-${zone}" => {
      zone  = "${var.region}${zone}"
      cidr  = "10.${var.network}.${index + 100}.0/24"
      index = index
    }
  }
  gateways = local.production ? local.zone_count : 1
  networks = concat(local.public_subnets, local.private_subnets, ["10.255.0.0/16"])

  # Services: defaults filled in, then looked at from several sides.
  services = {
    for key, service in var.services : key => {
      name     = "${var.project}-${key}"
      image    = "${var.registry}/${service.image}:${service.tag}"
      port     = service.port
      public   = service.public
      replicas = local.production ? max(service.replicas, 2) : 1
      memory   = service.memory * (local.production ? 2 : 1)
      cpu      = service.memory / 4
      host     = service.public ? "${key}.${var.domain}" : "${key}.internal.${var.domain}"
      labels   = merge(local.tags, { Service = key, Tier = service.tier })
    }
  }
  service_names   = keys(local.services)
  public_services = { for key, service in local.services : key => service if service.public }
  service_count   = length(keys(local.services))
  has_public      = length(keys(local.public_services)) > 0
  service_hosts   = [for service in local.services : service.host]
  services_by_tier = {
    for key, service in var.services : service.tier => key...
  }
  total_memory = local.services["api"].memory + local.services["web"].memory + local.services["worker"].memory
  total_cost   = (local.total_memory * 3 + local.service_count * 120) / 100 - 5
  over_budget  = local.total_cost > var.budget && !local.production || local.total_cost > var.budget * 2

  # Rules of the firewall, flat.
  ports = [for service in var.services : service.port]
  ingress = [
    for key, service in local.services : {
      description = "Access to ${key} on port ${service.port}"
      from_port   = service.port
      to_port     = service.port
      protocol    = "tcp"
      cidr_blocks = service.public ? ["0.0.0.0/0"] : local.private_subnets
    }
  ]
  egress = concat(
    [{ description = "All", from_port = 0, to_port = 0, protocol = "-1", cidr_blocks = ["0.0.0.0/0"] }],
    [
      for rule in var.extra_rules : {
        description = upper(rule.description)
        from_port   = rule.port
        to_port     = rule.port
        protocol    = rule.udp ? "udp" : "tcp"
        cidr_blocks = rule.blocks
      } if rule.port > 0 && rule.enabled
    ],
  )
  open_ports = [for rule in local.ingress : rule.from_port if contains(rule.cidr_blocks, "0.0.0.0/0")]

  # Machines.
  instance_types = {
    small  = "t4g.small"
    medium = "m7g.large"
    large  = local.production ? "m7g.4xlarge" : "m7g.xlarge"
  }
  instance_type = lookup(local.instance_types, var.size, "t4g.micro")
  instances = [
    for index, zone in var.zones : {
      name   = "${local.name}-${index + 1}"
      zone   = "${local.region}${zone}"
      type   = local.instance_type
      disk   = (index == 0 ? 200 : 100) * (local.production ? 2 : 1)
      user   = "admin"
      labels = { index = index, first = index == 0, last = index == local.zone_count - 1 }
    }
  ]
  instance_names = local.instances[*].name
  instance_zones = local.instances.*.zone
  first_instance = local.instances[0].name
  largest_disk   = max(local.instances[0].disk, local.instances[1].disk, 50)

  # Databases.
  databases = {
    for name, database in var.databases : "${local.name}-${name}" => {
      engine   = database.engine
      version  = database.engine == "postgres" ? "16.4" : database.engine == "mysql" ? "8.4" : "7.2"
      port     = { postgres = 5432, mysql = 3306, redis = 6379 }[database.engine]
      url      = "${database.engine}://${name}.${var.domain}/${name}?sslmode=${local.production ? "verify-full" : "prefer"}"
      replicas = [for zone in var.zones : "${name}-replica-${zone}" if local.production || database.replicated]
      backup   = local.production && database.engine != "redis"
    }
  }
  database_urls     = { for name, database in local.databases : name => database.url }
  backed_up         = [for name, database in local.databases : name if database.backup]
  databases_by_kind = { for name, database in var.databases : database.engine => name... }

  # Access.
  users       = { for user in var.users : user.name => user }
  admins      = [for user in var.users : user.email if user.admin]
  user_groups = { for user in var.users : (user.admin ? "admins" : "users") => user.name... }
  policies = {
    for user in var.users : user.name => {
      Version = "2012-10-17"
      Statement = [
        {
          Sid      = "Read${upper(user.name)}"
          Effect   = "Allow"
          Action   = user.admin ? ["s3:*"] : ["s3:GetObject", "s3:ListBucket"]
          Resource = ["arn:aws:s3:::${local.name}-data", "arn:aws:s3:::${local.name}-data/${user.name}/*"]
        },
        {
          Sid      = "Assume"
          Effect   = user.admin ? "Allow" : "Deny"
          Action   = ["sts:AssumeRole"]
          Resource = [local.account_arn]
        },
      ]
    }
  }

  # Texts.
  motd = "Welcome to ${local.name}: ${local.service_count} services, ${length(var.users)} users, run by ${join(", ", local.admins)}"
  hosts = <<-EOT
    127.0.0.1 localhost
    %{ for index, instance in local.instances ~}
    10.${var.network}.${index + 100}.10 ${instance.name} ${instance.name}.${var.domain}
    %{ endfor ~}
  EOT
  nginx = <<-EOT
    %{ for key, service in local.services ~}
    upstream ${key} {
      %{ for index in [1, 2, 3] ~}
      server ${service.name}-${index}:${service.port} max_fails=3;
      %{ endfor ~}
    }
    server {
      listen 443 ssl;
      server_name ${service.host};
      location / {
        proxy_pass http://${key};
        %{ if service.public ~}
        limit_req zone=public burst=20;
        %{ else ~}
        allow 10.${var.network}.0.0/16;
        deny all;
        %{ endif ~}
      }
    }
    %{ endfor ~}
  EOT
  bootstrap = join("\n", [for line in ["set -eu", "hostname ${local.name}", "systemctl enable app"] : "  ${line}"])

  # Alarms.
  alarms = {
    for key, service in local.services : "${key}-memory" => {
      threshold = service.memory * 8 / 10
      actions   = local.production ? [var.alarm_topic] : []
      message   = "Memory of ${key} above ${service.memory * 8 / 10} MB in ${local.region}"
    } if service.replicas >= 1
  }
  alarm_names = keys(local.alarms)
  dashboards = [
    for key, service in local.services : {
      title = upper(key)
      rows = [
        for metric in ["cpu", "memory", "requests", "errors"] : {
          metric = "${local.name}.${key}.${metric}"
          unit   = metric == "cpu" ? "percent" : metric == "memory" ? "bytes" : "count"
          stack  = contains(["requests", "errors"], metric)
        }
      ]
    }
  ]
  outputs = {
    name     = local.name
    hosts    = join(",", local.service_hosts)
    ports    = local.open_ports
    summary  = "${local.name} (${local.region}): ${local.has_public ? "public" : "private"}, cost ${local.total_cost}"
    warnings = concat(local.over_budget ? ["over budget"] : [], local.has_public ? [] : ["nothing is public"])
  }
}
