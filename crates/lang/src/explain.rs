//! What the codes mean, at more length than a message has room for.

/// All codes, in order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|(code, _)| *code)
}

/// What a code means.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    CODES.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

/// E00: the text as a whole. E01: syntax. E02: names. E03: types. E04: numbers. E05: threads and
/// places. E06: constants given from outside. W: warnings.
const CODES: &[(&str, &str)] = &[
    (
        "E0001",
        "The text is longer than the limit. Models that large are generated; use constants, \
         parameters of transitions and multiplicities instead of many alike lines.",
    ),
    (
        "E0002",
        "Operations are nested too deeply within one another. A long chain such as `a + b + c + …` \
         counts as nested, too. Name parts of the expression with `let`.",
    ),
    ("E0003", "There were too many mistakes to list them all. Mend those listed and look again."),
    (
        "E0101",
        "Something else was expected here. The message says what; the grammar is in the description \
         of the language.",
    ),
    (
        "E0102",
        "Characters that belong to nothing. Names are made of the letters a to z and A to Z, digits \
         and `_`, and do not start with a digit. In comments everything is allowed.",
    ),
    ("E0103", "A comment that starts with `/*` ends with `*/`. Such comments do not nest."),
    (
        "E0104",
        "Numbers are decimal, between -2^53 and 2^53, perhaps with `_` between digits. Larger ones \
         could not be exchanged with other programs exactly.",
    ),
    (
        "E0105",
        "The operators are words: `and`, `or`, `not`, `implies`. Equality is `==`, inequality `!=`; \
         `=` only gives values to constants and definitions.",
    ),
    (
        "E0106",
        "Words of the language cannot be names, anywhere. Choose another name, such as `next_` for \
         `next`.",
    ),
    ("E0107", "The first line of a model is `model NAME`. There is one such line."),
    (
        "E0108",
        "Comparisons do not chain: write `a < b and b < c` for `a < b < c`. Nor do `until`, \
         `leads_to`, `AU` and `EU`: use parentheses.",
    ),
    (
        "E0109",
        "An operator on the future reaches as far to the right as it can: `always a implies b` is \
         `always (a implies b)`. Where another such operator follows `and` or `or`, or where `until` \
         and its kin follow, readers differ, so parentheses are needed.",
    ),
    ("E0110", "Colour classes are not part of the language yet; the word is reserved for them."),
    (
        "E0111",
        "A transition has at most one `when`, and it comes last. Join several conditions with `and`.",
    ),
    ("E0112", "A transition is closed with `}` before the next declaration starts."),
    (
        "E0201",
        "No place of this name is declared. Places are declared with `flow`, if threads are there, or \
         with `place`; before or after they are used.",
    ),
    (
        "E0202",
        "No constant of this name is declared. Only constants and members of enumerations can occur \
         where a value must be known from the start: bounds, multiplicities, initial tokens.",
    ),
    (
        "E0203",
        "A variable gets its value from a pattern in which it stands alone (`take place(x)`), from the \
         header of the transition, or from `let`. In `take place(x + 1)` nothing is bound: the token \
         must equal `x + 1`. Variables of an `unless` are known only within it; variables of a \
         property are bound by quantifiers.",
    ),
    (
        "E0204",
        "A name is declared twice. Places, transitions, properties and variables have namespaces of \
         their own; constants, enumerations and members share one.",
    ),
    (
        "E0205",
        "A variable may not have the name of a constant, an enumeration or a member: in a pattern the \
         name would be the constant. Rename the variable.",
    ),
    (
        "E0206",
        "No sort of this name is known. Sorts are `pid`, `bool`, ranges such as `0..=3`, and the names \
         of enumerations. In a product of sorts, a product in a bound needs parentheses: \
         `pid * 0..=(2 * k)`.",
    ),
    (
        "E0207",
        "No transition of this name is declared. `enabled(t)` asks whether some mode of `t` can fire.",
    ),
    (
        "E0208",
        "No start thread has this name. Start threads get names by `start a: main, b: main`; initial \
         tokens may then hold their pids.",
    ),
    (
        "E0209",
        "A constant may use constants declared before it, a `let` may use those before it in its \
         transition. Neither may use itself.",
    ),
    (
        "E0210",
        "The place has no column of this name. Columns get names where the place is declared: \
         `flow listening(open: 0..=3)`; `p.open` is known for a thread bound by `at` or `entering`.",
    ),
    (
        "E0301",
        "A value of another type is needed. The types are integers, truth values and the members of \
         each enumeration; nothing is converted. Members are only compared by `==` and `!=`.",
    ),
    (
        "E0302",
        "A pid is used as a datum, or a datum as a pid. Pids are black boxes: they are compared by \
         `==`, `!=`, `parent`, `ancestor`, `next_sibling` and `elder_sibling`, and stored in columns \
         of sort `pid`. No pid can be written down and nothing can be computed from one.",
    ),
    (
        "E0303",
        "The number of components is wrong. In parentheses after a place stands one argument for each \
         column, `_` for those that do not matter. The thread of a flow place is not among them.",
    ),
    (
        "E0304",
        "A transition sees only the tokens it names. How many tokens there are, where a thread is, and \
         what will happen are questions for properties; in a transition use `read` and `unless`.",
    ),
    (
        "E0305",
        "A statement about the future, or about all threads or tokens, is no value: it can be \
         connected by `not`, `and`, `or`, `implies`, but not compared or computed with.",
    ),
    (
        "E0306",
        "`_` matches anything in a pattern. It has no value, so it cannot be part of an expression or \
         of a token that is put; and a thread that is spoken of needs a name.",
    ),
    (
        "E0307",
        "Tuples such as `(a, 0)` are only written for the initial tokens of a place. Elsewhere the \
         components stand in the parentheses of the place.",
    ),
    (
        "E0308",
        "The relations between pids are asked of variables. Give the pid a name with `let` first.",
    ),
    (
        "E0310",
        "Terms of properties have no `if` that depends on the state. Between truth values write \
         `(c and a) or (not c and b)`; between numbers compare in each case.",
    ),
    ("E0401", "A range contains at least one value. `a..=b` includes `b`, `a..b` does not."),
    (
        "E0402",
        "A range has at most 2^32 - 1 values, so that each fits into 32 bits, and its bounds lie \
         between -2^53 and 2^53.",
    ),
    (
        "E0403",
        "The value is known, and lies outside the range of the column. A token with it can neither be \
         made nor matched. (Where the value is not known, leaving the range is a fault found when the \
         transition fires.)",
    ),
    (
        "E0404",
        "The divisor is known to be zero. Where that depends on a constant, test the constant first: \
         what follows `k > 0 and …` is not evaluated if `k` is 0.",
    ),
    ("E0405", "The value of a constant expression needs more than 64 bits."),
    (
        "E0406",
        "A multiplicity is a constant between 0 and 1,000,000; after `unless` at least 1, since a \
         transition that no tokens at all disable could never fire.",
    ),
    ("E0407", "A transition creates at most 100,000 children at once."),
    ("E0408", "At most 1,000,000 tokens are in the initial state."),
    ("E0409", "At most 100,000 threads are in the initial state."),
    ("E0410", "A model has at most 100,000 places, and a place at most 64 columns."),
    (
        "E0411",
        "A transition has at most 256 inputs (threads that take part, tokens taken or read, \
         parameters), 256 definitions, and 256 `unless`.",
    ),
    (
        "E0501",
        "Threads are in a flow place, and they are not taken and put like tokens: they `move`, `stay`, \
         `end` and are created by `spawn`. To look at a thread, name it: `read h: ready`, \
         `unless _: ready`. In properties `at` is for threads and `in` for tokens.",
    ),
    (
        "E0502",
        "Only flow places have threads. The tokens of other places are handled by `take`, `read` and \
         `put`. In properties `at` is for threads and `in` for tokens.",
    ),
    (
        "E0503",
        "A thread takes part in a transition once: it moves, stays or ends. A second thread needs a \
         second variable.",
    ),
    (
        "E0504",
        "Children are created by a thread that takes part: one that moves, stays or ends in this \
         transition. A thread that is only read does not take part, and a child created in this step \
         does not yet.",
    ),
    (
        "E0505",
        "A child exists only after the transition has fired. Patterns, guards and definitions are \
         decided before, so it cannot occur in them; it can occur in what is put, and in the values \
         of `move` and `spawn`.",
    ),
    ("E0506", "Initial tokens are written for one place. Declare places with tokens one by one."),
    ("E0601", "A value was given for a constant that the model does not declare."),
    (
        "E0602",
        "The value given for a constant is of another type than the one written in the model. Values \
         are integers, `true`, `false` and members of enumerations, not expressions.",
    ),
    ("E0603", "The value given for a constant does not lie between -2^53 and 2^53."),
    (
        "W0001",
        "The initial state has neither threads nor tokens. Only transitions without any input could \
         fire.",
    ),
];
