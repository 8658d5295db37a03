//! The shape of the source: who imports whom, how long files are, who prints,
//! who names rayon, and where `unsafe` stands. Every check is a function from
//! a file to complaints, and is itself tested on a file that breaks it.

#[path = "layers/source.rs"]
mod source;

use source::Source;
use std::fs;
use std::path::Path;

/// The modules of the library and their layers. A module imports from lower
/// layers only, never from another module of its own layer.
const LAYERS: [(&str, u8); 15] = [
    ("board", 0),
    ("memory", 0),
    ("rules", 1),
    ("page", 0),
    ("game_file", 2),
    ("pattern", 2),
    ("book", 2),
    ("threat", 3),
    ("eval", 3),
    ("search", 4),
    ("engine", 5),
    ("analysis", 6),
    ("bench", 6),
    ("protocol", 6),
    ("terminal", 6),
];

/// What each tool may use of the library.
const TOOLS: [(&str, &[&str]); 6] = [
    ("format", &["board", "rules"]),
    // An independent referee: nothing of the engine.
    ("arena", &["board", "page", "rules", "game_file"]),
    (
        "datagen",
        &[
            "board", "rules", "pattern", "threat", "eval", "search", "engine",
        ],
    ),
    ("evenness", &["board", "rules", "search", "engine"]),
    // Everything else is done by the programs themselves.
    ("generation", &["board", "rules"]),
    // What it fits is counted in shapes.
    ("trainer", &["board", "rules", "pattern", "eval"]),
];

/// What every other tool may use.
const ANY_TOOL: &[&str] = &[
    "board", "rules", "pattern", "threat", "eval", "search", "engine",
];

const LONGEST_FILE: usize = 600;

/// Files and folders that may print and read standard input.
const SPEAKERS: [&str; 5] = [
    "src/protocol/",
    "src/terminal/",
    "src/bench.rs",
    "src/cli/",
    "src/main.rs",
];

/// The file that may name rayon.
const RAYON_FILE: &str = "src/search/parallel.rs";

/// Files and folders that may hold `unsafe`.
const UNSAFE_FILES: [&str; 2] = ["src/eval/simd/", "src/memory.rs"];

/// A safety comment of fewer words says nothing.
const SAFETY_WORDS: usize = 4;

/// A file of the repository.
struct File {
    /// From the root, with slashes.
    path: String,
    source: Source,
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            source: Source::new(text),
        }
    }

    fn complaint(&self, line: usize, text: &str) -> String {
        format!("{}:{line}: {text}", self.path)
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    /// The module the file is, from the root of its crate.
    fn module(&self) -> Vec<String> {
        let inner = self.path.split_once("src/").map_or("", |halves| halves.1);
        let mut names: Vec<String> = inner
            .trim_end_matches(".rs")
            .split('/')
            .map(str::to_owned)
            .collect();
        let last = names.last().map_or("", String::as_str);
        if last == "mod" || (names.len() == 1 && matches!(last, "lib" | "main")) {
            names.pop();
        }
        names
    }
}

/// A path in a file, from the root of the crate it leads into.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    line: usize,
    path: Vec<String>,
}

