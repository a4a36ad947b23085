//! Who passed whom in a list, looked for in the plainest way: what is said of it is held against this.

/// Holds what is told (`(id, what its line says it stands behind)`) against the ids before and after: those told of, and no
/// more than must be, passed others; each stands where its line says; all others kept their order.
pub(crate) fn is_told(before: &[String], after: &[String], told: &[(String, Option<String>)]) -> Result<(), String> {
    let mut left: Vec<Option<&String>> = before.iter().map(Some).collect();
    // of several with one id the first is the first again
    let origins: Vec<Option<usize>> = after
        .iter()
        .map(|id| {
            let at = left.iter().position(|old| *old == Some(id))?;
            left[at] = None;
            Some(at)
        })
        .collect();
    let stayed: Vec<usize> = origins.iter().flatten().copied().collect();
    let mut longest = vec![1; stayed.len()];
    for at in 0..stayed.len() {
        for before in 0..at {
            if stayed[before] < stayed[at] {
                longest[at] = longest[at].max(longest[before] + 1);
            }
        }
    }
    let least = stayed.len() - longest.iter().copied().max().unwrap_or(0);
    if told.len() != least {
        return Err(format!("{least} passed others, told are {told:?}; {before:?} > {after:?}"));
    }
    let mut passed: Vec<usize> = Vec::new();
    for (id, behind) in told {
        let says = |name: &str, id: &str| name == id || name.ends_with(&format!(" ({id})"));
        let stands = |at: usize| match (behind, at.checked_sub(1)) {
            (None, None) => true,
            (Some(name), Some(last)) => {
                says(name, &after[last]) || (after[last].is_empty() && name.ends_with("\"\"")) || name.ends_with("(\"\")")
            }
            _ => false,
        };
        let found = (0..after.len()).find(|at| after[*at] == *id && origins[*at].is_some() && !passed.contains(at) && stands(*at));
        passed.push(found.ok_or_else(|| format!("`{id}` is not behind {behind:?} in {after:?}"))?);
    }
    // which of several with one id is meant nobody can say
    if (1..after.len()).any(|at| after[..at].contains(&after[at])) {
        return Ok(());
    }
    let mut last = None;
    for (at, origin) in origins.iter().enumerate().filter(|(at, _)| !passed.contains(at)) {
        let Some(origin) = origin else { continue };
        if last.is_some_and(|last| last > *origin) {
            return Err(format!("`{}` passed another, told are {told:?}; {before:?} > {after:?}", after[at]));
        }
        last = Some(*origin);
    }
    Ok(())
}
