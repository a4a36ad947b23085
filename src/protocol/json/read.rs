//! Reads JSON text: strict (RFC 8259), no nesting past 127 levels, no key twice, no half of a surrogate pair.
//!
//! Enters: text. Leaves: a whole value, or single members borrowed from the text (what a stream's frames are
//! read with). Written by hand because a general reader is four times its size in the engine a browser loads.

use std::borrow::Cow;
use std::sync::Arc;

use super::decimal::Decimal;
use super::plain::plain_length;
use super::{Json, Object};

/// The deepest nesting that is read; a stack frame per level must fit where wasm runs.
pub const MAX_DEPTH: usize = 127;
/// The longest part of a key quoted in a flaw, in code points.
const KEY_SHOWN: usize = 80;

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// Something else stands here than may stand here.
    Syntax,
    /// The text ends before its value does.
    Cut,
    /// Something follows after the value.
    Trailing,
    /// A key stands twice in one object; its first 80 code points.
    DuplicateKey(String),
    /// A string holds half of a surrogate pair.
    LoneSurrogate,
    /// A number is past the largest double.
    NumberTooLarge,
    /// The text nests deeper than `MAX_DEPTH`.
    TooDeep,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What it is.
    pub kind: FlawKind,
    /// The line, from 1.
    pub line: usize,
    /// The byte in that line, from 1.
    pub column: usize,
}

impl Flaw {
    /// One sentence without a period.
    #[must_use]
    pub fn message(&self) -> String {
        let problem = match &self.kind {
            FlawKind::Syntax => "unexpected character",
            FlawKind::Cut => "the text ends too early",
            FlawKind::Trailing => "trailing characters",
            FlawKind::DuplicateKey(key) => {
                return format!("duplicate key `{}` at line {} column {}", crate::protocol::text::visible(key), self.line, self.column);
            }
            FlawKind::LoneSurrogate => "half of a surrogate pair",
            FlawKind::NumberTooLarge => "number out of range",
            FlawKind::TooDeep => "nested too deeply",
        };
        format!("{problem} at line {} column {}", self.line, self.column)
    }
}

/// Reads one text as one value.
pub fn parse(text: &str) -> Result<Json, Flaw> {
    parse_around(text, 0)
}

/// The same for a text of the core's own, that stands so many levels around what was read before.
pub fn parse_around(text: &str, levels: usize) -> Result<Json, Flaw> {
    let mut reader = Reader::new(text);
    let value = reader.value(MAX_DEPTH + levels).and_then(|value| reader.end().map(|()| value));
    value.map_err(|stop| reader.flaw(stop))
}

/// The text of each member that was looked up, where it is present and not null.
pub type Found<'t, const N: usize> = [Option<&'t str>; N];

/// Looks up members of the object `text` is: for each of `names` the text of its value, nothing where it is
/// absent or null. Names that are not asked for are passed over; one asked for that stands twice is refused.
pub fn members<'t, const N: usize>(text: &'t str, names: [&str; N]) -> Option<Found<'t, N>> {
    let mut found = [None; N];
    look_up(text, &names, &mut found)?;
    Some(found)
}

/// The string that the JSON text `written` stands for; borrowed where it holds no escape.
#[must_use]
pub fn string(written: &str) -> Option<Cow<'_, str>> {
    let mut reader = Reader::new(written);
    reader.string().ok()
}

/// The same, where `written` is one string and nothing else.
#[must_use]
pub fn whole_string(written: &str) -> Option<Cow<'_, str>> {
    let mut reader = Reader::new(written);
    let text = reader.string().ok()?;
    (reader.at == written.len()).then_some(text)
}

/// The number that the JSON text `written` stands for.
#[must_use]
pub fn number(written: &str) -> Option<f64> {
    let mut reader = Reader::new(written);
    reader.number().ok()
}

/// The same, and for each of `inside` the text of that member of the object that stands under the name `object`:
/// read on the way, so that the text is walked once.
pub fn members_of<'t, const N: usize, const M: usize>(
    text: &'t str,
    names: [&str; N],
    object: &str,
    inside: [&str; M],
) -> Option<(Found<'t, N>, Option<Found<'t, M>>)> {
    let (mut found, mut found_inside) = ([None; N], [None; M]);
    let mut path = [Level::new(object, &inside, &mut found_inside)];
    members_along(text, &names, &mut found, &mut path)?;
    let [level] = path;
    let is_found = level.is_found;
    Some((found, is_found.then_some(found_inside)))
}

