//! The guide: its links, its first chapter as a user follows it, and its code in Go.

mod go;
mod links;
mod start;
