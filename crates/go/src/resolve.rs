//! Types and constants as they are written.

use std::collections::HashMap;
use std::rc::Rc;

use crate::fx::Fx;
use crate::lib_types::{lib_const, lib_type};
use crate::packages::{is_qualified, is_whole, plain, qualified};
use crate::syntax::*;
use crate::types::{Field, Int, Konst, Sig, Ty};
use crate::world::{Entity, Item, Named, R, TypeDecl, refuse, refuse_as};

/// Whether a name of a package that is not known is taken for a type where one may stand.
fn is_type_name(path: &str, name: &str) -> bool {
    let known = [
        "sync",
        "sync/atomic",
        "context",
        "time",
        "testing",
        "fmt",
        "log",
        "errors",
        "math/rand",
        "math",
        "strings",
        "strconv",
        "runtime",
        "os",
        "sort",
        "io",
        "bytes",
        "unsafe",
        "os/signal",
        "syscall",
        "reflect",
    ];
    name.starts_with(char::is_uppercase)
        && !known.contains(&path)
        && !is_whole(path)
        && !path.starts_with("golang.org/x/")
}

/// Types that the language has.
pub(crate) fn builtin_type(name: &str) -> Option<Ty> {
    Some(match name {
        "bool" => Ty::Bool,
        "string" => Ty::Str,
        "int" => Ty::Int(Int::Plain),
        "int8" => Ty::Int(Int::Int8),
        "int16" => Ty::Int(Int::Int16),
        "int32" | "rune" => Ty::Int(Int::Int32),
        "int64" => Ty::Int(Int::Int64),
        "uint" | "uintptr" => Ty::Int(Int::Uint),
        "uint8" | "byte" => Ty::Int(Int::Uint8),
        "uint16" => Ty::Int(Int::Uint16),
        "uint32" => Ty::Int(Int::Uint32),
        "uint64" => Ty::Int(Int::Uint64),
        "float32" | "float64" | "complex64" | "complex128" => Ty::Float,
        "error" => Ty::error(),
        "any" | "comparable" => Ty::any(),
        _ => return None,
    })
}

impl Fx<'_, '_> {
    /// The package that a name stands for here.
    pub(crate) fn package(&self, expr: &Expr) -> Option<String> {
        let name = expr.name()?;
        if let Some(path) = crate::packages::imported(name) {
            return Some(path.to_owned());
        }
        if self.look_up(name).is_some() {
            return None;
        }
        self.w.imports.get(name).cloned()
    }

    /// The declaration that an expression names: one of the program, or of a package that is written in Go (`list.New`).
    pub(crate) fn declared(&self, expr: &Expr) -> Option<Item> {
        match &*expr.kind {
            ExprKind::Name(name) if self.look_up(name).is_none() => self.w.items.get(name).cloned(),
            ExprKind::Select(of, name) => {
                let path = self.package(of)?;
                self.w.items.get(&qualified(&path, &name.name)).cloned()
            }
            _ => None,
        }
    }

