//! A text looked for without regard to case, in time linear in what is read and without copying what is ASCII.

const ONES: u64 = u64::MAX / 255;
/// The highest bit of each of eight bytes: where one is set, there is something outside ASCII.
const TOPS: u64 = ONES << 7;

/// The text that is looked for, folded once.
pub(crate) struct Needle {
    folded: String,
    is_ascii: bool,
    /// Whether it holds one of the two letters that a capital outside ASCII is small by.
    is_odd: bool,
    /// For every length of a matched beginning, how much of it still matches when the next byte does not.
    fallback: Vec<usize>,
    /// Where a text that is not ASCII is folded; kept from one to the next.
    buffer: String,
}

impl Needle {
    pub(crate) fn new(text: &str) -> Needle {
        let mut folded = String::new();
        fold(text, &mut folded);
        let (is_ascii, is_odd) = (folded.is_ascii(), folded.bytes().any(|byte| matches!(byte, b'i' | b'k')));
        Needle { fallback: fallbacks(folded.as_bytes()), folded, is_ascii, is_odd, buffer: String::new() }
    }

    /// Whether the text holds the needle.
    pub(crate) fn is_in(&mut self, text: &str) -> bool {
        if self.is_ascii {
            let mut seen = 0;
            if self.find(text.as_bytes(), &mut seen) {
                return true;
            }
            if !self.is_odd || seen & TOPS == 0 || !text.chars().any(|c| matches!(c, '\u{130}' | '\u{212A}')) {
                return false;
            }
        } else if text.is_ascii() {
            return false;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        fold(text, &mut buffer);
        let found = self.find(buffer.as_bytes(), &mut 0);
        self.buffer = buffer;
        found
    }

    /// Whether the text is the needle.
    pub(super) fn is(&mut self, text: &str) -> bool {
        if text.is_ascii() {
            return text.eq_ignore_ascii_case(&self.folded);
        }
        fold(text, &mut self.buffer);
        self.buffer == self.folded
    }

    /// Knuth, Morris and Pratt over bytes, ASCII capitals taken as small: no text makes it slow. `seen` takes in every byte
    /// of a text that does not hold the needle.
    fn find(&self, text: &[u8], seen: &mut u64) -> bool {
        let needle = self.folded.as_bytes();
        let Some(&first) = needle.first() else { return true };
        // the bit that tells a capital from a small letter is set in both; other bytes are compared as they are
        let case = |byte: u8| if byte.is_ascii_alphabetic() { 0x20 } else { 0 };
        let (cases, firsts) = (ONES * u64::from(case(first)), ONES * u64::from(first));
        // where there is no second byte any will do
        let (more_cases, seconds) =
            needle.get(1).map_or((u64::MAX, u64::MAX), |&second| (ONES * u64::from(case(second)), ONES * u64::from(second)));
        let (mut at, mut matched) = (0usize, 0usize);
        loop {
            if matched == 0 {
                // most bytes of most texts are passed over here, eight at once: where both bytes that begin the needle stand, a
                // byte becomes 0 in both words
                while let Some((&[eight @ .., ninth], _)) = text.get(at..).and_then(<[u8]>::split_first_chunk::<9>) {
                    let word = u64::from_le_bytes(eight);
                    *seen |= word | u64::from(ninth);
                    let (one, two) = ((word | cases) ^ firsts, ((word >> 8 | u64::from(ninth) << 56) | more_cases) ^ seconds);
                    let marks = one.wrapping_sub(ONES) & !one & two.wrapping_sub(ONES) & !two & TOPS;
                    if marks != 0 {
                        // a mark may be a false one, but none is missing
                        at += usize::try_from(marks.trailing_zeros() / 8).unwrap_or(0);
                        break;
                    }
                    at += 8;
                }
            }
            let Some(&byte) = text.get(at) else { return false };
            *seen |= u64::from(byte);
            if matched == 0 {
                matched = usize::from(byte | case(first) == first);
                at += 1;
            } else if needle.get(matched) == Some(&byte.to_ascii_lowercase()) {
                matched += 1;
                at += 1;
            } else {
                matched = self.fallback.get(matched - 1).copied().unwrap_or(0);
            }
            if matched == needle.len() {
                return true;
            }
        }
    }
}

/// Small letters without locale; the two small sigmas are one letter, as their capital is.
fn fold(text: &str, into: &mut String) {
    into.clear();
    into.extend(text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }));
}

fn fallbacks(needle: &[u8]) -> Vec<usize> {
    let mut fallbacks = vec![0usize; needle.len()];
    let mut matched = 0usize;
    for at in 1..needle.len() {
        while matched > 0 && needle.get(matched) != needle.get(at) {
            matched = fallbacks.get(matched - 1).copied().unwrap_or(0);
        }
        matched += usize::from(needle.get(matched) == needle.get(at));
        if let Some(slot) = fallbacks.get_mut(at) {
            *slot = matched;
        }
    }
    fallbacks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_folding_and_searching_finds() {
        let texts = [
            "",
            "a",
            "Billing API",
            "aAaB",
            "abab",
            "ABABAC",
            "STRASSE",
            "Straße",
            "ΟΔΟΣ",
            "οδος",
            "İstanbul",
            "KELVIN \u{212A}",
            "日本語 API",
            "ab\nab",
            "naïve",
            "NAÏVE",
        ];
        for text in texts {
            for needle in [
                "a", "api", "AAB", "ababac", "abac", "bab", "ß", "ss", "οδοσ", "ΟΔΟΣ", "i", "k", "istanbul", "kelvin k", "語", "ï", "NAÏ",
                "b\na", "zz",
            ] {
                let (mut folded, mut wanted) = (String::new(), String::new());
                fold(text, &mut folded);
                fold(needle, &mut wanted);
                assert_eq!(Needle::new(needle).is_in(text), folded.contains(&wanted), "`{needle}` in `{text}`");
                assert_eq!(Needle::new(needle).is(text), folded == wanted, "`{needle}` is `{text}`");
            }
        }
    }

    #[test]
    fn finds_every_place_in_every_small_text() {
        let texts: Vec<String> = (0..512u32).map(|bits| (0..9).map(|at| if bits >> at & 1 == 1 { 'a' } else { 'B' }).collect()).collect();
        for needle in texts.iter().filter_map(|text| text.get(..4)) {
            let mut search = Needle::new(needle);
            for text in &texts {
                assert_eq!(search.is_in(text), text.contains(needle), "`{needle}` in `{text}`");
            }
        }
    }
}
