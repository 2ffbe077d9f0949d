//! The imports between the files of one crate.
//!
//! An edge is a path in `use` or in code that leads to another file of the crate, outside `mod` and `pub use`; re-exports
//! are not followed. A file may use its own parent module, and tests are left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, Item, ItemUse, UseTree, Visibility,
    visit::{self, Visit},
};

/// A module by its path from the crate's root.
type Module = Vec<String>;

/// The files of a crate, and which uses which.
pub(crate) struct Graph {
    files: BTreeMap<Module, PathBuf>,
    edges: BTreeMap<Module, BTreeSet<Module>>,
}

/// Files that import each other.
pub(crate) struct Circle {
    edges: Vec<(PathBuf, PathBuf)>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edges = self.edges.iter();
        let edges = edges.map(|(from, to)| format!("  {} uses {}", from.display(), to.display()));
        f.write_str(&edges.collect::<Vec<_>>().join("\n"))
    }
}

impl Graph {
    /// The files below a crate's `src`, without those that hold tests alone.
    pub(crate) fn read(src: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(src, src, &mut files);
        let mut edges = BTreeMap::new();
        for (module, path) in &files {
            let text = fs::read_to_string(src.join(path)).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            edges.insert(module.clone(), edges_of(module, &file, &files));
        }
        Self { files, edges }
    }

    /// A graph of these texts by module path (`a::b`), for tests of the graph.
    #[cfg(test)]
    fn of(texts: &[(&str, &str)]) -> Self {
        let module = |name: &str| -> Module { name.split("::").filter(|p| !p.is_empty()).map(str::to_owned).collect() };
        let files: BTreeMap<Module, PathBuf> = texts
            .iter()
            .map(|(name, _)| (module(name), PathBuf::from(format!("{name}.rs"))))
            .collect();
        let edges = texts.iter().map(|(name, text)| {
            let file = syn::parse_file(text).unwrap();
            (module(name), edges_of(&module(name), &file, &files))
        });
        Self {
            edges: edges.collect(),
            files: files.clone(),
        }
    }

    /// How many files there are.
    pub(crate) fn files(&self) -> usize {
        self.files.len()
    }

    /// Every largest set of files that reach each other.
    pub(crate) fn circles(&self) -> Vec<Circle> {
        let reached: BTreeMap<&Module, BTreeSet<&Module>> = self.files.keys().map(|m| (m, self.reach(m))).collect();
        let mut seen: BTreeSet<&Module> = BTreeSet::new();
        let mut circles = Vec::new();
        for module in self.files.keys() {
            let circle: Vec<&Module> = reached[module]
                .iter()
                .copied()
                .filter(|other| reached[*other].contains(module))
                .collect();
            if circle.len() < 2 || !seen.insert(module) {
                continue;
            }
            seen.extend(circle.iter().copied());
            let inside = circle.iter().flat_map(|from| {
                let within = self.edges[*from].iter().filter(|to| circle.contains(to));
                within.map(|to| (self.files[*from].clone(), self.files[to].clone()))
            });
            circles.push(Circle {
                edges: inside.collect(),
            });
        }
        circles
    }

    /// The modules that a module leads to.
    fn reach(&self, from: &Module) -> BTreeSet<&Module> {
        let mut found = BTreeSet::new();
        let mut next: Vec<&Module> = self.edges[from].iter().collect();
        while let Some(module) = next.pop() {
            if found.insert(module) {
                next.extend(&self.edges[module]);
            }
        }
        found
    }
}

fn collect(src: &Path, folder: &Path, files: &mut BTreeMap<Module, PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(src, &path, files);
            continue;
        }
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let place = path.strip_prefix(src).unwrap().to_owned();
        let mut module: Module = place
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        let is_test = module
            .iter()
            .any(|part| part == "tests" || part == "fixture" || part.ends_with("_tests"));
        if !is_rust || is_test {
            continue;
        }
        if module.last().is_some_and(|last| last == "mod") || module.len() == 1 && module[0] == "lib" {
            module.pop();
        }
        files.insert(module, place);
    }
}

