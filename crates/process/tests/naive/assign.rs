//! Assignment: to variables, and to what is inside of them.

use program::{Expr, FieldId, Form, GlobalId, LocalId, Root, Selector, Target, Type};

use crate::access::Location;
use crate::at_once::World;
use crate::code::Code;
use crate::value::{Fault, Value};

/// What is assigned to, found.
pub struct Place {
    root: PlaceRoot,
    ways: Vec<Way>,
    of: Type,
}

enum PlaceRoot {
    Local(LocalId),
    Global(usize),
    Field(u32, usize),
}

enum Way {
    Component(usize),
    Payload(usize, usize),
    Key(Value),
}

impl Code<'_> {
    /// Finds what is assigned to. Some operands may have been read before.
    pub fn place(
        &self,
        target: &Target,
        given: &[Option<Value>],
        world: &World,
    ) -> Result<Place, Fault> {
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
            Root::Global(id) => PlaceRoot::Global(id.index()),
            Root::Field(object, field) => {
                PlaceRoot::Field(operand(object)?.object()?, field.index())
            }
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

    pub fn assign(&self, place: &Place, value: Value, world: &mut World) -> Result<(), Fault> {
        let program = self.program;
        let is_plain = world.inside == 0;
        let root = match place.root {
            PlaceRoot::Local(local) => world.local(local),
            PlaceRoot::Global(index) => {
                world.accesses.note(Location::Global(GlobalId(index as u32)), true, is_plain);
                return self.set(&mut world.state.globals[index], &place.ways, &place.of, value);
            }
            PlaceRoot::Field(object, field) => {
                let id = FieldId(field as u32);
                world.accesses.note(Location::Field(object, id), true, is_plain);
                let fields = &mut world.state.objects[object as usize].fields;
                return self.set(&mut fields[field], &place.ways, &place.of, value);
            }
        };
        match (root, &place.ways[..]) {
            (Some(root), ways) => self.set(root, ways, &place.of, value),
            (None, []) if !value.fits(program, &place.of) => Err(Fault("it is out of range")),
            (root, []) => {
                *root = Some(value);
                Ok(())
            }
            (None, _) => panic!("a variable has a value before it is changed"),
        }
    }

    fn set(&self, root: &mut Value, ways: &[Way], of: &Type, value: Value) -> Result<(), Fault> {
        let missing = Fault("there is no such element");
        let Some((first, rest)) = ways.split_first() else {
            if !value.fits(self.program, of) {
                return Err(Fault("it is out of range"));
            }
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
                false => Err(Fault("it is of another case")),
            },
            (Value::Sequence(all), Way::Key(index)) => {
                let index = usize::try_from(index.int()).map_err(|_| missing)?;
                let element = all.get_mut(index).ok_or(missing)?;
                self.set(element, rest, &inside(&Selector::Element(of_nothing())), value)
            }
            (Value::Map(all), Way::Key(key)) => {
                let inner = inside(&Selector::Element(of_nothing()));
                if let Some(element) = all.get_mut(key) {
                    return self.set(element, rest, &inner, value);
                }
                let Type::Map(keys, _, most) = of else { panic!("{of:?} is no map") };
                if !rest.is_empty() {
                    return Err(missing);
                }
                if all.len() >= *most as usize || !key.fits(self.program, keys) {
                    return Err(Fault("there is no room"));
                }
                if !value.fits(self.program, &inner) {
                    return Err(Fault("it is out of range"));
                }
                all.insert(key.clone(), value);
                Ok(())
            }
            (root, _) => panic!("{root:?} has no such inside"),
        }
    }
}

/// An expression that nobody evaluates.
fn of_nothing() -> Expr {
    Expr { form: Form::None, of: Type::Bool }
}
