//! The reserved words. Most are names nowhere, so that a mistake in one line is found in that line; a few
//! are where nothing is ambiguous ([`crate::soft`]).

macro_rules! keywords {
    ($($name:ident $text:literal)*) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Keyword { $($name),* }

        impl Keyword {
            /// All of them.
            pub(crate) const ALL: &[Keyword] = &[$(Keyword::$name),*];

            /// How it is written.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text),* }
            }

            /// The reserved word that is written like this.
            pub(crate) fn parse(text: &str) -> Option<Keyword> {
                match text {
                    $($text => Some(Keyword::$name),)*
                    _ => None,
                }
            }
        }
    };
}

keywords! {
    Model "model" Const "const" Enum "enum" Class "class" Flow "flow" Place "place" Start "start"
    Transition "transition" Fair "fair" Strongly "strongly" Property "property"
    Symmetric "symmetric" Cyclic "cyclic" Ordered "ordered" All "all" Except "except"
    Bool "bool" Pid "pid" Of "of" Times "times"
    Idle "idle" Forgotten "forgotten" Passive "passive" Crash "crash"
    Move "move" Stay "stay" End "end" Spawn "spawn" From "from" New "new"
    Take "take" Read "read" Put "put" Unless "unless" With "with" Let "let" When "when"
    True "true" False "false" If "if" Then "then" Else "else"
    And "and" Or "or" Not "not" Implies "implies"
    Succ "succ" Pred "pred"
    Parent "parent" Ancestor "ancestor" NextSibling "next_sibling" ElderSibling "elder_sibling"
    DeadlockFree "deadlock_free" Always "always" Never "never" Reachable "reachable"
    Eventually "eventually" Next "next" Until "until" LeadsTo "leads_to"
    AG "AG" AF "AF" AX "AX" EG "EG" EF "EF" EX "EX" AU "AU" EU "EU"
    Forall "forall" Exists "exists" At "at" In "in" Entering "entering" Most "most"
    Count "count" Ended "ended" Enabled "enabled"
}

impl Keyword {
    /// Whether a declaration starts with it.
    pub(crate) fn starts_declaration(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Model
                | Const
                | Enum
                | Class
                | Flow
                | Idle
                | Forgotten
                | Place
                | Start
                | Transition
                | Fair
                | Strongly
                | Property
        )
    }

    /// Whether an item of a transition starts with it.
    pub(crate) fn starts_item(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Passive
                | Move
                | Stay
                | End
                | Crash
                | Spawn
                | New
                | Take
                | Read
                | Put
                | Unless
                | Let
                | When
        )
    }

    /// Whether it is followed by its arguments.
    pub(crate) fn is_called(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Parent | Ancestor | NextSibling | ElderSibling | Succ | Pred | Count | Ended | Enabled
        )
    }

    /// Whether an operand of a formula starts with it.
    pub(crate) fn starts_operand(self) -> bool {
        use Keyword::*;
        crate::operator::path_op(self).is_some()
            || self.is_called()
            || matches!(self, Not | True | False | If | Forall | Exists | DeadlockFree)
    }
}
