//! IP addresses and prefixes in CIDR notation (RFC 4632, RFC 4291).

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use hclkit_value::{Error, Function, Number, Parameter, Type, Value};

use crate::arguments::{integer, not_null, number, text, wrong};

/// What differs between the libraries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Numbers have at most as many bits as an address; IPv6 networks have no netmasks.
    Terraform,
    /// Those of Packer and Bake: numbers have 64 bits; a subnet has at most 32 bits more than its network, and no negative
    /// number; numbers in IPv4 addresses have no leading zeros.
    GoCtyFuncs,
}

/// An address and the number of leading bits that identify the network.
#[derive(Clone, Copy)]
struct Prefix {
    /// The address as a number of 32 or 128 bits.
    address: u128,
    length: u32,
    width: u32,
}

/// The first and last IPv4-mapped IPv6 address.
const MAPPED: (u128, u128) = (0xffff_0000_0000, 0xffff_ffff_ffff);

impl Prefix {
    /// Parses a prefix. The host bits of the address are ignored.
    fn read(text: &str, rules: Rules) -> Option<Self> {
        let (address, length) = text.split_once('/')?;
        let (address, width) = if address.contains(':') {
            (without_leading_zeros(address).parse::<Ipv6Addr>().ok()?.to_bits(), 128)
        } else {
            let address = match rules {
                Rules::Terraform => without_leading_zeros(address).parse::<Ipv4Addr>(),
                Rules::GoCtyFuncs => address.parse(),
            };
            (u128::from(address.ok()?.to_bits()), 32)
        };
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let length = length.trim_start_matches('0').parse().or_else(|_| length.parse()).ok()?;
        let prefix = Self { address, length, width };
        (length <= width).then(|| Self { address: address & prefix.mask(), ..prefix })
    }

    /// Parses an address, as a prefix of all of its bits.
    fn read_address(text: &str, rules: Rules) -> Option<Self> {
        let width = if text.contains(':') { 128 } else { 32 };
        Self::read(&format!("{text}/{width}"), rules)
    }

    /// The IPv4 network that an IPv4-mapped IPv6 network contains.
    fn unmapped(self) -> Self {
        match self.length.checked_sub(96) {
            Some(length) if self.is_mapped() => Self { address: self.address - MAPPED.0, length, width: 32 },
            _ => self,
        }
    }

    /// A mask with ones in the bits of the prefix.
    fn mask(self) -> u128 {
        let all = u128::MAX >> (128 - self.width);
        all & u128::MAX.checked_shl(self.width - self.length).unwrap_or(0)
    }

    /// Inserts a number above the last `shift` bits of the address. As in the reference, a negative number is inserted
    /// in two's complement and the sign of the result is dropped.
    fn with(self, whole: Whole, shift: u32) -> Option<u128> {
        let shifted = match whole.magnitude {
            0 => 0,
            magnitude if magnitude.leading_zeros() >= shift => magnitude << shift,
            _ => return None,
        };
        let address = if whole.negative {
            (self.address | shifted.wrapping_neg()).wrapping_neg()
        } else {
            self.address | shifted
        };
        (address <= u128::MAX >> (128 - self.width)).then_some(address)
    }

    /// Returns true for an IPv4-mapped IPv6 address.
    fn is_mapped(self) -> bool {
        self.width == 128 && (MAPPED.0..=MAPPED.1).contains(&self.address)
    }

