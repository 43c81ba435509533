# Nomad 1.9: configurations of agents, ACL policies, and files of volumes and namespaces. Their files have no names of their own.

name   = "nomad-agent"
title  = "Nomad (agent)"
syntax = "hcl1"
