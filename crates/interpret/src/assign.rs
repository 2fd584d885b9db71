//! Assignment: to variables, and to what is inside of them.

use program::{Expr, FailureKind, FieldId, Form, GlobalId, LocalId, Root, Selector, Target, Type};

use crate::access::Location;
use crate::collection::index_in;
use crate::failure::Cause;
use crate::interpreter::Interpreter;
use crate::value::{Address, Value};
use crate::world::{Outcome, World, one, then};

/// What is assigned to, found.
pub(crate) struct Place {
    root: PlaceRoot,
    ways: Vec<Way>,
    of: Type,
}

enum PlaceRoot {
    Local(LocalId),
    Global(GlobalId),
    Field(Address, FieldId),
}

enum Way {
    Component(usize),
    Payload(usize, usize),
    Key(Value),
}

impl<'p> Interpreter<'p> {
    /// Finds what is assigned to, and assigns.
    pub(crate) fn assign_now(
        &self,
        target: &Target,
        value: Value,
        world: World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let place = self.place(target, &[], &world);
        then(one(world, place), |mut world, place| {
            let assigned = self.assign(&place, value.clone(), &mut world);
            one(world, assigned)
        })
    }

    /// Finds what is assigned to. Some operands may have been read before.
    pub(crate) fn place(
        &self,
        target: &Target,
        given: &[Option<Value>],
        world: &World,
    ) -> Result<Place, Cause> {
        let mut number = 0;
        let mut operand = |expr: &Expr| {
            number += 1;
            match given.get(number - 1).cloned().flatten() {
                Some(value) => Ok(value),
                None => world.scope().eval(expr),
            }
        };
        let root = match &target.root {
            Root::Local(local) => PlaceRoot::Local(*local),
            Root::Global(id) => PlaceRoot::Global(*id),
            Root::Field(object, field) => PlaceRoot::Field(operand(object)?.object()?, *field),
        };
        let mut ways = Vec::new();
        for way in &target.path {
            ways.push(match way {
                Selector::Component(index) => Way::Component(*index),
                Selector::Payload(case, index) => Way::Payload(*case, *index),
                Selector::Element(index) => Way::Key(operand(index)?),
            });
        }
        Ok(Place { root, ways, of: target.of.clone() })
    }

    pub(crate) fn assign(
        &self,
        place: &Place,
        value: Value,
        world: &mut World,
    ) -> Result<(), Cause> {
        let root = match place.root {
            PlaceRoot::Local(local) => world.local(local),
            PlaceRoot::Global(id) => {
                world.reader().access(Location::Global(id), true);
                let global = &mut world.state.globals[id.index()];
                return self.set(global, &place.ways, &place.of, value);
            }
            PlaceRoot::Field(object, field) => {
                world.reader().access(Location::Field(object, field), true);
                let fields = &mut world.state.objects[object.index()].fields;
                return self.set(&mut fields[field.index()], &place.ways, &place.of, value);
            }
        };
        match (root, &place.ways[..]) {
            (Some(root), ways) => self.set(root, ways, &place.of, value),
            (root, []) => {
                value.fit(self.program, &place.of)?;
                *root = Some(value);
                Ok(())
            }
            (None, _) => panic!("a variable has a value before it is changed"),
        }
    }

    fn set(&self, root: &mut Value, ways: &[Way], of: &Type, value: Value) -> Result<(), Cause> {
        let Some((first, rest)) = ways.split_first() else {
            value.fit(self.program, of)?;
            *root = value;
            return Ok(());
        };
        let inside = |way: &Selector| self.program.inside(of, way);
        match (root, first) {
            (Value::Record(all), Way::Component(index)) => {
                self.set(&mut all[*index], rest, &inside(&Selector::Component(*index)), value)
            }
            (Value::Case(case, all), Way::Payload(other, index)) => match case == other {
                true => {
                    let of = inside(&Selector::Payload(*other, *index));
                    self.set(&mut all[*index], rest, &of, value)
                }
                false => Err(FailureKind::OtherCase.into()),
            },
            (Value::Sequence(all), Way::Key(index)) => {
                let index = index_in(all.len(), index)?;
                self.set(&mut all[index], rest, &inside(&any_element()), value)
            }
            (Value::Map(all), Way::Key(key)) => {
                let inner = inside(&any_element());
                if let Some(element) = all.get_mut(key) {
                    return self.set(element, rest, &inner, value);
                }
                let Type::Map(keys, _, most) = of else { panic!("{of:?} is no map") };
                if !rest.is_empty() {
                    return Err(FailureKind::NoElement.into());
                }
                if all.len() >= *most as usize {
                    return Err(FailureKind::Full.into());
                }
                key.fit(self.program, keys)?;
                value.fit(self.program, &inner)?;
                all.insert(key.clone(), value);
                Ok(())
            }
            (root, _) => panic!("{root:?} has no such inside"),
        }
    }
}

/// The way to an element, whichever it is.
fn any_element() -> Selector {
    Selector::Element(Expr { form: Form::None, of: Type::Bool })
}
