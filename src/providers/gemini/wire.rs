//! The payloads of Gemini's stream, as far as they are read: borrowed from the frame, lenient about what is absent or
//! null, indifferent to what is unknown. Nothing is what a payload reads as that is not of this shape.

use std::borrow::Cow;

use crate::protocol::event::Usage;
use crate::protocol::fields::whole;
use crate::protocol::json::read::{Level, items, members, members_along, number, string};
use crate::providers::written::{Text, Written, text};

/// A payload that is more of an answer by one text and by nothing else: what comes by the thousand.
pub(super) struct More<'a> {
    pub(super) text: Text<'a>,
    pub(super) usage: Option<Usage>,
}

impl<'a> More<'a> {
    /// Such a payload of the response `id`, found in one walk; nothing where it is anything else.
    pub(super) fn read(data: &'a str, id: &str) -> Option<More<'a>> {
        let (mut top, mut candidate, mut part) = ([None; 4], [None; 3], [None; 8]);
        let mut path = [
            Level::new("candidates", &CANDIDATE, &mut candidate),
            Level::new("content", &[], &mut []),
            Level::new("parts", &PART, &mut part),
        ];
        members_along(data, &["responseId", "usageMetadata", "promptFeedback", "error"], &mut top, &mut path)?;
        let is_one = path.iter().all(|level| level.is_found && !level.has_more);
        let ([same, usage, None, None], [index, None, None], [Some(text), None, None, None, None, None, None, None]) =
            (top, candidate, part)
        else {
            return None;
        };
        if !is_one || same.unwrap_or_default() != id || index.is_some_and(|index| index != "0") {
            return None;
        }
        let text = string(text).filter(|text| !text.is_empty())?;
        Some(More { text, usage: usage.and_then(usage_of) })
    }
}

const CANDIDATE: [&str; 3] = ["index", "finishReason", "finishMessage"];
const PART: [&str; 8] =
    ["text", "thought", "thoughtSignature", "functionCall", "executableCode", "codeExecutionResult", "inlineData", "fileData"];

/// One payload.
pub(super) struct Chunk<'a> {
    /// The response's id, as it is written; nothing where it is "".
    pub(super) id: Written<'a>,
    pub(super) model: Text<'a>,
    pub(super) error: Option<Failure<'a>>,
    pub(super) usage: Option<Usage>,
    /// Whether the prompt was not answered at all.
    pub(super) is_blocked: bool,
    pub(super) finish_reason: Text<'a>,
    pub(super) finish_message: Text<'a>,
    pub(super) parts: Vec<Part<'a>>,
    /// Whether something is said in a candidate that nobody asked for.
    pub(super) has_second: bool,
}

/// One part of the answer.
pub(super) struct Part<'a> {
    pub(super) text: Text<'a>,
    pub(super) is_thought: bool,
    pub(super) signature: Text<'a>,
    pub(super) call: Option<Call<'a>>,
    /// Something that is neither text nor call: code that ran elsewhere, an image.
    pub(super) is_other: bool,
}

/// A call.
pub(super) struct Call<'a> {
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    /// The arguments as they are written; "" where there are none.
    pub(super) args: &'a str,
    /// Whether the arguments come in pieces, or a piece of them is here.
    pub(super) is_partial: bool,
    /// Whether another piece follows.
    pub(super) goes_on: bool,
}

/// What went wrong, in the provider's words.
pub(super) struct Failure<'a> {
    pub(super) status: Text<'a>,
    pub(super) code: &'a str,
    pub(super) message: Text<'a>,
}

