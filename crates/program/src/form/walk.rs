//! Going through programs: what is right inside of expressions and statements, to be looked at or changed.

use super::{Action, Block, Domain, Expr, Form, LocalId, Operation, Root, Selector, Target};

/// What is right inside, borrowed in one way or the other.
macro_rules! walk {
    (
        $children:ident, $results:ident, $targets:ident, $blocks:ident, $exprs:ident, $operands:ident,
        $iter:ident $(, $mutable:tt)?
    ) => {
        impl Expr {
            /// The expressions right under this one.
            #[must_use]
            pub fn $children(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match &$($mutable)? self.form {
                    Form::Literal(_)
                    | Form::Initial(_)
                    | Form::None
                    | Form::Local(_)
                    | Form::Global(_)
                    | Form::This => vec![],
                    Form::Some(a)
                    | Form::Unwrap(a)
                    | Form::Sure(a)
                    | Form::Field(a, _)
                    | Form::Ended(a)
                    | Form::Component(a, _)
                    | Form::Is(a, _)
                    | Form::Payload(a, ..)
                    | Form::Unary(_, a)
                    | Form::Shift(a, _) => vec![a],
                    Form::Record(all)
                    | Form::Case(_, all)
                    | Form::Collection(all)
                    | Form::On(_, all) => all.$iter().collect(),
                    Form::Quantified(_, _, a, b) | Form::Binary(_, a, b) => vec![a, b],
                    Form::If(a, b, c) => vec![a, b, c],
                }
            }
        }

        impl Operation {
            /// The variables that it gives a value.
            #[must_use]
            pub fn $results(&$($mutable)? self) -> Vec<&$($mutable)? LocalId> {
                match self {
                    Operation::Step { result, .. } | Operation::Join(_, result) => {
                        result.$iter().collect()
                    }
                    Operation::JoinAny(_, which, result) => which.$iter().chain(result).collect(),
                    Operation::Await(_) => vec![],
                }
            }
        }

        impl Action {
            /// What it assigns to, itself.
            #[must_use]
            pub fn $targets(&$($mutable)? self) -> Vec<&$($mutable)? Target> {
                match self {
                    Action::Assign(target, _) | Action::New(target, ..) => vec![target],
                    Action::Spawn(target, ..) | Action::Call(target, ..) => target.$iter().collect(),
                    _ => vec![],
                }
            }

            /// The blocks right inside of it.
            #[must_use]
            pub fn $blocks(&$($mutable)? self) -> Vec<&$($mutable)? Block> {
                match self {
                    Action::If(_, a, b) => vec![a, b],
                    Action::Loop(_, block)
                    | Action::Block(block)
                    | Action::Atomic(block)
                    | Action::Defer(block) => vec![block],
                    Action::Either(blocks) => blocks.$iter().collect(),
                    Action::Select(select) => {
                        let arms = select.arms.$iter().map(|arm| &$($mutable)? arm.body);
                        arms.chain(&$($mutable)? select.otherwise).collect()
                    }
                    _ => vec![],
                }
            }
        }

        impl Action {
            /// The expressions right inside of it, not those in its blocks.
            pub fn $exprs(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match self {
                    Action::Assign(target, value) => {
                        target.$operands().into_iter().chain([value]).collect()
                    }
                    Action::New(target, _, arguments) => {
                        target.$operands().into_iter().chain(arguments).collect()
                    }
                    Action::Spawn(target, _, arguments) | Action::Call(target, _, arguments) => {
                        target.$iter().flat_map(Target::$operands).chain(arguments).collect()
                    }
                    Action::If(condition, ..) | Action::Assert(condition) | Action::Require(condition) => {
                        vec![condition]
                    }
                    Action::Return(value) => value.$iter().collect(),
                    Action::Choose(_, domain, when) => {
                        let domain = match domain {
                            Domain::Range(from, to) => vec![from, to],
                            Domain::Collection(over) => vec![over],
                            Domain::Type(_) | Domain::Forgotten(_) => vec![],
                        };
                        domain.into_iter().chain(when).collect()
                    }
                    Action::Kill(handle) | Action::Crash(handle) => vec![handle],
                    Action::Select(select) => {
                        let arms = select.arms.$iter();
                        arms.flat_map(|arm| arm.when.$iter().chain(arm.operation.$exprs())).collect()
                    }
                    Action::Loop(..)
                    | Action::Break(_)
                    | Action::Continue(_)
                    | Action::Block(_)
                    | Action::Either(_)
                    | Action::Atomic(_)
                    | Action::Label(_)
                    | Action::Defer(_) => vec![],
                }
            }
        }

        impl Operation {
            fn $exprs(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match self {
                    Operation::Await(condition) => vec![condition],
                    other => other.$operands(),
                }
            }

            /// What is evaluated when it is come to.
            pub fn $operands(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                match self {
                    Operation::Step { object, arguments, .. } => {
                        [object].into_iter().chain(arguments).collect()
                    }
                    Operation::Join(handle, _) | Operation::JoinAny(handle, ..) => vec![handle],
                    Operation::Await(_) => vec![],
                }
            }
        }

        impl Target {
            /// What is evaluated to find it.
            pub fn $operands(&$($mutable)? self) -> Vec<&$($mutable)? Expr> {
                let object = match &$($mutable)? self.root {
                    Root::Field(object, _) => Some(object),
                    Root::Local(_) | Root::Global(_) => None,
                };
                let indices = self.path.$iter().filter_map(|selector| match selector {
                    Selector::Element(index) => Some(index),
                    Selector::Component(_) | Selector::Payload(..) => None,
                });
                object.into_iter().chain(indices).collect()
            }
        }
    };
}

walk!(children, results, targets, blocks, exprs, operands, iter);
walk!(children_mut, results_mut, targets_mut, blocks_mut, exprs_mut, operands_mut, iter_mut, mut);
