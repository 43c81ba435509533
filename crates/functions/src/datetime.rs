//! `formatdate` and `timeadd`, with a strict parser for RFC 3339 timestamps.

use std::fmt::Write;

use hclkit_value::{Function, Parameter, Type, Value, parse_duration};

use crate::arguments::{not_null, text, wrong};

pub(crate) fn formatdate() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let timestamp = Timestamp::parse(text(args, 1)).map_err(|why| wrong(1, why))?;
        let formatted = timestamp.format(text(args, 0)).map_err(|why| wrong(0, why))?;
        Ok(Value::from(formatted))
    })
    .with_description("Formats a timestamp.")
    .with_parameter(
        Parameter::new("format", Type::String)
            .with_description("The format: YYYY, MM, DD, hh, mm, ss, ZZZZ and similar sequences are replaced by parts of the timestamp."),
    )
    .with_parameter(Parameter::new("time", Type::String).with_description("A timestamp in RFC 3339 format."))
    .with_refined_result(not_null)
    .with_example(r#"formatdate("DD MMM YYYY hh:mm ZZZ", "2018-01-02T23:12:01Z")"#, r#""02 Jan 2018 23:12 UTC""#)
}

pub(crate) fn timeadd() -> Function {
    Function::unnamed(Type::String, |args, _| {
        let timestamp = Timestamp::parse(text(args, 0)).map_err(|why| wrong(0, why))?;
        let duration = parse_duration(text(args, 1)).map_err(|why| why.within(1.into()))?;
        Ok(Value::from(timestamp.add(duration).rfc3339()))
    })
    .with_description("Adds a duration to a timestamp.")
    .with_parameter(
        Parameter::new("timestamp", Type::String).with_description("A timestamp in RFC 3339 format."),
    )
    .with_parameter(
        Parameter::new("duration", Type::String).with_description(
            "The duration, such as `1h30m` or `-15m`. The units are h, m, s, ms, us and ns.",
        ),
    )
    .with_example(r#"timeadd("2017-11-22T00:00:00Z", "1h10m")"#, r#""2017-11-22T01:10:00Z""#)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const NANOSECONDS: i64 = 1_000_000_000;
const DAY: i64 = 86_400;

/// A local time with its offset from UTC.
#[derive(Clone, Copy)]
pub(crate) struct Timestamp {
    /// Seconds since 1970 in local time, not in UTC.
    seconds: i64,
    nanoseconds: i64,
    /// Offset from UTC in seconds, positive to the east.
    offset: i64,
}

/// Returns the number of days from 1970 to a date of the Gregorian calendar. Years are counted from March, so that a
/// leap day is the last day of its year.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Returns the date that is `days` days after 1970: the inverse of [`days_before`].
fn date_after(days: i64) -> (i64, i64, i64) {
    let (era, day) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_before(next_year, next, 1) - days_before(year, month, 1)
}

/// Reads text from left to right.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    /// Describes the position in the text, for errors.
    fn place(&self) -> String {
        if self.0.is_empty() { "at the end".to_owned() } else { format!("at {:?}", self.0) }
    }

    /// Reads a number with exactly `digits` digits in a range.
    fn number(&mut self, digits: usize, what: &str, from: i64, to: i64) -> Result<i64, String> {
        let number = self.0.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|text| text.parse().ok()).filter(|number| (from..=to).contains(number));
        let number = number.ok_or_else(|| format!("expected {digits} digits of {what} {}", self.place()))?;
        self.0 = &self.0[digits..];
        Ok(number)
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        self.0 = self.0.strip_prefix(sign).ok_or_else(|| format!("expected {sign:?} {}", self.place()))?;
        Ok(())
    }

    /// Reads the digits after a decimal point, as nanoseconds.
    fn fraction(&mut self) -> i64 {
        let Some(digits) = self.0.strip_prefix('.') else { return 0 };
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if end == 0 {
            return 0;
        }
        self.0 = &digits[end..];
        let digits = digits[..end].bytes().chain(std::iter::repeat(b'0')).take(9);
        digits.fold(0, |value, digit| value * 10 + i64::from(digit - b'0'))
    }
}