/// Paths that begin with one of the words. `crate`, `self` and `super` lead
/// into the file's own crate, other words are names of crates.
fn imports(file: &File, words: &[&str]) -> Vec<Import> {
    let source = &file.source;
    let mut found = Vec::new();
    let mut module = file.module();
    let mut depth = 0i32;
    let mut inline = Vec::new();
    for index in 0..source.tokens.len() {
        match source.text(index) {
            "{" => {
                depth += 1;
                if index >= 2 && source.text(index - 2) == "mod" {
                    module.push(source.text(index - 1).to_owned());
                    inline.push(depth);
                }
            }
            "}" => {
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
                depth -= 1;
            }
            word if words.contains(&word) && (index == 0 || source.text(index - 1) != "::") => {
                path_from(source, index, &module, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Follows the path that begins with the word at `index`, if one does.
fn path_from(source: &Source, index: usize, module: &[String], found: &mut Vec<Import>) {
    let mut base = match source.text(index) {
        "self" | "super" => module.to_vec(),
        _ => Vec::new(),
    };
    if source.text(index) == "super" {
        base.pop();
    }
    let mut next = index + 1;
    while source.text(next) == "::" && source.text(next + 1) == "super" {
        base.pop();
        next += 2;
    }
    match source.text(next) {
        "::" => {
            path_tree(source, next + 1, base, found);
        }
        // A second name would hide where paths lead: it counts as an import
        // of everything.
        "as" => found.push(Import {
            line: source.tokens[index].line,
            path: base,
        }),
        _ => {}
    }
}

/// Follows the rest of a path, or a tree of rests, behind a `::`; returns the
/// index behind it.
fn path_tree(source: &Source, index: usize, base: Vec<String>, found: &mut Vec<Import>) -> usize {
    let mut path = base;
    match source.text(index) {
        "" => return index,
        "{" => {
            let mut next = index + 1;
            while !matches!(source.text(next), "}" | "") {
                next = path_tree(source, next, path.clone(), found);
                while !matches!(source.text(next), "," | "}" | "") {
                    next += 1;
                }
                if source.text(next) == "," {
                    next += 1;
                }
            }
            return next + 1;
        }
        "self" => {}
        word => path.push(word.to_owned()),
    }
    if source.text(index + 1) == "::" && !matches!(source.text(index + 2), "<" | "") {
        return path_tree(source, index + 2, path, found);
    }
    let line = source.tokens[index].line;
    found.push(Import { line, path });
    index + 1
}

fn layer_of(module: &str) -> Option<u8> {
    let found = LAYERS.iter().find(|(name, _)| *name == module);
    found.map(|&(_, layer)| layer)
}

/// Imports of the library that lead upwards or sideways.
fn upward_imports(file: &File) -> Vec<String> {
    // The library's root and the program stand above everything; the root only
    // lists modules and the program sees the library from outside.
    if matches!(file.path.as_str(), "src/lib.rs" | "src/main.rs") || file.is_in(&["src/cli/"]) {
        return Vec::new();
    }
    let own = file.module().first().cloned().unwrap_or_default();
    let Some(own_layer) = layer_of(&own) else {
        return vec![file.complaint(1, &format!("module {own} has no layer"))];
    };
    let mut complaints = Vec::new();
    for import in imports(file, &["crate", "self", "super", "yonsan"]) {
        let target = import.path.first().map_or("*", String::as_str);
        let is_fine = target == own || layer_of(target).is_some_and(|layer| layer < own_layer);
        if !is_fine {
            let text = format!("{own} must not import {target}");
            complaints.push(file.complaint(import.line, &text));
        }
    }
    complaints
}

/// Imports of a tool that it has no business with.
fn tool_imports(file: &File) -> Vec<String> {
    let tool = file.path.split('/').nth(1).unwrap_or_default();
    let known = TOOLS.iter().find(|(name, _)| *name == tool);
    let allowed = known.map_or(ANY_TOOL, |(_, modules)| modules);
    let mut complaints = Vec::new();
    for import in imports(file, &["yonsan"]) {
        let target = import.path.first().map_or("*", String::as_str);
        if !allowed.contains(&target) {
            let text = format!("tool {tool} must not import {target}");
            complaints.push(file.complaint(import.line, &text));
        }
    }
    complaints
}

/// The modules of `lib.rs` that have no layer or stand out of order.
fn unordered_modules(file: &File) -> Vec<String> {
    let source = &file.source;
    let mut complaints = Vec::new();
    let mut highest = 0;
    for index in 0..source.tokens.len() {
        if source.text(index) != "mod" {
            continue;
        }
        let (name, line) = (source.text(index + 1), source.tokens[index].line);
        match layer_of(name) {
            Some(layer) if layer >= highest => highest = layer,
            Some(_) => complaints.push(file.complaint(line, &format!("{name} out of order"))),
            None => complaints.push(file.complaint(line, &format!("{name} has no layer"))),
        }
    }
    complaints
}

fn long_files(file: &File) -> Vec<String> {
    let count = file.source.line_count;
    if count > LONGEST_FILE {
        vec![file.complaint(count, &format!("more than {LONGEST_FILE} lines"))]
    } else {
        Vec::new()
    }
}

/// Printing and standard input outside the files that may.
fn speech(file: &File) -> Vec<String> {
    if file.is_in(&SPEAKERS) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (index, token) in file.source.tokens.iter().enumerate() {
        let next = file.source.text(index + 1);
        let speaks = match token.text.as_str() {
            "print" | "println" | "eprint" | "eprintln" | "dbg" => next == "!",
            "stdin" | "stdout" | "stderr" => next == "(",
            "Stdin" | "Stdout" | "Stderr" => true,
            _ => false,
        };
        if speaks {
            let text = format!("{} has no place here", token.text);
            complaints.push(file.complaint(token.line, &text));
        }
    }
    complaints
}

fn rayon_names(file: &File) -> Vec<String> {
    let tokens = file.source.tokens.iter();
    tokens
        .filter(|token| token.text == "rayon" && file.path != RAYON_FILE)
        .map(|token| file.complaint(token.line, &format!("only {RAYON_FILE} may name rayon")))
        .collect()
}

/// `unsafe` where it must not be, or without a reason.
fn bare_unsafe(file: &File) -> Vec<String> {
    let source = &file.source;
    let mut complaints = Vec::new();
    for (index, token) in source.tokens.iter().enumerate() {
        let is_allowance = token.text == "unsafe_code";
        if token.text != "unsafe" && !is_allowance {
            continue;
        }
        if !file.is_in(&UNSAFE_FILES) {
            complaints.push(file.complaint(token.line, "unsafe has no place here"));
            continue;
        }
        let reason = comment_above(source, index);
        let is_explained = match (source.text(index + 1), source.text(index + 2)) {
            _ if is_allowance => true,
            // The type of a function does nothing.
            ("fn", "(") => true,
            // Strings are no tokens: a block of functions from elsewhere.
            ("{" | "impl", _) | ("extern", "{") => reason
                .split_once("SAFETY:")
                .is_some_and(|(_, words)| words.split_whitespace().count() >= SAFETY_WORDS),
            _ => reason.contains("# Safety"),
        };
        if !is_explained {
            complaints.push(file.complaint(token.line, "unsafe without a safety comment"));
        }
    }
    complaints
}

/// The comments right above the statement or item in which a token stands,
/// and those inside it up to the token.
fn comment_above(source: &Source, index: usize) -> String {
    let is_end = |token: &source::Token| matches!(token.text.as_str(), ";" | "{" | "}");
    let start = source.tokens[..index].iter().rposition(is_end);
    let first = source.tokens[start.map_or(0, |end| end + 1)].line;
    let mut line = first;
    while source.comments.contains_key(&(line - 1)) {
        line -= 1;
    }
    let range = line..=source.tokens[index].line;
    let texts = source.comments.range(range).map(|(_, text)| text.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// All Rust files below a folder of the repository.
fn files_below(folder: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("the file can be read");
                let inner = path.strip_prefix(root).expect("it lies below the root");
                let names: Vec<_> = inner.iter().map(|name| name.to_string_lossy()).collect();
                files.push(File::new(&names.join("/"), &text));
            }
        }
    }
    files
}

/// Fails with all complaints about the files below the folders.
fn check(folders: &[&str], checker: fn(&File) -> Vec<String>) {
    let files: Vec<File> = folders.iter().flat_map(|&f| files_below(f)).collect();
    assert!(!files.is_empty(), "no files below {folders:?}");
    let complaints: Vec<String> = files.iter().flat_map(checker).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn modules_import_lower_layers_only() {
    check(&["src"], upward_imports);
}

#[test]
fn tools_import_what_they_may() {
    check(&["tools"], tool_imports);
}

#[test]
fn modules_are_listed_in_order() {
    let files = files_below("src");
    let root = files.iter().find(|file| file.path == "src/lib.rs");
    let complaints = unordered_modules(root.expect("there is a lib.rs"));
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn files_are_short() {
    check(&["src", "tools"], long_files);
}

#[test]
fn lower_layers_are_silent() {
    check(&["src"], speech);
}

#[test]
fn one_file_names_rayon() {
    check(&["src"], rayon_names);
}

#[test]
fn unsafe_is_fenced_and_explained() {
    check(&["src", "tools", "tests", "benches"], bare_unsafe);
}

/// The checks are checked: each must find what is wrong in a bad file, on the
/// right line, and nothing in a good one.
mod checks {
    use super::*;

    /// The lines with complaints.
    fn lines(checker: fn(&File) -> Vec<String>, path: &str, text: &str) -> Vec<usize> {
        let complaints = checker(&File::new(path, text));
        let line = |complaint: &String| {
            let (_, rest) = complaint.split_once(".rs:").unwrap();
            rest.split_once(':').unwrap().0.parse().unwrap()
        };
        complaints.iter().map(line).collect()
    }

    #[test]
    fn upward_imports_are_found_however_written() {
        let bad = [
            "use crate::search::Score;",
            "use crate::{board::Point, search::{Info, Score}};",
            "use super::super::search;",
            "use self::super::super::engine::Engine;",
            "use crate::*;",
            "use crate as everything;",
            "use crate::{self as everything};",
            "use yonsan::protocol;",
            "pub use crate::terminal as board;",
            "fn f() -> crate::search::Score { loop {} }",
            "macro_rules! m { () => { $crate::engine::Engine::new() } }",
            "mod tests { use super::super::super::search::Score; }",
            "const A: char = '\"'; use crate::search; // \"",
            "use crate::unheard_of::Thing;",
            "use crate::eval::classical;",
            "fn f<'a>(x: &'a str) { crate::search::go(x) }",
        ];
        for line in bad {
            let text = format!("//! Head.\n\n{line}\n");
            let mut found = lines(upward_imports, "src/threat/vcf.rs", &text);
            found.dedup();
            assert_eq!(found, [3], "{line}");
        }
    }

    #[test]
    fn good_imports_are_no_matter() {
        let good = [
            "use crate::board::{Point, self};",
            "use crate::{board::Point, rules::{Rule, judge::{self, Foul}}};",
            "use super::space::Space;",
            "use super::{vct, space};",
            "pub(crate) fn f(&self) { self.go() } pub(super) struct S;",
            "// crate::search is above\n/* use crate::search; /* */ use crate::engine; */",
            "const A: &str = \"use crate::search;\"; const B: &str = r#\"\" crate::search\"#;",
            "/// See [`crate::search::Score`].",
            "mod tests { use super::*; use crate::rules::Rule; } use super::vct;",
            "fn f() { crate::board::mix(crate::rules::Rule::Caro.index() as u64); }",
            "use std::search::Score; use rayon::crates::search;",
        ];
        for text in good {
            let found = lines(upward_imports, "src/threat/vcf.rs", text);
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn files_know_their_modules() {
        let module = |path| File::new(path, "").module().join("::");
        assert_eq!(module("src/search/tt.rs"), "search::tt");
        assert_eq!(module("src/search/mod.rs"), "search");
        assert_eq!(module("src/eval/simd/mod.rs"), "eval::simd");
        assert_eq!(module("src/engine.rs"), "engine");
        assert_eq!(module("src/lib.rs"), "");
        assert_eq!(lines(upward_imports, "src/magic.rs", ""), [1]);
        let text = "use super::protocol; use super::engine;\nuse super::terminal;";
        assert_eq!(lines(upward_imports, "src/bench.rs", text), [1, 2]);
        assert!(lines(upward_imports, "src/main.rs", text).is_empty());
        assert!(lines(upward_imports, "src/cli/book.rs", text).is_empty());
    }

    #[test]
    fn tools_keep_to_their_list() {
        let text = "use yonsan::{board::Point, engine::Engine};\nuse yonsan as y;\nyonsan::protocol::run();\nuse crate::engine;";
        let found = |tool| lines(tool_imports, tool, text);
        assert_eq!(found("tools/arena/src/main.rs"), [1, 2, 3]);
        assert_eq!(found("tools/datagen/src/main.rs"), [2, 3]);
        assert_eq!(found("tools/other/src/main.rs"), [2, 3]);
    }

    #[test]
    fn order_of_modules_is_seen() {
        let text = "pub mod board;\npub mod engine;\npub mod rules;\npub mod magic;";
        assert_eq!(lines(unordered_modules, "src/lib.rs", text), [3, 4]);
    }

    #[test]
    fn long_files_are_seen() {
        let text = "//\n".repeat(LONGEST_FILE);
        assert!(lines(long_files, "src/a.rs", &text).is_empty());
        assert_eq!(lines(long_files, "src/a.rs", &(text + "//\n")), [601]);
    }

    #[test]
    fn speech_is_heard() {
        let text = "println!();\n// println!();\nlet stdin = io::stdin();\ndbg!(x);\nprintln(\"eprintln!\");\nuse std::io::Stdout;";
        assert_eq!(lines(speech, "src/search/tt.rs", text), [1, 3, 4, 6]);
        assert!(lines(speech, "src/protocol/session.rs", text).is_empty());
    }

    #[test]
    fn rayon_is_seen() {
        let text = "use rayon::join;\n// rayon\n";
        assert_eq!(lines(rayon_names, "src/search/worker.rs", text), [1]);
        assert!(lines(rayon_names, RAYON_FILE, text).is_empty());
    }

    #[test]
    fn unsafe_needs_a_place_and_a_reason() {
        let good = [
            "// SAFETY: the index was checked above.\nunsafe { f() }",
            "// SAFETY: the index\n// was checked above.\nlet x =\n    unsafe { f() };",
            "/// # Safety\n///\n/// Needs AVX2.\n#[target_feature(enable = \"avx2\")]\nunsafe fn f() {}",
            "type F = unsafe fn(u8);",
            "#![allow(unsafe_code)]",
            "// SAFETY: it holds no pointer at all.\nunsafe impl Send for T {}",
            "// SAFETY: as its manual has it.\nunsafe extern \"C\" { fn f(); }",
        ];
        let bad = [
            "unsafe { f() }",
            "// SAFETY: trust me\nunsafe { f() }",
            "// SAFETY: the index was checked above.\n\nunsafe { f() }",
            "// SAFETY: the index was checked above.\ng();\nunsafe { f() }",
            "// unsafe, but fine, believe me.\nunsafe { f() }",
            "unsafe fn f() {}",
            "unsafe impl Send for T {}",
            "unsafe extern \"C\" { fn f(); }",
            "// SAFETY: as its manual has it.\nunsafe extern \"C\" fn f() {}",
        ];
        for text in good {
            assert!(
                lines(bare_unsafe, "src/memory.rs", text).is_empty(),
                "{text}"
            );
            assert!(!lines(bare_unsafe, "src/search/tt.rs", text).is_empty());
        }
        for text in bad {
            assert_eq!(
                lines(bare_unsafe, "src/eval/simd/avx2.rs", text).len(),
                1,
                "{text}"
            );
        }
    }
}
