//! `pattern`: ECMAScript regular expressions with flag `u`, run by an engine that is already there.
//!
//! Natively that is `regress`; in wasm the host's own RegExp, reached through two functions that the
//! boundary installs once. Neither may call back into the core. A test that fails to run is no match.

use std::fmt;

/// The deepest nesting of groups taken: both engines parse by recursion.
const MAX_NESTING: usize = 200;
/// The longest source taken, in bytes; nobody writes one by hand, and a schema is not a program.
const MAX_SOURCE_BYTES: usize = 16_384;

/// One compiled regular expression.
pub struct Pattern {
    source: String,
    engine: engine::Compiled,
}

impl Pattern {
    /// Compiles `source`; the error is the engine's reason, for the author of the schema.
    pub fn compile(source: &str) -> Result<Pattern, String> {
        if source.len() > MAX_SOURCE_BYTES {
            return Err(format!("it is longer than {MAX_SOURCE_BYTES} bytes"));
        }
        if nesting(source) > MAX_NESTING {
            return Err(format!("its groups nest deeper than {MAX_NESTING} levels"));
        }
        Ok(Pattern { source: source.to_owned(), engine: engine::compile(source)? })
    }

    /// Whether some part of `text` matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        engine::test(&self.engine, text)
    }

    /// The source as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "/{}/u", self.source)
    }
}

/// How many groups are open at once, at most; brackets in classes and after a backslash are text.
fn nesting(source: &str) -> usize {
    let (mut open, mut most) = (0usize, 0usize);
    let mut in_class = false;
    let mut bytes = source.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => open += 1,
            b')' if !in_class => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

#[cfg(not(target_arch = "wasm32"))]
mod engine {
    use regress::{Flags, Regex};

    pub(super) type Compiled = Regex;

    pub(super) fn compile(source: &str) -> Result<Compiled, String> {
        Regex::with_flags(source, Flags { unicode: true, ..Flags::default() }).map_err(|error| error.to_string())
    }

    pub(super) fn test(compiled: &Compiled, text: &str) -> bool {
        compiled.find(text).is_some()
    }
}

/// The host's RegExp, as the boundary reaches it.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy, Debug)]
pub struct HostRegExp {
    /// Compiles a source with flag `u` and gives a number for it (the same one for the same source), or the reason why not.
    pub compile: fn(&str) -> Result<u32, String>,
    /// Whether the expression of this number matches; `false` where the host throws.
    pub test: fn(u32, &str) -> bool,
}

/// Gives the core the host's RegExp; the first call counts, later ones change nothing.
#[cfg(target_arch = "wasm32")]
pub fn install(host: HostRegExp) {
    let _ = engine::HOST.set(host);
}

#[cfg(target_arch = "wasm32")]
mod engine {
    use std::sync::OnceLock;

    use super::HostRegExp;

    pub(super) static HOST: OnceLock<HostRegExp> = OnceLock::new();

    pub(super) type Compiled = u32;

    pub(super) fn compile(source: &str) -> Result<Compiled, String> {
        let host = HOST.get().ok_or_else(|| "no regular expression engine is installed".to_owned())?;
        (host.compile)(source)
    }

    pub(super) fn test(compiled: &Compiled, text: &str) -> bool {
        HOST.get().is_some_and(|host| (host.test)(*compiled, text))
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn speaks_ecmascript_with_flag_u() {
        for (source, text, matches) in [
            ("b+", "abbc", true),
            ("^b", "ab", false),
            ("^(?!tmp-)[a-z-]+$", "tmp-a", false),
            ("^(?!tmp-)[a-z-]+$", "node-a", true),
            ("(?<=\\$)\\d+", "cost $12", true),
            ("^.$", "\u{1F600}", true),
            ("^\\p{Lu}", "Éa", true),
            ("^\\u{1F600}$", "\u{1F600}", true),
            ("^[\\s\\S]{0,3}$", "abcd", false),
        ] {
            assert_eq!(Pattern::compile(source).unwrap().is_match(text), matches, "{source} on {text}");
        }
    }

    #[test]
    fn e2_bad_patterns_are_refused_with_a_reason() {
        for source in
            ["(", "[", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "\\a", "*", &"(".repeat(10_000), &"([)]".repeat(1_000), &"a".repeat(100_000)]
        {
            assert!(!Pattern::compile(source).unwrap_err().is_empty());
        }
    }
}