    /// The type that is written there, if it is one.
    pub(crate) fn as_type(&mut self, expr: &Expr) -> R<Option<Ty>> {
        let at = (expr.pos, expr.end);
        Ok(Some(match &*expr.kind {
            ExprKind::Name(name) => match self.look_up(name) {
                Some(Entity::Type(ty)) => ty,
                Some(Entity::GenericType(decl)) => self.instance(&decl, &[], at)?,
                Some(_) => return Ok(None),
                None => match self.w.items.get(name).cloned() {
                    Some(Item::Type(decl)) if decl.params.is_empty() => {
                        self.instance(&decl, &[], at)?
                    }
                    Some(Item::Type(_)) => {
                        return refuse(
                            at,
                            format!("`{name}` needs type arguments"),
                            "write them in brackets",
                        );
                    }
                    Some(_) => return Ok(None),
                    None => match builtin_type(name) {
                        Some(ty) => ty,
                        None => return Ok(None),
                    },
                },
            },
            ExprKind::Paren(inner) => return self.as_type(inner),
            ExprKind::Select(of, name) => match self.package(of) {
                Some(path) => match (self.declared(expr), lib_type(&path, &name.name)) {
                    (Some(Item::Type(decl)), _) if decl.params.is_empty() => {
                        self.instance(&decl, &[], at)?
                    }
                    (Some(_), _) => return Ok(None),
                    (None, Some(ty)) => ty,
                    // A type of a package that is not known: nothing can be done with it but to have it.
                    (None, None) if is_type_name(&path, &name.name) => {
                        Ty::Opaque("a type of another package")
                    }
                    (None, None) => return Ok(None),
                },
                None => return Ok(None),
            },
            ExprKind::Index(of, args) => {
                let decl = match self.declared(of) {
                    Some(Item::Type(decl)) if !decl.params.is_empty() => decl,
                    _ => match self.package(match &*of.kind {
                        ExprKind::Select(of, _) => of,
                        _ => of,
                    }) {
                        Some(path) => {
                            let ExprKind::Select(_, name) = &*of.kind else { return Ok(None) };
                            return Ok(lib_type(&path, &name.name));
                        }
                        None => return Ok(None),
                    },
                };
                let mut types = Vec::new();
                for arg in args {
                    types.push(self.ty(arg)?);
                }
                self.instance(&decl, &types, at)?
            }
            ExprKind::Star(inner) => match self.as_type(inner)? {
                Some(ty) => ty.pointer(),
                None => return Ok(None),
            },
            ExprKind::ArrayType(ArrayLen::None, element) => Ty::Slice(Rc::new(self.ty(element)?)),
            ExprKind::ArrayType(ArrayLen::Given(length), element) => {
                let element = self.ty(element)?;
                let length = self.expr(length, None)?;
                match length.konst {
                    Some(Konst::Int(n)) if (0..=256).contains(&n) => {
                        Ty::Array(n as u32, Rc::new(element))
                    }
                    Some(_) => {
                        return refuse_as(
                            "G0404",
                            at,
                            "this array is longer than 256 elements",
                            "use a shorter one",
                        );
                    }
                    None => {
                        return refuse(
                            at,
                            "the length of this array is no constant",
                            "write a number",
                        );
                    }
                }
            }
            ExprKind::ArrayType(ArrayLen::Counted, _) => return Ok(None),
            ExprKind::MapType(key, value) => {
                let key = self.ty(key)?;
                if self.w.is_object(&key) && !self.w.is_key(&key) {
                    return refuse(
                        at,
                        "the keys of this map are arrays, or structs with such",
                        "use a string or a number as key",
                    );
                }
                Ty::Map(Rc::new(key), Rc::new(self.ty(value)?))
            }
            ExprKind::ChanType(dir, element) => Ty::Chan(*dir, Rc::new(self.ty(element)?)),
            ExprKind::FuncType(of) => Ty::Func(Rc::new(self.signature(of)?)),
            ExprKind::StructType(fields) => {
                let mut all = Vec::new();
                for field in fields {
                    let ty = self.ty(&field.of)?;
                    let name = &field.name;
                    let ty = match field.embedded {
                        true => ty,
                        false => self.remarked(&name.name, name.pos, ty),
                    };
                    all.push(Field { name: field.name.name.clone(), ty, embedded: field.embedded });
                }
                Ty::Struct(Rc::new(all))
            }
            ExprKind::InterfaceType(elems) => {
                let mut methods = Vec::new();
                for elem in elems {
                    match elem {
                        InterfaceElem::Method(name, of) => {
                            methods.push((name.name.clone(), self.signature(of)?));
                        }
                        InterfaceElem::Types(types) => {
                            if let [one] = &types[..]
                                && let Some(ty) = self.as_type(one)?
                                && let Ty::Interface(more) = self.w.under(&ty)
                            {
                                methods.extend(more.iter().cloned());
                            }
                        }
                    }
                }
                methods.sort();
                methods.dedup();
                Ty::Interface(Rc::new(methods))
            }
            _ => return Ok(None),
        }))
    }

    /// The type that is written there.
    pub(crate) fn ty(&mut self, expr: &Expr) -> R<Ty> {
        let at = (expr.pos, expr.end);
        if let Some(ty) = self.as_type(expr)? {
            return Ok(ty);
        }
        let text = &self.w.text[expr.pos as usize..expr.end as usize];
        let text = text.lines().next().unwrap_or_default().to_owned();
        if let ExprKind::Select(of, _) = &*expr.kind
            && let Some(path) = self.package(of)
        {
            return refuse_as(
                "G0402",
                at,
                format!("the type `{text}` of package `{path}` is not known"),
                "declare a type of your own with what matters of it, or leave it out",
            );
        }
        refuse_as(
            "G0202",
            at,
            format!("there is no type named `{text}`"),
            "declare it, or correct the name",
        )
    }

    pub(crate) fn signature(&mut self, of: &FuncType) -> R<Sig> {
        let mut sig = Sig { variadic: of.variadic, ..Sig::default() };
        for param in &of.params {
            sig.params.push(self.ty(&param.of)?);
        }
        if of.variadic
            && let Some(last) = sig.params.pop()
        {
            sig.params.push(Ty::Slice(Rc::new(last)));
        }
        for result in &of.results {
            sig.results.push(self.ty(&result.of)?);
        }
        Ok(sig)
    }

