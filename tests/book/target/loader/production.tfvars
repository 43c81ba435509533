region = "eu"
