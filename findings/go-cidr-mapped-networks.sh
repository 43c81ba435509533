#!/usr/bin/env bash
# go-cidr computes hosts of IPv4 networks that are written as IPv6 at the wrong end of the address.
