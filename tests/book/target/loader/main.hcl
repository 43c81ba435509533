name = upper(region)
