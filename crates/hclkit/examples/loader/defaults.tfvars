region = "test"