    fn address(self) -> String {
        match self.address {
            address if self.width == 32 => Ipv4Addr::from_bits(address as u32).to_string(),
            address if self.is_mapped() => Ipv4Addr::from_bits(address as u32).to_string(),
            address => Ipv6Addr::from_bits(address).to_string(),
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = if self.is_mapped() { self.length.saturating_sub(96) } else { self.length };
        write!(f, "{}/{length}", self.address())
    }
}

/// Removes leading zeros from decimal parts, which the reference accepts and the standard library rejects.
fn without_leading_zeros(address: &str) -> String {
    let parts = address.split_inclusive(['.', ':']).map(|part| {
        let digits = part.trim_end_matches(['.', ':']);
        let kept = digits.trim_start_matches('0');
        let kept = if kept.is_empty() && !digits.is_empty() { "0" } else { kept };
        format!("{kept}{}", &part[digits.len()..])
    });
    parts.collect()
}

/// A whole number, positive or negative, with at most as many bits as an address.
#[derive(Clone, Copy)]
struct Whole {
    negative: bool,
    magnitude: u128,
}

impl Whole {
    fn argument(args: &[Value], at: usize, rules: Rules) -> Result<Self, Error> {
        if rules == Rules::GoCtyFuncs {
            let number = integer(args, at)?;
            return Ok(Self { negative: number < 0, magnitude: number.unsigned_abs().into() });
        }
        let number: &Number = number(args, at)?;
        if !number.is_integer() {
            return Err(wrong(at, "a whole number is required"));
        }
        let magnitude = number.abs().to_string().parse();
        let magnitude = magnitude.map_err(|_| wrong(at, "the number does not fit in an IP address"))?;
        Ok(Self { negative: number.signum() < 0, magnitude })
    }
}

fn prefix(args: &[Value], rules: Rules) -> Result<Prefix, Error> {
    let text = text(args, 0);
    Prefix::read(text, rules)
        .ok_or_else(|| wrong(0, format!("{text:?} is not a valid CIDR prefix, such as 10.0.0.0/8")))
}

fn prefix_parameter() -> Parameter {
    Parameter::new("prefix", Type::String)
        .with_description("An IP prefix in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`.")
}

pub(crate) fn cidrhost(rules: Rules) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        let (prefix, host) = (prefix(args, rules)?, Whole::argument(args, 1, rules)?);
        let bits = prefix.width - prefix.length;
        let room = 1_u128.checked_shl(bits);
        let fits = |number: u128| room.is_none_or(|room| number < room);
        let host_bits = match host {
            Whole { negative: false, magnitude } if fits(magnitude) => magnitude,
            // A negative number counts from the end of the network.
            Whole { negative: true, magnitude } if magnitude > 0 && fits(magnitude - 1) => {
                !prefix.mask() & (u128::MAX >> (128 - prefix.width)) & magnitude.wrapping_neg()
            }
            _ => {
                return Err(wrong(
                    1,
                    format!("a prefix of {} bits does not accommodate a host with this number", prefix.length),
                ));
            }
        };
        Ok(Value::from(Prefix { address: prefix.address | host_bits, ..prefix }.address()))
    })
    .with_description(
        "Calculates the IP address of a host within an IP prefix. A negative host number counts from the end of the range.",
    )
    .with_parameter(prefix_parameter())
    .with_parameter(Parameter::new("hostnum", Type::Number).with_description("The number of the host within the prefix."))
    .with_refined_result(not_null)
    .with_example(r#"cidrhost("10.12.112.0/20", 16)"#, r#""10.12.112.16""#)
    .with_example(r#"cidrhost("fd00:fd12:3456:7890::/72", 34)"#, r#""fd00:fd12:3456:7890::22""#)
}

pub(crate) fn cidrnetmask(rules: Rules) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        let prefix = prefix(args, rules)?;
        // The mask of an IPv4-mapped IPv6 address is IPv4-mapped, too.
        if rules == Rules::Terraform && prefix.width != 32 && !prefix.is_mapped() {
            return Err(wrong(0, "only IPv4 networks have netmasks"));
        }
        Ok(Value::from(Prefix { address: prefix.mask(), ..prefix }.address()))
    })
    .with_description("Converts an IPv4 prefix in CIDR notation to a subnet mask.")
    .with_parameter(prefix_parameter())
    .with_refined_result(not_null)
    .with_example(r#"cidrnetmask("172.16.0.0/12")"#, r#""255.240.0.0""#)
}

