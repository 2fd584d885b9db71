//! How types of Go are kept in `.kin`.
//!
//! | Go | here |
//! | --- | --- |
//! | integers | ranges, as wide as they may be: what is in a state is the number |
//! | strings | members of an enumeration of the literals |
//! | structs, arrays | objects, copied where Go copies |
//! | pointers to these, maps, slices, channels | references, `none` for nil |
//! | pointers to other things | references to an object with one field |
//! | interfaces | one enumeration with a case for each type that is put into one |
//! | functions | an enumeration for each signature, with a case for each function and what it has captured |
//! | times, durations, floating-point numbers | nothing; what comparing them gives is not known |

use crate::names::safe;
use crate::types::{Lib, Sig, Ty};
use crate::world::{FnType, World, is_reference};

impl World<'_> {
    /// A part of a name that tells a type.
    pub(crate) fn mangled(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => "bool".into(),
            Ty::Int(kind) => kind.name().into(),
            Ty::Str => "string".into(),
            Ty::Float => "float".into(),
            Ty::Opaque(_) => "opaque".into(),
            Ty::Nil | Ty::Untyped => "int".into(),
            Ty::Pointer(inner) => format!("ptr_{}", self.mangled(inner)),
            Ty::Slice(inner) => format!("slice_{}", self.mangled(inner)),
            Ty::Array(n, inner) => format!("array{n}_{}", self.mangled(inner)),
            Ty::Map(key, value) => format!("map_{}_{}", self.mangled(key), self.mangled(value)),
            Ty::Chan(_, inner) => format!("chan_{}", self.mangled(inner)),
            Ty::Func(sig) => {
                let params: Vec<String> = sig.params.iter().map(|ty| self.mangled(ty)).collect();
                let results: Vec<String> = sig.results.iter().map(|ty| self.mangled(ty)).collect();
                format!("func_{}_to_{}", params.join("_"), results.join("_"))
            }
            Ty::Struct(fields) if fields.is_empty() => "unit".into(),
            Ty::Struct(fields) => {
                let fields =
                    fields.iter().map(|f| format!("{}_{}", safe(&f.name), self.mangled(&f.ty)));
                format!("struct_{}", fields.collect::<Vec<_>>().join("_"))
            }
            Ty::Interface(methods) => match methods.is_empty() {
                true => "any".into(),
                false => {
                    let names: Vec<&str> = methods.iter().map(|(name, _)| name.as_str()).collect();
                    format!("with_{}", names.join("_"))
                }
            },
            Ty::Named(id) => self.named[*id].kin.clone(),
            Ty::Tuple(parts) => {
                parts.iter().map(|ty| self.mangled(ty)).collect::<Vec<_>>().join("_")
            }
            Ty::Lib(Lib::AtomicInt(_)) => "AtomicInt".into(),
            Ty::Lib(lib) => format!("{lib:?}"),
        }
    }

    /// The type of variables of a type.
    pub(crate) fn kin(&mut self, ty: &Ty) -> String {
        match self.under(ty) {
            Ty::Bool => "bool".into(),
            Ty::Int(kind) => kind.range().into(),
            Ty::Str => "Str".into(),
            Ty::Untyped => "-big..=big".into(),
            Ty::Float | Ty::Opaque(_) | Ty::Nil => "0..=0".into(),
            Ty::Pointer(inner) if self.is_shadow(&inner) => "0..=0".into(),
            Ty::Pointer(inner) => format!("{}?", self.object(&inner)),
            Ty::Slice(inner) => format!("{}?", self.slice_object(&inner)),
            Ty::Array(_, inner) => self.array(&inner),
            Ty::Map(key, value) => format!("{}?", self.map(&key, &value)),
            Ty::Chan(_, inner) => format!("{}?", self.channel(&inner)),
            Ty::Func(sig) => format!("Fn{}", self.fn_type(&sig)),
            Ty::Struct(_) if self.is_object(ty) => self.structure(ty),
            Ty::Struct(_) => "0..=0".into(),
            Ty::Interface(_) => "Any".into(),
            Ty::Named(_) => "0..=0".into(),
            Ty::Tuple(parts) => self.tuple(&parts),
            Ty::Lib(lib) => match lib.object() {
                Some(object) => {
                    self.lib_used.insert(object);
                    if is_reference(lib) { format!("{object}?") } else { object.into() }
                }
                None => "0..=0".into(),
            },
        }
    }

    /// The type of elements of channels, maps and slices: objects may be missing there, which stands for their zero value.
    pub(crate) fn kept(&mut self, ty: &Ty) -> String {
        let kin = self.kin(ty);
        if self.is_object(ty) { format!("{kin}?") } else { kin }
    }

    /// Whether nothing is kept of what a pointer leads to, such as a test.
    pub(crate) fn is_shadow(&self, ty: &Ty) -> bool {
        matches!(self.under(ty), Ty::Lib(Lib::Testing | Lib::Thing))
    }

    /// The objects that pointers to a type lead to.
    pub(crate) fn object(&mut self, ty: &Ty) -> String {
        if self.is_object(ty) {
            return self.kin(ty);
        }
        let name = format!("cell_{}", self.mangled(ty));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let kin = self.kin(ty);
            let lines = vec![
                format!("object {name}(first: {kin}) {{"),
                format!("v: {kin} = first"),
                "}".into(),
            ];
            self.declared.insert(name.clone(), lines);
        }
        name
    }

    pub(crate) fn array(&mut self, element: &Ty) -> String {
        let boxed = if self.is_boxed_element(element) { "var_" } else { "" };
        let name = format!("arr_{boxed}{}", self.mangled(element));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let kin = self.stored(element);
            let lines = vec![
                format!("object {name}(first: seq[{kin}, room] = []) {{"),
                format!("items: seq[{kin}, room] = first"),
                "}".into(),
            ];
            self.declared.insert(name.clone(), lines);
        }
        name
    }

    pub(crate) fn map(&mut self, key: &Ty, value: &Ty) -> String {
        let name = format!("map_{}_{}", self.mangled(key), self.mangled(value));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let (key, value) = (self.key(key), self.kept(value));
            let lines = vec![
                format!("object {name} {{"),
                format!("items: map[{key}, {value}, room] = []"),
                "}".into(),
            ];
            self.declared.insert(name.clone(), lines);
        }
        name
    }

    /// Whether values of a struct can be keys: its fields are plain.
    pub(crate) fn is_key(&self, ty: &Ty) -> bool {
        match self.under(ty) {
            Ty::Struct(fields) => fields.iter().all(|field| !self.is_object(&field.ty)),
            _ => false,
        }
    }

    /// The type of keys of a map: of a struct, a record.
    pub(crate) fn key(&mut self, ty: &Ty) -> String {
        let Ty::Struct(fields) = self.under(ty) else { return self.kin(ty) };
        if !self.is_object(ty) {
            return self.kin(ty);
        }
        let name = format!("res_key_{}", self.mangled(ty));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let mut parts = Vec::new();
            for (at, field) in fields.iter().enumerate() {
                parts.push(format!("{}: {}", field_name(&field.name, at), self.kin(&field.ty)));
            }
            self.declared
                .insert(name.clone(), vec![format!("record {name} {{ {} }}", parts.join(", "))]);
        }
        name
    }

    pub(crate) fn structure(&mut self, ty: &Ty) -> String {
        let Ty::Struct(fields) = self.under(ty) else { return "0..=0".into() };
        let name = match ty {
            Ty::Named(id) => self.named[*id].kin.clone(),
            _ => self.mangled(ty),
        };
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let mut parameters = Vec::new();
            let mut lines = Vec::new();
            for (at, field) in fields.iter().enumerate() {
                let is_boxed = self.is_boxed_field(ty, &field.name);
                let kin = if is_boxed { self.object(&field.ty) } else { self.kin(&field.ty) };
                let field_name = field_name(&field.name, at);
                let default = match self.zero(&field.ty).filter(|_| !is_boxed) {
                    Some(zero) => format!(" = {zero}"),
                    None => String::new(),
                };
                parameters.push(format!("init_{field_name}: {kin}{default}"));
                lines.push(format!("{field_name}: {kin} = init_{field_name}"));
            }
            lines.insert(0, format!("object {name}({}) {{", parameters.join(", ")));
            lines.push("}".into());
            if parameters.is_empty() {
                lines =
                    vec![format!("object {name} {{"), "nothing: bool = false".into(), "}".into()];
            }
            self.declared.insert(name.clone(), lines);
        }
        name
    }

    pub(crate) fn tuple(&mut self, parts: &[Ty]) -> String {
        let name = format!("res_{}", self.mangled(&Ty::Tuple(parts.to_vec())));
        if !self.declared.contains_key(&name) {
            self.declared.insert(name.clone(), Vec::new());
            let parts: Vec<String> = parts
                .iter()
                .enumerate()
                .map(|(at, ty)| format!("r{at}: {}", self.kin(ty)))
                .collect();
            self.declared
                .insert(name.clone(), vec![format!("record {name} {{ {} }}", parts.join(", "))]);
        }
        name
    }

    pub(crate) fn fn_type(&mut self, sig: &Sig) -> usize {
        if let Some(at) = self.fn_types.iter().position(|known| known.sig == *sig) {
            return at;
        }
        self.fn_types.push(FnType { sig: sig.clone(), cases: Vec::new() });
        self.fn_types.len() - 1
    }

    /// The zero value, if it is a constant: objects have to be made.
    pub(crate) fn zero(&mut self, ty: &Ty) -> Option<String> {
        Some(match self.under(ty) {
            Ty::Bool => "false".into(),
            Ty::Int(_) | Ty::Untyped | Ty::Float | Ty::Opaque(_) => "0".into(),
            Ty::Str => "s_empty".into(),
            Ty::Nil => "0".into(),
            Ty::Pointer(inner) if self.is_shadow(&inner) => "0".into(),
            Ty::Pointer(_) | Ty::Slice(_) | Ty::Map(..) | Ty::Chan(..) => "none".into(),
            Ty::Func(sig) => format!("fn{}_nil", self.fn_type(&sig)),
            Ty::Interface(_) => "any_nil".into(),
            Ty::Lib(lib) if is_reference(lib) => "none".into(),
            Ty::Lib(Lib::Testing | Lib::Thing) => "0".into(),
            _ if self.is_object(ty) => return None,
            Ty::Struct(_) => "0".into(),
            _ => return None,
        })
    }
}

/// What a field is called.
pub(crate) fn field_name(name: &str, at: usize) -> String {
    if name == "_" { format!("blank{at}") } else { safe(name) }
}
