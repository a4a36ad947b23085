//! Every sentence the turn says to a model or a person, in one place.

use crate::protocol::call::{Bound, DenialReason, TurnViolation};
use crate::protocol::event::StopReason;
use crate::protocol::text::{cap, echo, join};

/// The person's own words about a denial, in code points.
const NOTE_CODE_POINTS: usize = 500;
/// Tool names listed for a model that called one that does not exist.
const NAMES_LISTED: usize = 20;

pub(super) fn unknown_tool(name: &str, known: &[&str]) -> String {
    let mut listed = String::new();
    for name in known.iter().take(NAMES_LISTED) {
        listed.push_str(if listed.is_empty() { "`" } else { ", `" });
        listed.push_str(name);
        listed.push('`');
    }
    let more = known.len().saturating_sub(NAMES_LISTED);
    match (known.is_empty(), more) {
        (true, _) => format!("no tool is named `{}`; this turn offers no tools", echo(name)),
        (false, 0) => format!("no tool is named `{}`; the tools are {listed}", echo(name)),
        (false, more) => format!("no tool is named `{}`; the tools are {listed} and {more} more", echo(name)),
    }
}

pub(super) fn invalid_arguments(issues: &[String]) -> String {
    format!("the input was refused, nothing was run: {}", join(issues, "; "))
}

pub(super) fn declined(note: Option<&str>) -> String {
    match note {
        None => "not run: the user declined this call".to_owned(),
        Some(note) => format!("not run: the user declined this call and said: \"{}\"", crate::protocol::text::escape(note)),
    }
}

pub(super) fn note(reason: &str) -> Option<String> {
    let shown = cap(&crate::protocol::text::visible(reason.trim()), NOTE_CODE_POINTS);
    (!shown.is_empty()).then_some(shown)
}

pub(super) fn denied(reason: DenialReason) -> &'static str {
    match reason {
        DenialReason::UserDeclined => "not run: the user declined this call",
        DenialReason::TurnCancelled => "not run: the turn was stopped before this call began",
        DenialReason::LimitExceeded => "not run: the turn reached one of its bounds",
        DenialReason::Unauthorized => "not run: the user lacks the right to do this",
        DenialReason::ApprovalExpired => "not run: nobody approved it in time",
        DenialReason::Superseded => "not run: the user wrote a new message instead of deciding",
        DenialReason::BatchRefused => "not run: another request of the same batch was malformed",
    }
}

pub(super) fn lacks_scopes(scopes: &[&str]) -> String {
    let mut missing = String::new();
    for scope in scopes {
        missing.push_str(if missing.is_empty() { "" } else { ", " });
        missing.push_str(&echo(scope));
    }
    format!("not run: the user lacks the right to do this (missing: {missing})")
}

pub(super) fn declined_before() -> String {
    "not run: the user declined exactly this call earlier in this turn".to_owned()
}

pub(super) fn too_many_in_message(max: u64) -> String {
    format!("not run: one message may open at most {max} calls")
}

pub(super) fn too_many_in_turn(max: u64) -> String {
    format!("not run: one turn may open at most {max} calls")
}

pub(super) fn too_many_of_tool(name: &str, max: u64) -> String {
    format!("not run: `{}` may be called at most {max} times in one turn", echo(name))
}

pub(super) fn repeated(times: u64) -> String {
    format!("not run: the same call gave the same result {times} times in a row")
}

pub(super) const INTERRUPTED: &str = "interrupted: the turn was stopped while this call ran; nothing of it was committed";
pub(super) const TIMED_OUT: &str = "interrupted: the call took too long; nothing of it was committed";
pub(super) const OUTCOME_UNKNOWN: &str =
    "outcome unknown: the call was cut off while it ran and may have had an effect; reconcile before repeating it";