impl<'a> Chunk<'a> {
    pub(super) fn read(data: &'a str) -> Option<Chunk<'a>> {
        let [candidates, id, model, usage, feedback, error] =
            members(data, ["candidates", "responseId", "modelVersion", "usageMetadata", "promptFeedback", "error"])?;
        let mut chunk = Chunk {
            id: id.filter(|id| *id != "\"\""),
            model: text(model)?,
            error: error.and_then(Failure::read),
            usage: usage.and_then(usage_of),
            is_blocked: feedback.is_some_and(is_blocked),
            finish_reason: Cow::Borrowed(""),
            finish_message: Cow::Borrowed(""),
            parts: Vec::new(),
            has_second: false,
        };
        for (place, candidate) in items(candidates.unwrap_or("[]"))?.into_iter().enumerate() {
            let [index, content, finish_reason, finish_message] =
                members(candidate, ["index", "content", "finishReason", "finishMessage"])?;
            if place > 0 || index.is_some_and(|index| index != "0") {
                chunk.has_second |= content.is_some() || finish_reason.is_some();
                continue;
            }
            chunk.finish_reason = text(finish_reason)?;
            chunk.finish_message = finish_message.and_then(string).unwrap_or_default();
            let [parts] = members(content.unwrap_or("{}"), ["parts"])?;
            for part in items(parts.unwrap_or("[]"))? {
                chunk.parts.push(Part::read(part)?);
            }
        }
        Some(chunk)
    }

    /// Whether anything of a message is in it.
    pub(super) fn is_something(&self) -> bool {
        self.parts.iter().any(|part| part.call.is_some() || !part.text.is_empty())
    }
}

impl<'a> Part<'a> {
    fn read(written: &'a str) -> Option<Part<'a>> {
        let [plain, thought, signature, call, code, result, data, file] = members(written, PART)?;
        Some(Part {
            text: text(plain)?,
            is_thought: thought == Some("true"),
            signature: text(signature)?,
            call: match call {
                None => None,
                Some(call) => Some(Call::read(call)?),
            },
            is_other: code.or(result).or(data).or(file).is_some(),
        })
    }
}

impl<'a> Call<'a> {
    fn read(written: &'a str) -> Option<Call<'a>> {
        let [id, name, args, pieces, goes_on] = members(written, ["id", "name", "args", "partialArgs", "willContinue"])?;
        let goes_on = goes_on == Some("true");
        Some(Call { id: text(id)?, name: text(name)?, args: args.unwrap_or_default(), is_partial: goes_on || pieces.is_some(), goes_on })
    }
}

impl<'a> Failure<'a> {
    /// The failure that stands under `error`, whatever its shape.
    fn read(written: &'a str) -> Option<Failure<'a>> {
        if !written.starts_with('{') {
            let message = string(written).unwrap_or(Cow::Borrowed(written));
            return (!matches!(&*message, "" | "false")).then_some(Failure { status: Cow::Borrowed(""), code: "", message });
        }
        let [code, message, status] = members(written, ["code", "message", "status"])?;
        Some(Failure {
            status: status.and_then(string).unwrap_or_default(),
            code: code.unwrap_or_default().trim_matches('"'),
            message: message.map(|message| string(message).unwrap_or(Cow::Borrowed(message))).unwrap_or_default(),
        })
    }
}

fn is_blocked(feedback: &str) -> bool {
    let reason = members(feedback, ["blockReason"]).and_then(|[reason]| reason.and_then(string));
    reason.is_some_and(|reason| !matches!(&*reason, "" | "BLOCK_REASON_UNSPECIFIED" | "BLOCKED_REASON_UNSPECIFIED"))
}

/// The counts, where there are any. What tools of the provider read is counted beside the prompt, thoughts beside the
/// answer; what came from the cache is counted in the prompt.
fn usage_of(written: &str) -> Option<Usage> {
    let counts = members(
        written,
        ["promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount"],
    )?;
    let [prompt, tools, answer, thoughts, cached] = counts.map(|count| count.and_then(number).and_then(whole));
    prompt.or(answer).or(thoughts)?;
    Some(Usage {
        input_tokens: prompt.unwrap_or(0).saturating_add(tools.unwrap_or(0)),
        output_tokens: answer.unwrap_or(0).saturating_add(thoughts.unwrap_or(0)),
        cached_input_tokens: cached,
        reasoning_tokens: thoughts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_of_a_text_is_what_any_payload_reads_as() {
        for body in ["Hel", "größer 😀", r"\n", r#"\"a\": 1}}"#, r"\u0041 b"] {
            let data = format!(
                r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{body}"}}],"role":"model"}},"index":0}}],"usageMetadata":{{"promptTokenCount":3}},"modelVersion":"m","responseId":"r"}}"#
            );
            let (more, any) = (More::read(&data, r#""r""#).unwrap(), Chunk::read(&data).unwrap());
            let [part] = any.parts.as_slice() else { panic!("{data}") };
            assert_eq!((&more.text, more.usage), (&part.text, any.usage), "{data}");
            assert!(any.finish_reason.is_empty() && !any.is_blocked && !any.has_second && any.error.is_none());
        }
    }

    #[test]
    fn what_says_anything_else_is_left_to_the_reader_of_any_payload() {
        let payload = |candidates: &str, rest: &str| format!(r#"{{"candidates":[{candidates}],"responseId":"r"{rest}}}"#);
        let content = |parts: &str| format!(r#"{{"content":{{"parts":[{parts}]}}}}"#);
        assert!(More::read(&payload(&content(r#"{"text":"a"}"#), ""), r#""r""#).is_some());
        for data in [
            payload(&content(r#"{"text":"a"}"#), r#","error":{"code":429}"#),
            payload(&content(r#"{"text":"a"}"#), r#","promptFeedback":{"blockReason":"SAFETY"}"#),
            payload(&content(r#"{"text":"a"}"#), r#","responseId":"r""#),
            payload(&content(r#"{"text":"a"},{"text":"b"}"#), ""),
            payload(&content(r#"{"text":"a"},null"#), ""),
            payload(&content(r#"null,{"text":"a"}"#), ""),
            payload(&content(r#"{"text":""}"#), ""),
            payload(&content(r#"{"text":7}"#), ""),
            payload(&content(r#"{"text":"a","thought":true}"#), ""),
            payload(&content(r#"{"text":"a","thoughtSignature":"s"}"#), ""),
            payload(&content(r#"{"text":"a","functionCall":{"name":"f","args":{}}}"#), ""),
            payload(&[content(r#"{"text":"a"}"#), content(r#"{"text":"b"}"#)].join(","), ""),
            payload(r#"{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}"#, ""),
            payload(r#"{"content":{"parts":[{"text":"a"}]},"index":1}"#, ""),
            payload(r#"{"content":{"parts":{"text":"a"}},"content":{}}"#, ""),
        ] {
            assert!(More::read(&data, r#""r""#).is_none(), "{data}");
        }
        assert!(More::read(&payload(&content(r#"{"text":"a"}"#), ""), r#""s""#).is_none(), "another response");
    }
}
