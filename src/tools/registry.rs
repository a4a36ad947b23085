//! The tools of a conversation, frozen: who they are, what their input must be, and what a call would do.
//!
//! Enters: declarations, then raw input of a model. Leaves: a registry or a fault that names the tool; then a
//! prepared call or issues. `prepare` is the only way to something runnable, and what runs is what it
//! returns. Whether a call may run is not decided here.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::protocol::call::ToolEffect;
use crate::protocol::effect::RunsOn;
use crate::protocol::error::Fault;
use crate::protocol::json::Json;
use crate::protocol::text::echo;

use super::canonical::{canonical_json, input_digest, sha256_hex};
use super::core_tool::CoreTool;
use super::declaration::{AdvertisedTool, ToolDeclaration};
use super::inspect::{Places, inspect};
use super::issues::{Issues, bounded};
use super::schema::Schema;
use super::summary::{Template, bounded_line, default_line};

/// The deepest nesting of an input; the input object itself is the first level.
pub const MAX_INPUT_DEPTH: usize = 64;
/// The deepest nesting of a schema: as deep as a JSON text can be read.
const MAX_SCHEMA_DEPTH: usize = 128;
/// The longest name a tool may have: what every provider takes.
const MAX_NAME_BYTES: usize = 64;
/// The name the plan modes close with; no host may take it.
const RESERVED: &str = "submit_turn_plan";
/// The code of a declaration that contradicts itself.
const CODE: &str = "invalid_tool";

/// The tools of a conversation; cloning shares them.
#[derive(Clone)]
pub struct ToolRegistry {
    inner: Arc<Inner>,
}

struct Inner {
    tools: Vec<Tool>,
    by_name: BTreeMap<Arc<str>, usize>,
    digest: String,
}

/// One declared tool, ready to check its input.
pub struct Tool {
    declaration: ToolDeclaration,
    input: Schema,
    output: Option<Schema>,
    template: Option<Template>,
    core: Option<Arc<dyn CoreTool>>,
    digest: String,
}

/// A call that may be shown and, once authorized, run: validated, normalized, digested.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedCall {
    /// The tool's exact name.
    pub tool_name: String,
    /// The validated input: what runs.
    pub input: Json,
    /// The digest a grant binds.
    pub input_digest: String,
    /// The card's line, made from the validated input.
    pub summary: String,
}

/// Why raw input is not a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrepareError {
    /// No tool has exactly this name.
    UnknownTool,
    /// What is wrong with the input: bounded lines, written for the model.
    Issues(Vec<String>),
}

impl ToolRegistry {
    /// Checks every declaration and compiles its schemas; `core` are the shipped tools that may be named.
    pub fn new(declarations: Vec<ToolDeclaration>, core: &[Arc<dyn CoreTool>]) -> Result<ToolRegistry, Fault> {
        let mut by_name = BTreeMap::new();
        let mut tools: Vec<Tool> = Vec::with_capacity(declarations.len());
        for (at, declaration) in declarations.into_iter().enumerate() {
            let path = format!("tools[{at}]");
            if by_name.insert(Arc::from(declaration.name.as_str()), at).is_some() {
                let message = format!("two tools are named `{}`", echo(&declaration.name));
                return Err(Fault::at("duplicate_tool", format!("{path}.name"), message));
            }
            let name = echo(&declaration.name);
            tools.push(Tool::new(declaration, core).map_err(|mut fault| {
                fault.message.insert_str(0, &format!("tool `{name}`: "));
                fault.under(&path)
            })?);
        }
        let mut all = Vec::with_capacity(tools.len());
        for tool in &tools {
            all.push(tool.declaration.to_json());
        }
        let digest = sha256_hex(canonical_json(&Json::from(all)).as_bytes());
        Ok(ToolRegistry { inner: Arc::new(Inner { tools, by_name, digest }) })
    }

    /// The tools as a model is told of them, in the order of declaration.
    #[must_use]
    pub fn list(&self) -> Vec<AdvertisedTool> {
        let mut list = Vec::with_capacity(self.len());
        for tool in &self.inner.tools {
            list.push(tool.advertised());
        }
        list
    }

    /// All tools, in the order of declaration.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &Tool> {
        self.inner.tools.iter()
    }

    /// The tool with exactly this name: no folding, trimming or normalization.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.inner.by_name.get(name).and_then(|at| self.inner.tools.get(*at))
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.tools.len()
    }

    /// Whether there is no tool.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.tools.is_empty()
    }

    /// SHA-256 over the canonical JSON of all declarations in order: what a turn is frozen to.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// The digest of one tool's declaration, where there is such a tool.
    #[must_use]
    pub fn tool_digest(&self, name: &str) -> Option<&str> {
        self.find(name).map(Tool::digest)
    }

    /// Turns raw input into something that may be shown and run, or says what is wrong with it.
    pub fn prepare(&self, name: &str, raw: &Json) -> Result<PreparedCall, PrepareError> {
        let tool = self.find(name).ok_or(PrepareError::UnknownTool)?;
        tool.prepare(raw).map_err(PrepareError::Issues)
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.inner.tools.iter().map(|tool| &tool.declaration.name)).finish()
    }
}