pub(super) const NOT_PREVIEWED: &str = "what this call would do is not known yet";
pub(super) const NEEDS_SELECTION: &str = "say first which of the candidates is meant";
pub(super) const DECLINED_INPUT: &str = "this input was declined earlier in this turn";
pub(super) const NO_CANDIDATE: &str = "this is none of the things the call can mean";
pub(super) const NOTHING_TO_PREVIEW: &str = "a call that only reads has no effect to show";
pub(super) const PREVIEW_UNKNOWN: &str = "nobody knows what it would do";
pub(super) const EXECUTION_FAILED: &str = "the tool failed";
pub(super) const READ_TOOL_MUTATED: &str = "refused: a tool declared read-only returned a changed document; nothing was committed";
pub(super) const NO_MESSAGE: &str = "the provider's answer ended before any message began";
pub(super) const SECOND_MESSAGE: &str = "the provider began a second message in one answer";
pub(super) const STATE_TOO_DEEP: &str = "a part of the provider's own state nests too deep to be kept and was left out";
pub(super) const NO_CALLS: &str = "the model said it would use a tool but called none";

pub(super) fn edited(input: &str) -> String {
    format!("the user changed the input before approving; what ran was: {}", crate::protocol::text::escape(&cap(input, 2000)))
}

pub(super) fn stop_notice(reason: StopReason) -> Option<&'static str> {
    match reason {
        StopReason::MaxTokens => Some("the answer was cut at the output limit"),
        StopReason::Refusal => Some("the model declined to answer"),
        StopReason::ToolUse => Some(NO_CALLS),
        StopReason::EndTurn | StopReason::StopSequence | StopReason::Unknown => None,
    }
}

/// What a person reads when a bound ended the turn; says what was kept.
pub(super) fn bounded(bound: Bound, iterations: u32, committed: usize) -> String {
    let reached = match bound {
        Bound::Iterations => format!("stopped after {iterations} {}", if iterations == 1 { "step" } else { "steps" }),
        Bound::ToolCalls => "stopped at the highest number of tool calls for one turn".to_owned(),
        Bound::Retries => "stopped after the last allowed retry".to_owned(),
        Bound::Deadline => "stopped at the time limit".to_owned(),
        Bound::Tokens => "stopped at the token limit".to_owned(),
        Bound::Cost => "stopped at the cost limit".to_owned(),
        Bound::Repeats => "stopped because the assistant repeated the same call".to_owned(),
        Bound::Messages => "stopped because the conversation is too long".to_owned(),
    };
    match committed {
        0 => format!("{reached}; nothing was changed"),
        1 => format!("{reached}; 1 change was applied and can be undone"),
        more => format!("{reached}; {more} changes were applied and can be undone"),
    }
}

pub(super) fn cut_result(shown: &str, total_bytes: usize, max_bytes: u64) -> String {
    format!("{shown}\n[cut: the result has {total_bytes} bytes, at most {max_bytes} are shown]")
}

pub(super) fn output_too_large(total_bytes: usize, max_bytes: u64) -> String {
    format!("the result has {total_bytes} bytes, more than the {max_bytes} this tool may return; ask for less")
}

pub(super) fn invalid_output(issues: &[String]) -> String {
    format!("the tool returned something else than it declares: {}", join(issues, "; "))
}

pub(super) fn violation(violation: TurnViolation) -> &'static str {
    match violation {
        TurnViolation::NoGrant => "nobody approved this call",
        TurnViolation::DigestMismatch => "the approval was for another tool or another input",
        TurnViolation::ForeignIteration => "the approval was for another request of the turn",
        TurnViolation::GrantAlreadyConsumed => "the approval was spent already",
        TurnViolation::UnknownTool => "no tool has this name",
        TurnViolation::DeniedReplay => "the user declined exactly this call",
        TurnViolation::LimitExceeded => "a bound of the turn was reached",
        TurnViolation::DuplicateCallId => "a call with this id exists already; the second one was ignored",
        TurnViolation::PostSettlementEvent => "something came after the turn was over and was ignored",
        TurnViolation::GrantExpired => "the approval lapsed before it was used",
        TurnViolation::Unauthorized => "the user lacks the right to do this",
        TurnViolation::StaleDocument => "the document changed since the card was shown",
        TurnViolation::UnmatchedResult => "a result came for a call that is not running",
    }
}