    /// A type with a name, with its type arguments.
    pub(crate) fn instance(&mut self, decl: &Rc<TypeDecl>, args: &[Ty], at: (Pos, Pos)) -> R<Ty> {
        let known = |named: &Named| Rc::ptr_eq(&named.decl, decl) && named.args == args;
        if let Some(id) = self.w.named.iter().position(known) {
            return Ok(Ty::Named(id));
        }
        if args.len() != decl.params.len() {
            return refuse(
                at,
                "the number of type arguments is wrong",
                "give one for each parameter",
            );
        }
        if self.w.named.len() > 500 {
            return refuse(at, "there are more than 500 types", "use fewer type arguments");
        }
        if decl.alias {
            let mut fx = Fx::new(self.w, "type");
            fx.scopes.extend(decl.scopes.iter().cloned());
            return fx.ty(&decl.of);
        }
        let name = plain(&decl.name.name);
        let shown = match args.is_empty() {
            true => name.to_owned(),
            false => {
                let args: Vec<String> = args.iter().map(|arg| self.w.show(arg)).collect();
                format!("{name}[{}]", args.join(", "))
            }
        };
        // The name of the package's own type is taken by itself.
        let is_first = decl.scopes.is_empty() && args.is_empty() && !is_qualified(&decl.name.name);
        let kin = if is_first {
            let kin = crate::names::safe(&decl.name.name);
            self.w.names.insert(kin.clone());
            kin
        } else {
            let kin = self.w.fresh(&shown);
            if is_qualified(&decl.name.name) {
                self.w.shown.insert(kin.clone(), shown.clone());
            }
            kin
        };
        let id = self.w.named.len();
        let methods = match decl.scopes.is_empty() {
            true => self.w.methods.get(&decl.name.name).cloned().unwrap_or_default(),
            false => Default::default(),
        };
        self.w.named.push(Named {
            name: shown,
            kin,
            underlying: Ty::unit(),
            decl: decl.clone(),
            args: args.to_vec(),
            methods,
        });
        let mut fx = Fx::new(self.w, "type");
        fx.scopes.extend(decl.scopes.iter().cloned());
        let bound = decl.params.iter().zip(args).filter_map(|(param, arg)| {
            Some((param.name.as_ref()?.name.clone(), Entity::Type(arg.clone())))
        });
        fx.scopes.push(bound.collect::<HashMap<_, _>>());
        let of = fx.ty(&decl.of)?;
        let underlying = fx.w.under(&of);
        let remark = self.w.remark_on(decl.name.pos);
        let is_any = remark == Some(crate::remark::Remark::Any);
        let underlying = match underlying {
            Ty::Int(_) if is_any => crate::remark::ANY,
            underlying => underlying,
        };
        self.w.named[id].underlying = underlying;
        Ok(Ty::Named(id))
    }

    /// A constant of the package.
    pub(crate) fn constant(&mut self, name: &str, at: (Pos, Pos)) -> R<Option<(Konst, Ty)>> {
        if let Some(found) = self.w.constants.get(name) {
            return Ok(Some(found.clone()));
        }
        let Some(Item::Const(decl)) = self.w.items.get(name).cloned() else { return Ok(None) };
        if !self.w.resolving.insert(name.to_owned()) {
            return refuse(
                at,
                format!("the constant `{name}` is defined by itself"),
                "give it a value",
            );
        }
        let mut fx = Fx::new(self.w, "const");
        let value = fx.const_value(&decl.of, &decl.value, decl.iota, decl.name.pos);
        self.w.resolving.remove(name);
        let value = value?;
        self.w.constants.insert(name.to_owned(), value.clone());
        Ok(Some(value))
    }

    pub(crate) fn const_value(
        &mut self,
        of: &Option<Expr>,
        value: &Option<Expr>,
        iota: i128,
        pos: Pos,
    ) -> R<(Konst, Ty)> {
        let Some(value) = value else {
            return refuse((pos, pos + 1), "this constant has no value", "give it one");
        };
        let ty = match of {
            Some(of) => Some(self.ty(of)?),
            None => None,
        };
        let before = self.iota.replace(iota);
        let found = self.expr(value, ty.as_ref());
        self.iota = before;
        let found = found?;
        let at = (value.pos, value.end);
        match found.konst {
            Some(konst) => Ok((konst, ty.unwrap_or(found.ty))),
            None if matches!(self.w.under(&found.ty), Ty::Opaque(_) | Ty::Float) => {
                Ok((Konst::Float(0.0), ty.unwrap_or(found.ty)))
            }
            None => refuse(at, "this is no constant", "use a variable"),
        }
    }

    /// A constant of the standard library.
    pub(crate) fn library_constant(&mut self, path: &str, name: &str) -> Option<(Konst, Ty)> {
        lib_const(path, name)
    }
}