pub(crate) fn cidrsubnet(rules: Rules) -> Function {
    Function::unnamed(Type::String, move |args, _| {
        let (prefix, bits, subnet) =
            (prefix(args, rules)?, integer(args, 1)?, Whole::argument(args, 2, rules)?);
        if rules == Rules::GoCtyFuncs && bits > 32 {
            return Err(wrong(1, "a prefix must be extended by at most 32 bits"));
        }
        let length = i64::from(prefix.length).checked_add(bits).and_then(|length| u32::try_from(length).ok());
        let length = length.filter(|length| *length <= prefix.width).ok_or_else(|| {
            wrong(
                1,
                format!("not enough address bits to extend a prefix of {} bits by {bits}", prefix.length),
            )
        })?;
        let fits = match u32::try_from(bits) {
            Ok(_) if rules == Rules::GoCtyFuncs && subnet.negative => false,
            Ok(bits) => 1_u128.checked_shl(bits).is_none_or(|room| subnet.magnitude < room),
            // With fewer bits than the prefix has, the number goes into the prefix itself.
            Err(_) => true,
        };
        let address = prefix.with(subnet, prefix.width - length).filter(|_| fits);
        let address = address.ok_or_else(|| {
            wrong(
                2,
                format!("a prefix extended by {bits} bits does not accommodate a subnet with this number"),
            )
        })?;
        Ok(Value::from(Prefix { address, length, ..prefix }.to_string()))
    })
    .with_description("Calculates a subnet address within an IP prefix.")
    .with_parameter(prefix_parameter())
    .with_parameter(
        Parameter::new("newbits", Type::Number)
            .with_description("The number of bits to extend the prefix by."),
    )
    .with_parameter(
        Parameter::new("netnum", Type::Number)
            .with_description("The number of the subnet, which fills the additional bits."),
    )
    .with_refined_result(not_null)
    .with_example(r#"cidrsubnet("10.0.0.0/8", 8, 2)"#, r#""10.2.0.0/16""#)
    .with_example(r#"cidrsubnet("fd00:fd12:3456:7890::/56", 16, 162)"#, r#""fd00:fd12:3456:7800:a200::/72""#)
}

pub(crate) fn cidrsubnets(rules: Rules) -> Function {
    Function::unnamed(Type::list(Type::String), move |args, _| {
        let prefix = prefix(args, rules)?;
        if prefix.address == 0 && args.len() > 1 {
            return Err(wrong(0, "a prefix that starts at address zero is not supported"));
        }
        let end = prefix.address | (!prefix.mask() & (u128::MAX >> (128 - prefix.width)));
        let mut next = Some(prefix.address);
        let mut subnets = Vec::with_capacity(args.len());
        for at in 1..args.len() {
            let bits = u32::try_from(integer(args, at)?).ok().filter(|bits| (1..=32).contains(bits));
            let bits = bits.ok_or_else(|| wrong(at, "a prefix must be extended by 1 to 32 bits"))?;
            let length = prefix.length + bits;
            if length > prefix.width {
                return Err(wrong(at, format!("not enough address bits for a prefix of {length} bits")));
            }
            // Previous subnets may end inside a block of this subnet's size.
            let size = 1_u128.checked_shl(prefix.width - length).unwrap_or(0);
            let start = next.and_then(|next| next.checked_next_multiple_of(size));
            let start = start.filter(|start| *start <= end && end - start >= size - 1);
            let start =
                start.ok_or_else(|| wrong(at, "not enough remaining address space for this subnet"))?;
            subnets.push(Value::from(Prefix { address: start, length, ..prefix }.to_string()));
            next = start.checked_add(size);
        }
        Ok(Value::list_of(Type::String, subnets)?)
    })
    .with_description("Calculates a sequence of consecutive subnet addresses within an IP prefix.")
    .with_parameter(prefix_parameter())
    .with_variadic(
        Parameter::new("newbits", Type::Number)
            .with_description("The number of bits to extend the prefix by, for each subnet."),
    )
    .with_refined_result(not_null)
    .with_example(
        r#"cidrsubnets("10.1.0.0/16", 4, 4, 8)"#,
        r#"tolist(["10.1.0.0/20", "10.1.16.0/20", "10.1.32.0/24"])"#,
    )
}

pub(crate) fn cidrcontains(rules: Rules) -> Function {
    Function::unnamed(Type::Bool, move |args, _| {
        let (network, inner) = (prefix(args, rules)?.unmapped(), text(args, 1));
        let inner =
            if inner.contains('/') { Prefix::read(inner, rules) } else { Prefix::read_address(inner, rules) };
        let inner = inner
            .map(Prefix::unmapped)
            .ok_or_else(|| wrong(1, "a valid IP address or CIDR prefix is required"))?;
        if inner.width != network.width {
            return Err(wrong(
                1,
                "an IPv4 address is never in an IPv6 network, nor an IPv6 address in an IPv4 network",
            ));
        }
        let is_inside = inner.length >= network.length && inner.address & network.mask() == network.address;
        Ok(Value::from(is_inside))
    })
    .with_description("Returns whether a network contains an IP address, or all of another network.")
    .with_parameter(
        Parameter::new("containing_prefix", Type::String).with_description("The network in CIDR notation."),
    )
    .with_parameter(
        Parameter::new("contained_ip_or_prefix", Type::String)
            .with_description("The address, or the other network in CIDR notation."),
    )
    .with_example(r#"cidrcontains("192.168.0.0/16", "192.168.2.1")"#, "true")
    .with_example(r#"cidrcontains("192.168.0.0/16", "192.0.0.0/8")"#, "false")
}