impl Timestamp {
    /// Parses an RFC 3339 timestamp.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Self::read(&mut Reader(text)).map_err(|why| format!("not a valid RFC 3339 timestamp: {why}"))
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, String> {
        let year = reader.number(4, "the year", 0, 9999)?;
        reader.expect('-')?;
        let month = reader.number(2, "the month", 1, 12)?;
        reader.expect('-')?;
        let day = reader.number(2, "the day", 1, days_of_month(year, month))?;
        reader.expect('T')?;
        let hour = reader.number(2, "the hour", 0, 23)?;
        reader.expect(':')?;
        let minute = reader.number(2, "the minute", 0, 59)?;
        reader.expect(':')?;
        let second = reader.number(2, "the second", 0, 59)?;
        let nanoseconds = reader.fraction();
        let sign = reader.0.chars().next();
        let offset = match sign {
            Some('Z') => {
                reader.expect('Z')?;
                0
            }
            Some(sign @ ('+' | '-')) => {
                reader.expect(sign)?;
                let hours = reader.number(2, "the offset's hours", 0, 23)?;
                reader.expect(':')?;
                let minutes = reader.number(2, "the offset's minutes", 0, 59)?;
                (hours * 3_600 + minutes * 60) * if sign == '-' { -1 } else { 1 }
            }
            _ => return Err(format!("expected a UTC offset {}", reader.place())),
        };
        if !reader.0.is_empty() {
            return Err(format!("unexpected text {:?} after the timestamp", reader.0));
        }
        let seconds = days_before(year, month, day) * DAY + hour * 3_600 + minute * 60 + second;
        Ok(Self { seconds, nanoseconds, offset })
    }

    /// Creates a UTC time from the seconds since 1970.
    pub(crate) fn from_unix(seconds: i64) -> Self {
        Self { seconds, nanoseconds: 0, offset: 0 }
    }

    /// Formats the part of the time that a verb of `formatdate` selects. Returns an empty string if the verb is
    /// unknown.
    pub(crate) fn part(self, verb: &str) -> String {
        let mut out = String::new();
        // Nothing is written for an unknown verb.
        let _ = self.write_part(verb, &mut out);
        out
    }

    /// The day of the year, starting at 1.
    pub(crate) fn day_of_year(self) -> i64 {
        let days = self.seconds.div_euclid(DAY);
        let (year, ..) = date_after(days);
        days - days_before(year, 1, 1) + 1
    }

    /// The day of the week; Sunday is 0.
    pub(crate) fn weekday(self) -> i64 {
        (self.seconds.div_euclid(DAY) + 4).rem_euclid(7)
    }

    /// The ISO 8601 year and week: a week begins on Monday and belongs to the year that contains its Thursday.
    pub(crate) fn iso_week(self) -> (i64, i64) {
        let days = self.seconds.div_euclid(DAY);
        let thursday = days - (days + 3).rem_euclid(7) + 3;
        let (year, ..) = date_after(thursday);
        (year, (thursday - days_before(year, 1, 1)) / 7 + 1)
    }

    /// The seconds and nanoseconds since 1970 in UTC, to compare times with different offsets.
    pub(crate) fn instant(self) -> (i64, i64) {
        (self.seconds - self.offset, self.nanoseconds)
    }

    /// Adds nanoseconds to the time.
    pub(crate) fn add(self, nanoseconds: i64) -> Self {
        let sum = self.nanoseconds + nanoseconds % NANOSECONDS;
        let seconds = self.seconds + nanoseconds / NANOSECONDS + sum.div_euclid(NANOSECONDS);
        Self { seconds, nanoseconds: sum.rem_euclid(NANOSECONDS), ..self }
    }

