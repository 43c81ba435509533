# envconsul 0.13: configurations. Their files have no names of their own.

name   = "envconsul"
title  = "envconsul"
syntax = "hcl1"