/// An object inside the one whose members are looked up; where its name holds a list, the first object of that.
#[derive(Debug)]
pub struct Level<'n, 't> {
    name: &'n str,
    names: &'n [&'n str],
    found: &'n mut [Option<&'t str>],
    /// Whether the object is there.
    pub is_found: bool,
    /// Whether the list it is the first object of holds anything else.
    pub has_more: bool,
}

impl<'n, 't> Level<'n, 't> {
    /// The object under `name`, whose members `names` are to be put into `found`.
    pub fn new(name: &'n str, names: &'n [&'n str], found: &'n mut [Option<&'t str>]) -> Level<'n, 't> {
        Level { name, names, found, is_found: false, has_more: false }
    }
}

/// Looks up members of the object `text` is, of the first of `path` in it, of the second in that, and so on: the
/// text is walked once, however deep it goes.
// Not generic, so that there is one of it; nor is the next.
pub fn members_along<'t>(text: &'t str, names: &[&str], found: &mut [Option<&'t str>], path: &mut [Level<'_, 't>]) -> Option<()> {
    let mut reader = Reader::new(text);
    reader.look_up(names, found, path).ok()?;
    reader.end().ok()
}

/// The text of each item of the list `text` is.
#[must_use]
pub fn items(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text);
    let (mut items, mut first) = (Vec::new(), true);
    reader.open(b'[').ok()?;
    while reader.next_in(b']', &mut first).ok()? {
        let start = reader.at;
        reader.skip(MAX_DEPTH).ok()?;
        items.push(text.get(start..reader.at)?);
    }
    reader.end().ok()?;
    Some(items)
}

fn look_up<'t>(text: &'t str, names: &[&str], found: &mut [Option<&'t str>]) -> Option<()> {
    members_along(text, names, found, &mut [])
}

/// Why the reading stopped; the place, and the key that stands twice, are the reader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Syntax,
    Cut,
    Trailing,
    DuplicateKey,
    LoneSurrogate,
    NumberTooLarge,
    TooDeep,
}

