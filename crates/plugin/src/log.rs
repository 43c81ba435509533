//! Log lines on standard error: one JSON object for each, as hclog writes them. Terraform shows them with `TF_LOG`.

use std::io::Write as _;
use std::panic::PanicHookInfo;

use serde_json::json;
use time::OffsetDateTime;

/// Levels of log lines.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

impl Level {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// Writes a line.
pub(crate) fn log(level: Level, message: &str) {
    let line = line(level, message, OffsetDateTime::now_utc());
    // If standard error is closed, nobody reads the log.
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

fn line(level: Level, message: &str, now: OffsetDateTime) -> String {
    let (year, month, day) = now.to_calendar_date();
    let (hour, minute, second, micros) = now.to_hms_micro();
    let month = u8::from(month);
    let timestamp = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z");
    let object = json!({
        "@level": level.as_str(),
        "@message": message,
        "@module": "plugin",
        "@timestamp": timestamp,
    });
    format!("{object}\n")
}

/// Reports a panic by its place only: its message may contain values.
pub(crate) fn panicked(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
    log(Level::Error, &format!("panic{place}; this is a bug"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_json_object_in_the_format_of_hclog() {
        let line = line(Level::Warn, "two\nlines", OffsetDateTime::UNIX_EPOCH);
        let expected = concat!(
            r#"{"@level":"warn","@message":"two\nlines","@module":"plugin","#,
            r#""@timestamp":"1970-01-01T00:00:00.000000Z"}"#,
            "\n"
        );
        assert_eq!(line, expected);
    }
}