impl Tool {
    fn new(declaration: ToolDeclaration, core: &[Arc<dyn CoreTool>]) -> Result<Tool, Fault> {
        check_name(&declaration.name)?;
        check_contradictions(&declaration)?;
        let input = compile(&declaration.input_schema, "inputSchema")?;
        check_root(&declaration.input_schema)?;
        let output = declaration.output_schema.as_ref().map(|schema| compile(schema, "outputSchema")).transpose()?;
        let template = declaration.summary.as_deref().map(|source| Template::parse(source, &declaration.input_schema)).transpose()?;
        let core = if declaration.runs_on == RunsOn::Core { Some(shipped(&declaration, core)?) } else { None };
        let digest = sha256_hex(canonical_json(&declaration.to_json()).as_bytes());
        Ok(Tool { declaration, input, output, template, core, digest })
    }

    /// The declaration, as given.
    #[must_use]
    pub fn declaration(&self) -> &ToolDeclaration {
        &self.declaration
    }

    /// What runs it, where the core does.
    #[must_use]
    pub fn core(&self) -> Option<&Arc<dyn CoreTool>> {
        self.core.as_ref()
    }

    /// SHA-256 over the canonical JSON of the declaration.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The tool as a model is told of it.
    #[must_use]
    pub fn advertised(&self) -> AdvertisedTool {
        AdvertisedTool {
            name: self.declaration.name.clone(),
            description: self.declaration.description.clone(),
            input_schema: self.declaration.input_schema.clone(),
            effect: self.declaration.effect,
            destructive: self.declaration.destructive,
        }
    }

    /// What is wrong with a result, by the output schema; nothing where none is declared.
    #[must_use]
    pub fn check_output(&self, result: &Json) -> Vec<String> {
        let Some(schema) = &self.output else { return Vec::new() };
        if inspect(result).depth > MAX_SCHEMA_DEPTH {
            return vec![format!("output: nests deeper than {MAX_SCHEMA_DEPTH} levels")];
        }
        schema.validate_as(result, "output")
    }

    fn prepare(&self, raw: &Json) -> Result<PreparedCall, Vec<String>> {
        let flaws = inspect(raw);
        let mut issues = Issues::default();
        add_places(&mut issues, &flaws.keys, "the key is not allowed as a name");
        if issues.is_empty() {
            if !matches!(raw, Json::Object(_)) {
                issues.push_line(&format!("input: must be object, got {}", raw.kind()));
            }
            add_places(&mut issues, &flaws.not_finite, "must be a finite number");
            add_places(&mut issues, &flaws.integers, "is an integer outside ±(2^53-1)");
            if flaws.depth > MAX_INPUT_DEPTH {
                issues.push_line(&format!("input: nests deeper than {MAX_INPUT_DEPTH} levels"));
            }
        }
        if issues.is_empty()
            && let Some(most) = self.declaration.max_input_bytes
        {
            let bytes = canonical_json(raw).len();
            if u64::try_from(bytes).unwrap_or(u64::MAX) > most {
                issues.push_line(&format!("input: is {bytes} bytes long, more than the {most} this tool takes"));
            }
        }
        if !issues.is_empty() {
            return Err(issues.into_lines());
        }
        let found = self.input.validate(raw);
        if !found.is_empty() {
            return Err(found);
        }
        let input = match &self.core {
            Some(core) => core.normalize(raw.clone()).map_err(|lines| bounded(&lines))?,
            None => raw.clone(),
        };
        Ok(PreparedCall {
            tool_name: self.declaration.name.clone(),
            input_digest: input_digest(&self.declaration.name, &input),
            summary: self.summary(&input),
            input,
        })
    }

    fn summary(&self, input: &Json) -> String {
        if let Some(template) = &self.template {
            return template.line(input);
        }
        match self.core.as_ref().and_then(|core| core.summary(input)) {
            Some(line) => bounded_line(&line),
            None => default_line(&self.declaration.name, input, &self.declaration.input_schema),
        }
    }
}

fn add_places(issues: &mut Issues, places: &Places, problem: &str) {
    for path in &places.paths {
        issues.push_line(&format!("{path}: {problem}"));
    }
    issues.leave_out(places.count - places.paths.len());
}

