# Boundary 0.19: configurations of controllers and workers. Their files have no names of their own.

name   = "boundary"
title  = "Boundary"
syntax = "hcl1"