    /// Formats the timestamp as RFC 3339, in whole seconds.
    pub(crate) fn rfc3339(self) -> String {
        let (year, month, day) = date_after(self.seconds.div_euclid(DAY));
        let time = self.seconds.rem_euclid(DAY);
        let mut out = String::new();
        if year < 0 {
            out.push('-');
        }
        let (year, hour, minute, second) = (year.abs(), time / 3_600, time / 60 % 60, time % 60);
        let _ = write!(out, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        if self.offset == 0 {
            out.push('Z');
        } else {
            self.write_offset(":", &mut out);
        }
        out
    }

    fn write_offset(self, separator: &str, out: &mut String) {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        let _ = write!(out, "{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60);
    }

    /// Formats the timestamp. A run of one letter is a verb, text in single quotes is copied, and a doubled quote is
    /// one quote.
    fn format(self, format: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = format;
        while let Some(c) = rest.chars().next() {
            if c == '\'' {
                rest = quoted(&rest[1..], &mut out)?;
                continue;
            }
            if !c.is_ascii_alphabetic() {
                out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let length = rest.bytes().take_while(|byte| *byte == c as u8).count();
            self.write_part(&rest[..length], &mut out)?;
            rest = &rest[length..];
        }
        Ok(out)
    }

    fn write_part(self, verb: &str, out: &mut String) -> Result<(), String> {
        let (year, month, day) = date_after(self.seconds.div_euclid(DAY));
        let time = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        let on_clock = (hour + 11) % 12 + 1;
        let month_name = MONTHS[month as usize - 1];
        let day_name = DAYS[self.weekday() as usize];
        let _ = match verb {
            "YYYY" => write!(out, "{year:04}"),
            "YY" => write!(out, "{:02}", year % 100),
            "MMMM" => write!(out, "{month_name}"),
            "MMM" => write!(out, "{}", &month_name[..3]),
            "MM" => write!(out, "{month:02}"),
            "M" => write!(out, "{month}"),
            "DD" => write!(out, "{day:02}"),
            "D" => write!(out, "{day}"),
            "EEEE" => write!(out, "{day_name}"),
            "EEE" => write!(out, "{}", &day_name[..3]),
            "hh" => write!(out, "{hour:02}"),
            "h" => write!(out, "{hour}"),
            "HH" => write!(out, "{on_clock:02}"),
            "H" => write!(out, "{on_clock}"),
            "AA" => write!(out, "{}", if hour < 12 { "AM" } else { "PM" }),
            "aa" => write!(out, "{}", if hour < 12 { "am" } else { "pm" }),
            "mm" => write!(out, "{minute:02}"),
            "m" => write!(out, "{minute}"),
            "ss" => write!(out, "{second:02}"),
            "s" => write!(out, "{second}"),
            "ZZZ" if self.offset == 0 => write!(out, "UTC"),
            "Z" if self.offset == 0 => write!(out, "Z"),
            "ZZZ" | "ZZZZ" => {
                self.write_offset("", out);
                Ok(())
            }
            "Z" | "ZZZZZ" => {
                self.write_offset(":", out);
                Ok(())
            }
            _ => return Err(format!("unsupported format verb {verb:?}")),
        };
        Ok(())
    }
}

/// Writes text up to the closing quote and returns the rest.
fn quoted<'a>(text: &'a str, out: &mut String) -> Result<&'a str, String> {
    if let Some(rest) = text.strip_prefix('\'') {
        out.push('\'');
        return Ok(rest);
    }
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('\'').ok_or("unterminated quoted text")?;
        out.push_str(part);
        let Some(after) = after.strip_prefix('\'') else { return Ok(after) };
        out.push('\'');
        if after.is_empty() {
            // Like the reference, treat a doubled quote at the very end as the closing quote.
            return Ok(after);
        }
        rest = after;
    }
}
