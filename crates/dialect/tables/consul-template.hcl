# consul-template 0.41: configurations. Their files have no names of their own.

name     = "consul-template"
title    = "consul-template"
syntax   = "hcl1"
settings = "consul-template"
