//! The time formats of Packer's legacy templates: layouts of Go's `time` package and formats of C's `strftime`.

use crate::datetime::Timestamp;

/// The parts of Go's reference time and the `formatdate` verbs for them. The first match is used, so longer parts come
/// first. All times are in UTC, so that offsets are constant.
const EXAMPLES: [(&str, Part); 36] = [
    ("January", Part::Verb("MMMM")),
    ("Jan", Part::Verb("MMM")),
    ("Monday", Part::Verb("EEEE")),
    ("Mon", Part::Verb("EEE")),
    ("MST", Part::Text("UTC")),
    ("2006", Part::Verb("YYYY")),
    ("002", Part::DayOfYear),
    ("01", Part::Verb("MM")),
    ("02", Part::Verb("DD")),
    ("03", Part::Verb("HH")),
    ("04", Part::Verb("mm")),
    ("05", Part::Verb("ss")),
    ("06", Part::Verb("YY")),
    ("15", Part::Verb("hh")),
    ("__2", Part::Padded(3)),
    ("_2006", Part::Underscored),
    ("_2", Part::Padded(2)),
    ("1", Part::Verb("M")),
    ("2", Part::Verb("D")),
    ("3", Part::Verb("H")),
    ("4", Part::Verb("m")),
    ("5", Part::Verb("s")),
    ("PM", Part::Verb("AA")),
    ("pm", Part::Verb("aa")),
    ("-07:00:00", Part::Text("+00:00:00")),
    ("-070000", Part::Text("+000000")),
    ("-07:00", Part::Text("+00:00")),
    ("-0700", Part::Text("+0000")),
    ("-07", Part::Text("+00")),
    ("Z07:00:00", Part::Text("Z")),
    ("Z070000", Part::Text("Z")),
    ("Z07:00", Part::Text("Z")),
    ("Z0700", Part::Text("Z")),
    ("Z07", Part::Text("Z")),
    (".000", Part::Text(".000")),
    (".00", Part::Text(".00")),
];

#[derive(Clone, Copy)]
enum Part {
    /// A verb of `formatdate`.
    Verb(&'static str),
    Text(&'static str),
    DayOfYear,
    /// The day of the year in three columns, or the day of the month in two, padded with spaces.
    Padded(usize),
    /// The year after an underscore.
    Underscored,
}

impl Part {
    fn of(self, time: Timestamp) -> String {
        match self {
            Self::Verb(verb) => time.part(verb),
            Self::Text(text) => text.to_owned(),
            Self::DayOfYear => format!("{:03}", time.day_of_year()),
            Self::Padded(3) => format!("{:>3}", time.day_of_year()),
            Self::Padded(width) => format!("{:>width$}", time.part("D")),
            Self::Underscored => format!("_{}", time.part("YYYY")),
        }
    }
}

/// Formats a time by a layout of Go's `time` package, which shows how to write January 2, 2006 at 15:04:05.
pub(super) fn by_example(time: Timestamp, layout: &str) -> String {
    let mut out = String::new();
    let mut rest = layout;
    while let Some(sign) = rest.chars().next() {
        // "Jan" and "Mon" are plain text if lowercase letters follow, as in "Janitor".
        let fits = |(example, _): &&(&str, Part)| {
            rest.strip_prefix(*example).is_some_and(|after| {
                !(matches!(*example, "Jan" | "Mon")
                    && after.starts_with(|next: char| next.is_ascii_lowercase()))
            })
        };
        if let Some((example, part)) = EXAMPLES.iter().find(fits) {
            out.push_str(&part.of(time));
            rest = &rest[example.len()..];
        } else {
            out.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
    }
    out
}

/// Formats a time by a format of `strftime`. A `%` before an unknown letter is kept.
pub(super) fn by_letters(time: Timestamp, format: &str) -> String {
    let mut out = String::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        if sign != '%' {
            out.push(sign);
            continue;
        }
        let part = match signs.next() {
            Some('a') => Part::Verb("EEE"),
            Some('A') => Part::Verb("EEEE"),
            Some('b' | 'h') => Part::Verb("MMM"),
            Some('B') => Part::Verb("MMMM"),
            Some('d') => Part::Verb("DD"),
            Some('H') => Part::Verb("hh"),
            Some('I') => Part::Verb("HH"),
            Some('j') => Part::DayOfYear,
            Some('L') => Part::Text("000"),
            Some('f') => Part::Text("000000"),
            Some('m') => Part::Verb("MM"),
            Some('M') => Part::Verb("mm"),
            Some('p') => Part::Verb("AA"),
            Some('S') => Part::Verb("ss"),
            Some('y') => Part::Verb("YY"),
            Some('Y') => Part::Verb("YYYY"),
            Some('z') => Part::Text("+0000"),
            Some('Z') => Part::Text("UTC"),
            Some('%') => Part::Text("%"),
            Some('F') => {
                out.push_str(&by_letters(time, "%Y-%m-%d"));
                continue;
            }
            Some('T') => {
                out.push_str(&by_letters(time, "%H:%M:%S"));
                continue;
            }
            other => {
                out.push('%');
                out.extend(other);
                continue;
            }
        };
        out.push_str(&part.of(time));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{by_example, by_letters};
    use crate::datetime::Timestamp;

    #[test]
    fn go_layouts() {
        let time = Timestamp::from_unix(1_700_000_000);
        for (layout, wanted) in [
            ("2006-01-02T15:04:05Z07:00", "2023-11-14T22:13:20Z"),
            ("Mon Jan _2 15:04:05 MST 2006", "Tue Nov 14 22:13:20 UTC 2023"),
            ("Monday, 02-Jan-06 3:04PM -0700", "Tuesday, 14-Nov-23 10:13PM +0000"),
            ("January 2, 002", "November 14, 318"),
            ("Janitor", "Janitor"),
        ] {
            assert_eq!(by_example(time, layout), wanted, "{layout}");
        }
    }

    #[test]
    fn strftime_formats() {
        let time = Timestamp::from_unix(1_700_000_000);
        assert_eq!(
            by_letters(time, "%Y-%m-%d %H:%M:%S %% %a %B %j %p %q %"),
            "2023-11-14 22:13:20 % Tue November 318 PM %q %"
        );
    }
}