fn check_name(name: &str) -> Result<(), Fault> {
    let fits =
        (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !fits {
        return Err(Fault::at(CODE, "name", "the name is not usable").expecting("1 to 64 of A-Z a-z 0-9 _ -"));
    }
    // as a key it would reach the prototype of whatever object a host keeps its tools in
    if name == RESERVED || name == "__proto__" {
        return Err(Fault::at(CODE, "name", "the name is reserved").expecting("another name"));
    }
    Ok(())
}

fn check_contradictions(declaration: &ToolDeclaration) -> Result<(), Fault> {
    if declaration.effect == ToolEffect::Read && declaration.destructive {
        return Err(Fault::at(CODE, "destructive", "a read tool destroys nothing").expecting("effect `mutate`, or no `destructive`"));
    }
    if declaration.effect == ToolEffect::Mutate && declaration.needs_approval == Some(false) {
        let message = "what may change something always asks; `needsApproval` may only tighten";
        return Err(Fault::at(CODE, "needsApproval", message).expecting("effect `read`, or no `needsApproval`"));
    }
    let own = declaration.effect == ToolEffect::Mutate && declaration.runs_on == RunsOn::Client && !declaration.external;
    if declaration.preview && !own {
        let message = "only a tool of the page that changes the document, and nothing outside of it, can be run on a draft";
        return Err(Fault::at(CODE, "preview", message).expecting("effect `mutate`, runsOn `client`, no `external`; or no `preview`"));
    }
    if let Some(target) = &declaration.target {
        if declaration.effect == ToolEffect::Read {
            return Err(Fault::at(CODE, "target", "a read tool acts on nothing").expecting("effect `mutate`, or no `target`"));
        }
        // the whole input is no text, and a place that cannot be named would never be looked at
        if target.steps().is_none() {
            return Err(Fault::at(CODE, "target.path", "the path names no place of the input").expecting("a JSON pointer such as `/id`"));
        }
    }
    Ok(())
}

fn compile(schema: &Json, path: &str) -> Result<Schema, Fault> {
    let flaws = inspect(schema);
    let refuse = |why: &str| Err(Fault::at(super::schema::CODE, path, why));
    if flaws.depth > MAX_SCHEMA_DEPTH {
        return refuse("the schema nests too deep");
    }
    if flaws.not_finite.count > 0 {
        return refuse("the schema holds a number that is not finite");
    }
    Schema::compile(schema, path)
}

/// The root must be able to be an object: no model can give anything else.
fn check_root(schema: &Json) -> Result<(), Fault> {
    let refuse = |path: &str, why: &str| Err(Fault::at(super::schema::CODE, path, why).expecting("a schema with `type: \"object\"`"));
    let Some(object) = schema.as_object() else { return refuse("inputSchema", "the schema of an input must be an object schema") };
    let takes_objects = match object.get("type") {
        None => true,
        Some(Json::Array(types)) => types.iter().any(|name| name.as_str() == Some("object")),
        Some(name) => name.as_str() == Some("object"),
    };
    if takes_objects { Ok(()) } else { refuse("inputSchema.type", "the input of a tool is always an object") }
}

/// The shipped tool of this name, where the declaration does not loosen what it is.
fn shipped(declaration: &ToolDeclaration, core: &[Arc<dyn CoreTool>]) -> Result<Arc<dyn CoreTool>, Fault> {
    let mut found = None;
    for tool in core {
        let shipped = tool.declaration();
        if shipped.name == declaration.name && shipped.definition == declaration.definition {
            found = Some((tool, shipped));
            break;
        }
    }
    let Some((tool, shipped)) = found else {
        let message = "no tool of this name runs in the core";
        return Err(Fault::at(CODE, "runsOn", message).expecting("`client` or `server`"));
    };
    let asks = shipped.needs_approval != Some(true) || declaration.needs_approval == Some(true);
    for (holds, member) in [
        (declaration.effect == shipped.effect, "effect"),
        (declaration.destructive == shipped.destructive, "destructive"),
        (declaration.external == shipped.external, "external"),
        (tool.checks_itself() || declaration.input_schema == shipped.input_schema, "inputSchema"),
        (shipped.idempotent || !declaration.idempotent, "idempotent"),
        (shipped.parallel_safe || !declaration.parallel_safe, "parallelSafe"),
        (asks, "needsApproval"),
        (shipped.requires.iter().all(|scope| declaration.requires.contains(scope)), "requires"),
    ] {
        if !holds {
            let message = format!("`{member}` differs from the tool that is shipped");
            return Err(Fault::at(CODE, member, message).expecting("the shipped declaration, at most tightened"));
        }
    }
    Ok(tool.clone())
}

#[cfg(test)]
mod tests;
