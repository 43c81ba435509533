environment = "production"
release     = "2.4.1"
tenants     = { blue = 1, green = 2 }