/// Texts from this length on keep the keys they have read.
const KEPT_FROM: usize = 4096;
/// How many of them.
const KEPT: usize = 64;

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The key that stands twice, where one does.
    twice: String,
    /// Keys that were read, each at a place of its own text; empty where the text is short.
    kept: Vec<Arc<str>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        Reader { text, bytes: text.as_bytes(), at: 0, twice: String::new(), kept: Vec::new() }
    }

    fn flaw(self, stop: Stop) -> Flaw {
        let read = self.bytes.get(..self.at).unwrap_or(self.bytes);
        let line_start = read.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + read.iter().filter(|byte| **byte == b'\n').count();
        // the column of what is wrong: at the end of the text that is its last byte
        let column = (self.at + 1).min(self.bytes.len()).saturating_sub(line_start);
        let kind = match stop {
            Stop::Syntax => FlawKind::Syntax,
            Stop::Cut => FlawKind::Cut,
            Stop::Trailing => FlawKind::Trailing,
            Stop::DuplicateKey => FlawKind::DuplicateKey(self.twice),
            Stop::LoneSurrogate => FlawKind::LoneSurrogate,
            Stop::NumberTooLarge => FlawKind::NumberTooLarge,
            Stop::TooDeep => FlawKind::TooDeep,
        };
        Flaw { kind, line, column }
    }

    // These are asked for every byte; the rest may be calls, as small as the optimizer likes.
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Something else was needed than what stands here.
    #[cold]
    fn unexpected(&self) -> Stop {
        if self.at < self.bytes.len() { Stop::Syntax } else { Stop::Cut }
    }

    #[inline(always)]
    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Nothing but blanks follows.
    fn end(&mut self) -> Result<(), Stop> {
        self.blanks();
        if self.at < self.bytes.len() { Err(Stop::Trailing) } else { Ok(()) }
    }

    fn open(&mut self, bracket: u8) -> Result<(), Stop> {
        self.blanks();
        if self.take(bracket) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Whether another item follows before `close`; stands at its first byte then.
    fn next_in(&mut self, close: u8, first: &mut bool) -> Result<bool, Stop> {
        self.blanks();
        let is_first = std::mem::replace(first, false);
        if self.take(close) {
            return Ok(false);
        }
        if !is_first {
            if !self.take(b',') {
                return Err(self.unexpected());
            }
            self.blanks();
        }
        Ok(true)
    }

    fn colon(&mut self) -> Result<(), Stop> {
        self.open(b':')?;
        self.blanks();
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json, Stop> {
        self.blanks();
        match self.peek() {
            Some(b'"') => Ok(Json::String(Arc::from(&*self.string()?))),
            Some(b'{') => self.object(self.deeper(depth)?),
            Some(b'[') => {
                let depth = self.deeper(depth)?;
                self.at += 1;
                let (mut items, mut first) = (Vec::new(), true);
                while self.next_in(b']', &mut first)? {
                    items.push(self.value(depth)?);
                }
                Ok(Json::from(items))
            }
            Some(b't') => self.word("true").map(|()| Json::Bool(true)),
            Some(b'f') => self.word("false").map(|()| Json::Bool(false)),
            Some(b'n') => self.word("null").map(|()| Json::Null),
            _ => self.number().map(Json::Number),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Stop> {
        self.at += 1;
        let (mut object, mut first) = (Object::new(), true);
        while self.next_in(b'}', &mut first)? {
            let key = self.key()?;
            self.colon()?;
            let value = self.value(depth)?;
            if !object.add(key.clone(), value) {
                self.at = self.at.saturating_sub(1);
                self.twice = key.chars().take(KEY_SHOWN).collect();
                return Err(Stop::DuplicateKey);
            }
        }
        Ok(Json::from(object))
    }

    /// A key. In a long text the entities of a list share the texts of theirs: a document is smaller and sooner searched.
    fn key(&mut self) -> Result<Arc<str>, Stop> {
        let text = self.string()?;
        if self.text.len() < KEPT_FROM {
            return Ok(Arc::from(&*text));
        }
        if self.kept.is_empty() {
            self.kept = vec![Arc::from(""); KEPT];
        }
        let place = text.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % KEPT;
        let Some(kept) = self.kept.get_mut(place) else { return Ok(Arc::from(&*text)) };
        if **kept != *text {
            *kept = Arc::from(&*text);
        }
        Ok(kept.clone())
    }

    fn deeper(&self, depth: usize) -> Result<usize, Stop> {
        depth.checked_sub(1).ok_or(Stop::TooDeep)
    }

    /// Looks up members of the object that stands here.
    fn look_up(&mut self, names: &[&str], found: &mut [Option<&'t str>], path: &mut [Level<'_, 't>]) -> Result<(), Stop> {
        self.open(b'{')?;
        let mut first = true;
        while self.next_in(b'}', &mut first)? {
            let key = self.string()?;
            self.colon()?;
            if let Some((level, deeper)) = path.split_first_mut()
                && level.name == key
            {
                self.enter(level, deeper)?;
                continue;
            }
            let start = self.at;
            self.skip(MAX_DEPTH)?;
            let Some(place) = names.iter().position(|name| *name == key) else { continue };
            match found.get_mut(place) {
                Some(slot @ None) => *slot = self.text.get(start..self.at).filter(|value| *value != "null"),
                _ => return Err(Stop::Syntax),
            }
        }
        Ok(())
    }

    /// Looks up members of the object that stands here, alone or first in a list, or passes over a null.
    fn enter(&mut self, level: &mut Level<'_, 't>, deeper: &mut [Level<'_, 't>]) -> Result<(), Stop> {
        if level.is_found {
            return Err(Stop::Syntax);
        }
        if self.peek() == Some(b'n') {
            return self.word("null");
        }
        if !self.take(b'[') {
            level.is_found = true;
            return self.look_up(level.names, level.found, deeper);
        }
        let mut first = true;
        while self.next_in(b']', &mut first)? {
            if level.is_found || self.peek() != Some(b'{') {
                level.has_more = true;
                self.skip(MAX_DEPTH)?;
            } else {
                level.is_found = true;
                self.look_up(level.names, level.found, deeper)?;
            }
        }
        Ok(())
    }

    /// Passes over one value as strictly as it would be read, but for keys that stand twice inside it.
    fn skip(&mut self, depth: usize) -> Result<(), Stop> {
        self.blanks();
        let (open, close) = match self.peek() {
            Some(b'"') => return self.skip_string(),
            Some(b't') => return self.word("true"),
            Some(b'f') => return self.word("false"),
            Some(b'n') => return self.word("null"),
            Some(b'{') => (b'{', b'}'),
            Some(b'[') => (b'[', b']'),
            _ => return self.skip_number(),
        };
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut first = true;
        while self.next_in(close, &mut first)? {
            if open == b'{' {
                self.skip_string()?;
                self.colon()?;
            }
            self.skip(depth)?;
        }
        Ok(())
    }

    /// Passes over a number; one that is digits alone and not many needs no value to be known as one.
    fn skip_number(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let is_zero = self.peek() == Some(b'0');
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        let digits = self.at - start;
        if (1..=18).contains(&digits) && !(is_zero && digits > 1) && !matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Ok(());
        }
        self.at = start;
        self.number().map(|_| ())
    }

    /// Passes over a string; half of a surrogate pair is noticed only where the string is read.
    fn skip_string(&mut self) -> Result<(), Stop> {
        if !self.take(b'"') {
            return Err(self.unexpected());
        }
        loop {
            self.plain();
            if self.take(b'"') {
                return Ok(());
            }
            if !self.take(b'\\') {
                return Err(self.unexpected());
            }
            if self.take(b'u') {
                self.four_digits()?;
            } else if matches!(self.peek(), Some(b'n' | b'"' | b'\\' | b'/' | b't' | b'r' | b'b' | b'f')) {
                self.at += 1;
            } else {
                return Err(self.unexpected());
            }
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Stop> {
        for byte in word.bytes() {
            if !self.take(byte) {
                return Err(self.unexpected());
            }
        }
        Ok(())
    }

    /// Stands at the next byte of a string that is not plain text.
    fn plain(&mut self) {
        self.at += plain_length(self.bytes.get(self.at..).unwrap_or_default());
    }

    fn string(&mut self) -> Result<Cow<'t, str>, Stop> {
        if !self.take(b'"') {
            return Err(self.unexpected());
        }
        let start = self.at;
        self.plain();
        let plain = self.text.get(start..self.at).unwrap_or_default();
        if self.take(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        self.escaped(plain.to_owned()).map(Cow::Owned)
    }

    /// The rest of a string in which something else than plain text was met.
    #[inline(never)]
    fn escaped(&mut self, mut text: String) -> Result<String, Stop> {
        loop {
            if self.take(b'"') {
                return Ok(text);
            }
            if !self.take(b'\\') {
                return Err(self.unexpected());
            }
            let c = match self.peek() {
                Some(b'u') => {
                    self.at += 1;
                    self.code_point()?
                }
                escape => {
                    let c = match escape {
                        Some(b'n') => '\n',
                        Some(b'"') => '"',
                        Some(b'\\') => '\\',
                        Some(b'/') => '/',
                        Some(b't') => '\t',
                        Some(b'r') => '\r',
                        Some(b'b') => '\u{8}',
                        Some(b'f') => '\u{c}',
                        _ => return Err(self.unexpected()),
                    };
                    self.at += 1;
                    c
                }
            };
            text.push(c);
            let start = self.at;
            self.plain();
            text.push_str(self.text.get(start..self.at).unwrap_or_default());
        }
    }

    /// What follows `\u`: four digits, and for the first half of a pair the other half.
    fn code_point(&mut self) -> Result<char, Stop> {
        let unit = self.four_digits()?;
        let mut code = unit;
        if (0xD800..0xDC00).contains(&unit) {
            if !self.take(b'\\') || !self.take(b'u') {
                return Err(if self.at < self.bytes.len() { Stop::LoneSurrogate } else { Stop::Cut });
            }
            let low = self.four_digits()?;
            if !(0xDC00..0xE000).contains(&low) {
                return Err(Stop::LoneSurrogate);
            }
            code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
        char::from_u32(code).ok_or(Stop::LoneSurrogate)
    }

    fn four_digits(&mut self) -> Result<u32, Stop> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.unexpected())?;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<f64, Stop> {
        let mut decimal = Decimal::default();
        decimal.is_negative = self.take(b'-');
        let start = self.at;
        if !self.take(b'0') {
            self.digits(&mut decimal, false)?;
        }
        if self.take(b'.') {
            self.digits(&mut decimal, true)?;
        }
        let digits = self.text.get(start..self.at).unwrap_or_default();
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            let is_below = self.take(b'-');
            if !is_below {
                self.take(b'+');
            }
            let mut exponent = Decimal::default();
            self.digits(&mut exponent, false)?;
            // an exponent this large decides alone; texts are shorter than the bound
            let exponent = i64::try_from(exponent.digits).unwrap_or(i64::MAX).min(1 << 40);
            decimal.exponent = decimal.exponent.saturating_add(if is_below { -exponent } else { exponent });
        }
        decimal.to_double(digits).ok_or_else(|| {
            self.at = self.at.saturating_sub(1);
            Stop::NumberTooLarge
        })
    }

    /// One digit or more.
    fn digits(&mut self, decimal: &mut Decimal, is_fraction: bool) -> Result<(), Stop> {
        let start = self.at;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            decimal.push(byte - b'0', is_fraction);
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
