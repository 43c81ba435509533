//! Recovery: what the parser remembers about earlier errors, and thus which further errors to report. An error puts the
//! parser into recovery until `sync.rs` finds a place to continue. After that it is in doubt until it has read something
//! well-formed.

use crate::token::TokenKind as T;

/// How far the parser trusts what it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// There was no error, or the parser has read something well-formed since then.
    Sure,
    /// The parser continues after an error but has not read anything well-formed yet: errors may be consequences.
    Doubtful,
    /// An error was reported, and the parser has not found a place to continue yet.
    Recovering,
}

/// Findings of the lexer that make some errors of the parser mere consequences.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextErrors {
    /// The source ends in an unclosed string, heredoc or comment. Other unclosed constructs are consequences.
    pub(crate) unclosed_at_end: bool,
    /// A quoted string contains a line break, so that braces may be read as text, or text as braces.
    pub(crate) line_break_in_string: bool,
}

/// What earlier errors and the open constructs say about an error: whether it is reported or a consequence.
pub(super) struct Recovery {
    state: State,
    text_errors: TextErrors,
    /// An opening brace may be missing or skipped, so that an extra closing brace may be a consequence.
    extra_closer: bool,
    /// The number of open blocks, from the outermost, whose closing brace may have been skipped, so that a missing one
    /// may be a consequence.
    missing_closers: usize,
    reported_too_deep: bool,
    /// A conflict marker was reported, and the end of the conflict was not reached yet.
    in_conflict: bool,
    /// The closing brackets that the open constructs expect.
    pub(super) closers: Closers,
    /// The number of open blocks, and the first token of the innermost one.
    open_blocks: usize,
    innermost_block: Option<u32>,
}

impl Recovery {
    pub(super) fn new(text_errors: TextErrors) -> Self {
        Self {
            state: State::Sure,
            text_errors,
            extra_closer: text_errors.line_break_in_string,
            missing_closers: 0,
            reported_too_deep: false,
            in_conflict: false,
            closers: Closers::default(),
            open_blocks: 0,
            innermost_block: None,
        }
    }

    /// Returns true between an error and the place where parsing continues.
    #[inline]
    pub(super) fn is_recovering(&self) -> bool {
        self.state == State::Recovering
    }

    /// Returns true if errors are not reported, because they may be consequences of an earlier one.
    #[inline]
    pub(super) fn is_silent(&self) -> bool {
        self.state != State::Sure
    }

    /// Starts recovery, either after an error was reported or to prevent one from being reported.
    pub(super) fn start(&mut self) {
        self.state = State::Recovering;
    }

    pub(super) fn start_if(&mut self, condition: bool) {
        if condition {
            self.start();
        }
    }

    /// Ends recovery: the parser continues here. Nothing follows the end of the text, so recovery does not end there.
    #[inline]
    pub(super) fn end(&mut self, at: T) {
        if at != T::Eof {
            self.state = self.state.min(State::Doubtful);
        }
    }

    /// Ends recovery after skipping to the end of an element or of its brackets, unless that was not found.
    pub(super) fn synced(&mut self, lost: bool, skipped_some: bool) {
        self.state = match self.state {
            _ if lost => State::Recovering,
            State::Doubtful | State::Recovering if skipped_some => State::Doubtful,
            _ => State::Sure,
        };
    }

    /// Ends recovery and doubt: errors from here on are reported again.
    #[inline]
    pub(super) fn end_surely(&mut self, at: T) {
        if at != T::Eof || self.state == State::Doubtful {
            self.state = State::Sure;
        }
    }

    /// Does not report the next error: it may be a consequence.
    pub(super) fn doubt_if(&mut self, condition: bool) {
        if condition {
            self.state = self.state.max(State::Doubtful);
        }
    }

    /// Ends doubt, because something well-formed follows or was read.
    #[inline]
    pub(super) fn end_doubt(&mut self) {
        if self.state == State::Doubtful {
            self.state = State::Sure;
        }
    }

    /// Notes that a closing brace may be left over.
    pub(super) fn allow_extra_closer(&mut self, condition: bool) {
        self.extra_closer |= condition;
    }

    /// Returns true if an extra closing bracket is a consequence, once.
    pub(super) fn take_extra_closer(&mut self) -> bool {
        std::mem::take(&mut self.extra_closer)
    }

    /// Notes that the closing braces of all open blocks may have been skipped.
    pub(super) fn allow_missing_closers(&mut self) {
        self.missing_closers = self.open_blocks;
    }

    /// Returns true if it is a consequence that the innermost open block is not closed.
    pub(super) fn allows_missing_closer(&self) -> bool {
        self.text_errors.line_break_in_string || self.missing_closers >= self.open_blocks
    }

    /// Returns true if any brace may be part of a text.
    pub(super) fn braces_may_be_text(&self) -> bool {
        self.text_errors.line_break_in_string
    }

    /// Returns true if an error at a token is a consequence of a text that is not closed before the end.
    pub(super) fn follows_unclosed_text(&self, at: T) -> bool {
        at == T::Eof && self.text_errors.unclosed_at_end
    }

    /// Returns the first token of the block around it, for [`close_block`](Self::close_block).
    pub(super) fn open_block(&mut self, header: u32) -> Option<u32> {
        self.closers.open(T::CloseBrace);
        self.open_blocks += 1;
        self.innermost_block.replace(header)
    }

    pub(super) fn close_block(&mut self, around: Option<u32>) {
        self.closers.close(T::CloseBrace);
        self.open_blocks -= 1;
        self.innermost_block = around;
        self.missing_closers = self.missing_closers.min(self.open_blocks);
    }

    /// The first token of the innermost open block.
    pub(super) fn innermost_block(&self) -> Option<u32> {
        self.innermost_block
    }

    /// Starts recovery if nesting was reported as too deep before: deeper constructs are consequences.
    pub(super) fn enter_too_deep(&mut self) {
        let reported = std::mem::replace(&mut self.reported_too_deep, true);
        self.start_if(reported);
    }

    /// Starts recovery at the second and third marker of a conflict, because the first one was reported.
    pub(super) fn enter_conflict_marker(&mut self, is_last: bool) {
        let reported = std::mem::replace(&mut self.in_conflict, !is_last);
        self.start_if(reported);
    }

    /// Returns true between the markers of a conflict.
    pub(super) fn is_in_conflict(&self) -> bool {
        self.in_conflict
    }
}

/// The number of open constructs that expect each kind of closing bracket.
#[derive(Default)]
pub(super) struct Closers([u32; 6]);

impl Closers {
    fn slot(closer: T) -> usize {
        match closer {
            T::CloseBrace => 0,
            T::CloseBracket => 1,
            T::CloseParen => 2,
            T::CloseQuote => 3,
            T::CloseHeredoc => 4,
            _ => 5,
        }
    }

    #[inline]
    pub(super) fn open(&mut self, closer: T) {
        self.0[Self::slot(closer)] += 1;
    }

    #[inline]
    pub(super) fn close(&mut self, closer: T) {
        self.0[Self::slot(closer)] -= 1;
    }

    pub(super) fn expects(&self, closer: T) -> bool {
        self.0[Self::slot(closer)] > 0
    }
}
