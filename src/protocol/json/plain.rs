//! How much of a string needs no escape: what reading and writing strings have in common.

/// How many of the bytes stand in a string as they are: up to the first control byte, quote or backslash.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    let mut at = 0;
    // eight bytes at once: a byte below 0x20, a quote or a backslash leaves its top bit set
    while let Some((eight, _)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk::<8>) {
        let word = u64::from_le_bytes(*eight);
        let (quote, backslash) = (word ^ (ONES * 0x22), word ^ (ONES * 0x5C));
        let marks =
            (word.wrapping_sub(ONES * 0x20) & !word) | (quote.wrapping_sub(ONES) & !quote) | (backslash.wrapping_sub(ONES) & !backslash);
        if marks & TOPS != 0 {
            // the lowest mark is always a true one: a borrow only runs upwards
            return at + usize::try_from((marks & TOPS).trailing_zeros() / 8).unwrap_or(0);
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
        at += 1;
    }
    at
}