fn edges_of(module: &Module, file: &syn::File, files: &BTreeMap<Module, PathBuf>) -> BTreeSet<Module> {
    let mut paths = Paths {
        depth: 0,
        found: Vec::new(),
        names: BTreeMap::new(),
    };
    paths.visit_file(file);
    let names = std::mem::take(&mut paths.names);
    let targets = paths
        .found
        .iter()
        .filter_map(|path| resolve(module, path, &names, files));
    let parent = module.split_last().map(|(_, parent)| parent.to_vec());
    targets
        .filter(|target| target != module && Some(target) != parent.as_ref())
        .collect()
}

/// The file that a path leads to: the longest part of it that is a module.
fn resolve(
    module: &Module,
    path: &[String],
    names: &BTreeMap<String, Vec<String>>,
    files: &BTreeMap<Module, PathBuf>,
) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    let mut place: Module = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module.split_last()?.1.to_vec(),
        name => {
            let child = [module.as_slice(), &[name.to_owned()]].concat();
            match names.get(name) {
                // What is imported is an edge already; a path through it may lead further.
                Some(full) if full.first() != Some(first) => {
                    return resolve(module, &[full.as_slice(), rest].concat(), &BTreeMap::new(), files);
                }
                _ if files.contains_key(&child) => child,
                _ => return None,
            }
        }
    };
    for part in rest {
        match part.as_str() {
            "super" => {
                place.pop()?;
            }
            part => {
                let child = [place.as_slice(), &[part.to_owned()]].concat();
                if !files.contains_key(&child) {
                    break;
                }
                place = child;
            }
        }
    }
    files.contains_key(&place).then_some(place)
}

/// The paths of a file, those in tests aside.
struct Paths {
    /// Modules within the file that surround what is visited.
    depth: usize,
    found: Vec<Vec<String>>,
    /// Names that `use` brings in, with their whole paths.
    names: BTreeMap<String, Vec<String>>,
}

impl Paths {
    fn import(&mut self, tree: &UseTree, before: &[String]) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &[before, &[path.ident.to_string()]].concat()),
            UseTree::Name(name) => self.bring(before, &name.ident.to_string(), &name.ident.to_string()),
            UseTree::Rename(name) => self.bring(before, &name.ident.to_string(), &name.rename.to_string()),
            UseTree::Glob(_) => self.add(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before)),
        }
    }

    fn bring(&mut self, before: &[String], name: &str, as_name: &str) {
        let path = match name {
            "self" => before.to_vec(),
            name => [before, &[name.to_owned()]].concat(),
        };
        let as_name = match as_name {
            "self" => before.last().cloned().unwrap_or_default(),
            name => name.to_owned(),
        };
        self.names.insert(as_name, path.clone());
        self.add(path);
    }

    /// Takes a path as the file's own: a module within the file is one step further from `super`.
    fn add(&mut self, mut path: Vec<String>) {
        let mut left = self.depth;
        while left > 0 && path.first().is_some_and(|first| first == "super") {
            path.remove(0);
            left -= 1;
        }
        if left < self.depth && path.first().is_some_and(|first| first != "super") {
            path.insert(0, "self".to_owned());
        }
        self.found.push(path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            self.import(&item.tree, &[]);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

#[test]
fn circles_are_found_with_their_edges() {
    let graph = Graph::of(&[
        ("", "pub mod a; pub mod b; pub mod c; pub use a::A;"),
        ("a", "use crate::b::B; pub struct A;"),
        ("b", "mod inner { use super::super::c::C; } pub struct B;"),
        ("c", "use crate::a; pub struct C; fn f() -> a::A { a::A }"),
        ("c::d", "use super::C; use crate::A;"),
    ]);
    let found: Vec<String> = graph.circles().iter().map(Circle::to_string).collect();
    assert_eq!(found, ["  a.rs uses b.rs\n  b.rs uses c.rs\n  c.rs uses a.rs"]);
}

#[test]
fn parents_re_exports_and_tests_make_no_circle() {
    let graph = Graph::of(&[
        ("", "pub mod a; pub mod b; pub use a::A;"),
        ("a", "pub mod d; use d::D; pub struct A;"),
        ("a::d", "use super::A; pub struct D;"),
        (
            "b",
            "pub use crate::a::A; #[cfg(test)] mod tests { use crate::a::d::D; }",
        ),
    ]);
    assert!(graph.circles().is_empty());
}
