//! Assigning values: to variables and fields, and to what is inside of them.

use net::{BinaryOp, Expr as NetExpr, Literal};

use crate::evaluate::{Fault, Parts, found, then, unless, unless_wrong};
use crate::formula::{all, and, any, compute, equal, not};
use crate::layout::{Layout, room};
use crate::path::{Location, Path, Row};
use crate::run::Runner;
use program::{Root, Selector, Target, Type};

impl Runner<'_> {
    /// Assigns a value of a type to a target.
    pub(crate) fn assign(&self, target: &Target, from: &Type, row: Row, path: Path) -> Parts<()> {
        let layout = &self.layout;
        match &target.root {
            Root::Local(id) => {
                let of = &target.of;
                let mut path = path;
                let before = path.env().get(id).cloned();
                let before = before.unwrap_or_else(|| layout.absent(of));
                then(self.inside(of, before, &target.path, from, row, path), |mut path, row| {
                    path.env().insert(*id, row);
                    found(path, ())
                })
            }
            Root::Global(id) => {
                let noted = self.note_write(Location::Global(*id), target, path);
                then(noted, |mut path, ()| {
                    let before = layout.global(*id, &mut path).row.clone();
                    let row = row.clone();
                    let inside = self.inside(&target.of, before, &target.path, from, row, path);
                    then(inside, |mut path, row| {
                        let global = layout.global(*id, &mut path);
                        global.row = row;
                        global.is_written = true;
                        found(path, ())
                    })
                })
            }
            Root::Field(object, field) => then(layout.object(object, path), |path, at| {
                let of = path.objects[at].of;
                let location = Location::Field(of, path.objects[at].id.clone(), *field);
                then(self.note_write(location, target, path), |path, ()| {
                    let range = layout.field(of, *field);
                    let before = path.objects[at].fields.row[range.clone()].to_vec();
                    let row = row.clone();
                    let inside = self.inside(&target.of, before, &target.path, from, row, path);
                    then(inside, |mut path, row| {
                        let fields = &mut path.objects[at].fields;
                        fields.row.splice(range.clone(), row);
                        fields.is_written = true;
                        found(path, ())
                    })
                })
            }),
        }
    }

    /// Notes that something is changed: an element of a sequence, or the whole.
    fn note_write(&self, location: Location, target: &Target, mut path: Path) -> Parts<()> {
        match (&path.accesses, &target.of, target.path.first()) {
            (Some(_), Type::Sequence(..), Some(Selector::Element(index))) => {
                then(self.layout.eval(index, path), |mut path, row| {
                    path.note(location.clone(), Some(row[0].clone()), true);
                    found(path, ())
                })
            }
            _ => {
                path.note(location, None, true);
                found(path, ())
            }
        }
    }

    /// A value of a type with another value inside of it.
    fn inside(
        &self,
        of: &Type,
        mut before: Row,
        way: &[Selector],
        from: &Type,
        row: Row,
        path: Path,
    ) -> Parts<Row> {
        let layout = &self.layout;
        let Some((first, rest)) = way.split_first() else {
            return self.layout.fit(row, from, of, path);
        };
        let inner = layout.program.inside(of, first);
        match first {
            Selector::Component(index) => {
                let range = layout.component(of, *index);
                let part = before[range.clone()].to_vec();
                then(self.inside(&inner, part, rest, from, row, path), |path, part| {
                    let mut row = before.clone();
                    row.splice(range.clone(), part);
                    found(path, row)
                })
            }
            Selector::Payload(case, index) => {
                let is_other = not(equal(before[0].clone(), NetExpr::int(*case as i64)));
                unless(
                    is_other,
                    || "it is another case".into(),
                    path,
                    |path| {
                        let range = layout.payload(of, *case, *index);
                        let part = layout.present(before[range.clone()].to_vec(), &inner);
                        then(self.inside(&inner, part, rest, from, row, path), |path, part| {
                            before.splice(range.clone(), part);
                            found(path, before.clone())
                        })
                    },
                )
            }
            Selector::Element(index) => then(layout.eval(index, path), |path, key| {
                let (before, row) = (before.clone(), row.clone());
                let part = layout.element(of, &before, &key, path);
                then(part, |path, part| {
                    let (before, key) = (before.clone(), key.clone());
                    then(self.inside(&inner, part, rest, from, row.clone(), path), |path, part| {
                        layout.with_element(of, before.clone(), key.clone(), part, path)
                    })
                })
            }),
        }
    }
}

impl Layout<'_> {
    /// A value of one type as one of another of the same kind: a fault where it is none.
    pub(crate) fn fit(&self, row: Row, from: &Type, to: &Type, path: Path) -> Parts<Row> {
        let misfit = self.misfit(&row, from, to);
        let why = || self.why_misfit(&row, from, to);
        unless_wrong(misfit, why, path, |path| found(path, self.resized(row.clone(), from, to)))
    }

    /// What is said of a value that does not fit, and the value if it is a number.
    fn why_misfit(&self, row: &[NetExpr], from: &Type, to: &Type) -> Fault {
        let bare = |of: &Type| match of {
            Type::Optional(inner) => Type::clone(inner),
            _ => of.clone(),
        };
        let why = "the value is out of range";
        match (bare(from), bare(to)) {
            (Type::Int { .. }, Type::Int { min, max }) => match &row[0] {
                NetExpr::Literal(Literal::Int(number)) => {
                    Fault::new(format!("{why}: {number} is not in {min}..={max}"), None)
                }
                value => {
                    let message = format!("{why}: it is not in {min}..={max}");
                    Fault::new(message, Some(value.clone()))
                }
            },
            (Type::Sequence(a, _), ref to @ Type::Sequence(ref b, most)) if b.includes(&a) => {
                Fault::full(&format!("{why}: it has more than {most} elements"), to)
            }
            _ => Fault::new(why.to_owned(), None),
        }
    }

    /// Whether a value of one type is none of another of the same kind.
    fn misfit(&self, row: &[NetExpr], from: &Type, to: &Type) -> NetExpr {
        let never = crate::formula::FALSE;
        if to.includes(from) {
            return never;
        }
        match (from, to) {
            (Type::Int { .. }, Type::Int { min, max }) => {
                let below = compute(BinaryOp::Less, row[0].clone(), NetExpr::int(*min));
                let above = compute(BinaryOp::Greater, row[0].clone(), NetExpr::int(*max));
                any([below, above])
            }
            (Type::Optional(from_inner), Type::Optional(to_inner)) => {
                let is_missing = self.is_missing(from, row);
                let inner = self.present(row.to_vec(), from_inner);
                and(not(is_missing), self.misfit(&inner, from_inner, to_inner))
            }
            (from, Type::Optional(to)) => self.misfit(row, from, to),
            (Type::Sequence(a, _), Type::Sequence(b, most)) => {
                let elements = self.elements(from, row);
                let wrong = elements
                    .into_iter()
                    .map(|(is_there, element)| and(is_there, self.misfit(&element, a, b)));
                let too_long =
                    compute(BinaryOp::Greater, row[0].clone(), NetExpr::int(room(*most).into()));
                any(wrong.chain([too_long]))
            }
            // Sets and maps have as many elements as their types say, and these are of one type.
            _ => all([never]),
        }
    }
}
