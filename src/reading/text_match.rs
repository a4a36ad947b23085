//! A text looked for without regard to case, in time linear in what is read and without copying what is ASCII.

/// The text that is looked for, folded once.
pub(super) struct Needle {
    folded: String,
    /// For every length of a matched beginning, how much of it still matches when the next byte does not.
    fallback: Vec<usize>,
    /// Where a text that is not ASCII is folded; kept from one to the next.
    buffer: String,
}

impl Needle {
    pub(super) fn new(text: &str) -> Needle {
        let mut folded = String::new();
        fold(text, &mut folded);
        Needle { fallback: fallbacks(folded.as_bytes()), folded, buffer: String::new() }
    }

    /// Whether the text holds the needle.
    pub(super) fn is_in(&mut self, text: &str) -> bool {
        if self.folded.is_ascii() {
            if self.find(text) {
                return true;
            }
            // the two capitals outside ASCII whose small letter begins inside it
            if text.is_ascii() || !text.chars().any(|c| matches!(c, '\u{130}' | '\u{212A}')) {
                return false;
            }
        } else if text.is_ascii() {
            return false;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        fold(text, &mut buffer);
        let found = self.find(&buffer);
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

    /// Knuth, Morris and Pratt over bytes, ASCII capitals taken as small: no text makes it slow.
    fn find(&self, text: &str) -> bool {
        let needle = self.folded.as_bytes();
        let Some(&first) = needle.first() else { return true };
        let mut rest = text.as_bytes();
        let mut matched = 0usize;
        loop {
            if matched == 0 {
                // most bytes of most texts are passed over here
                let Some(at) = rest.iter().position(|byte| byte.to_ascii_lowercase() == first) else { return false };
                rest = rest.get(at + 1..).unwrap_or_default();
                matched = 1;
            } else if needle.get(matched) == rest.first().map(u8::to_ascii_lowercase).as_ref() {
                rest = rest.get(1..).unwrap_or_default();
                matched += 1;
            } else if rest.is_empty() {
                return false;
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
