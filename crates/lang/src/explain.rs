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
/// places. E06: constants given from outside. E07: classes and their symmetry. E08:
/// fairness. W: warnings.
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
    (
        "E0101",
        "Something else was expected here. The message says what; the grammar is in the description \
         of the language.",
    ),
    (
        "E0102",
        "Characters that belong to nothing. Names are made of the letters a to z and A to Z, digits \
         and `_`, and do not start with a digit; other names stand in backticks, which end on the \
         same line. In comments everything is allowed.",
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
         `next`, or write the name in backticks.",
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
    (
        "E0110",
        "A class has a name, then a word that says which of its members are alike, then their number or \
         their names: `class Site symmetric 5`. In a `symmetric` class all members are alike, in a \
         `cyclic` one they are alike but go round, in an `ordered` one each is different; after \
         `ordered`, `round` lets them go round all the same.",
    ),
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
         their own; constants, classes, their parts and members share one. The members of a class that \
         is given by its size are called by its name and a number: `Site1`, `Site2`.",
    ),
    (
        "E0205",
        "A variable may not have the name of a constant, a class, a part or a member: in a pattern the \
         name would be the constant. Rename the variable.",
    ),
    (
        "E0206",
        "No sort of this name is known. Sorts are `pid`, `bool`, ranges such as `0..=3`, and the names \
         of enumerations and classes. A part of a class is no sort. In a product of sorts, a product in a bound needs parentheses: \
         `pid * 0..=(2 * k)`.",
    ),
    (
        "E0207",
        "No transition of this name is declared. `enabled(t)` asks whether some mode of `t` can fire; \
         `fair transition t` assumes that `t` is not passed over for ever.",
    ),
    (
        "E0208",
        "No start thread has this name. Start threads get names by `start a: main, b: main`; initial \
         tokens may then hold their pids.",
    ),
    (
        "E0209",
        "A constant, or the size of a class, may use constants and classes declared before it, a `let` \
         may use those before it in its transition. None may use itself.",
    ),
    (
        "E0210",
        "The place has no column of this name. Columns get names where the place is declared: \
         `flow listening(open: 0..=3)`; `p.open` is known for a thread bound by `at` or `entering`.",
    ),
    (
        "E0211",
        "No part of this name is declared. Parts are declared with their class: \
         `class Proc symmetric leader 1, others 4`. What follows `in` is a part; where a quantifier is \
         meant, write `forall x in PLACE: …`.",
    ),
    (
        "E0212",
        "Fairness is assumed of `threads`, of a transition, or of the members of an enumeration or a class; \
         nothing of this name is one of these. Fairness of a part of a class, or of one member, cannot \
         be assumed.",
    ),
    (
        "E0213",
        "Transitions have a namespace of their own, so a class may share the name of one. After `fair` \
         either could be meant: write `fair transition NAME`, or `fair class NAME`.",
    ),
    (
        "E0301",
        "A value of another type is needed. The types are integers, truth values and the members of \
         each class; nothing is converted. Members are no numbers: `Level(3)` is the third member of \
         `Level`, `succ(x)` the one after `x`.",
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
         column, `_` for those that do not matter. The thread of a flow place is not among them. `succ` \
         and `pred` have a member and perhaps a number of steps, the relations have two threads.",
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
         of a token that is put, nor stand beside `all`; and a thread that is spoken of needs a name.",
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
         `(c and a) or (not c and b)`; between numbers compare in each case. Nor do they have `succ`, \
         `pred` and `in` of what the state holds; a member is compared with a part of one member by \
         `x == leader`.",
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
         transition that no tokens at all disable could never fire. `succ` and `pred` go at most \
         1,000,000 steps.",
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
        "E0701",
        "The members of a `symmetric` class are alike, and so are those of a `cyclic` class; the model \
         is folded as if nobody could tell them apart. So a transition cannot name one. If one of them \
         plays another part, say so: `class Proc symmetric leader 1, others 4`; a part of one member can \
         be named: `leader`. An initial token may name members if all of them are treated alike. A \
         property may name any member; it is told from the others while that property is checked.",
    ),
    (
        "E0702",
        "Members that are declared alike must be alike in the initial state: every permutation of a \
         `symmetric` class that keeps its parts, and every rotation of a `cyclic` one, must leave the \
         initial tokens as they are. Write `all` for one token for each member. If the members are not \
         alike, declare parts, or an `ordered` class.",
    ),
    (
        "E0703",
        "`succ` and `pred` are known in `cyclic` classes, where they go round, and in `ordered` ones. The \
         members of a `symmetric` class stand in no order.",
    ),
    (
        "E0704",
        "Members are compared by `<`, `<=`, `>` and `>=` only in an `ordered` class or an `enum`, in the \
         order of their declaration. In a `symmetric` or a `cyclic` class none comes first.",
    ),
    (
        "E0705",
        "A class has at least one member, and so has each of its parts. Where the size is computed, \
         see what the constants in it are.",
    ),
    ("E0706", "All classes of a model together have at most 2^20 members: 1,048,576."),
    (
        "E0707",
        "`all` stands for the members of the class of its column, one after the other. Ranges of \
         integers, truth values and pids are no classes.",
    ),
    (
        "E0708",
        "`all` is no value: it makes many tokens of one. It stands alone in a component of a token that \
         is taken, read or put, or of an initial token. A thread is at one place, and has one member \
         there; in patterns of threads, in `unless` and in `count`, a variable or `_` stands for any \
         member.",
    ),
    ("E0709", "A part belongs to one class. Only a member of that class can be in it."),
    (
        "E0710",
        "A part stands for a value where it has exactly one member. Of a larger one ask whether a member \
         is in it, `x in others`, or go through it, `all in others`.",
    ),
    (
        "E0711",
        "The members of a `cyclic` class are taken to one another by rotations, and no part but the whole \
         class is kept by them. So it has no parts.",
    ),
    (
        "E0712",
        "A token for all members stands for at most 2^20 choices of members: their number is the product \
         of the sizes of the classes, before conditions are asked. The conditions of initial tokens are \
         asked for each choice when the model is read, so long ones for many choices are refused, too.",
    ),
    (
        "E0713",
        "The class has no such member. Members are counted from 1; names that are made of the name of a \
         class and a number are kept for its members, also beyond the last. In an `ordered` class there \
         is none after the last, and none before the first. (Where that is not known beforehand, it is a \
         fault found when the transition fires.)",
    ),
    (
        "E0714",
        "`with` says for which members there is a token, `put sent(s, all r) with r != s`, or which tokens \
         disable a transition, `unless p(x) with x > 1`. What a single token must be like is said by its \
         pattern and by `when`.",
    ),
    (
        "E0715",
        "A component of an initial token is a constant, the name of a start thread, `all`, or a variable \
         of another `all`. Where it depends on another component, say so after the token: \
         `(all x, all y) with y == succ(x)`.",
    ),
    (
        "E0801",
        "`fair threads` assumes that no thread that could go on is passed over for ever. Threads are at \
         flow places, and the model has none; fairness of transitions and of classes can be assumed all \
         the same.",
    ),
    (
        "E0802",
        "What is assumed once is assumed. Strong fairness includes weak: who is enabled from some point on \
         is enabled again and again.",
    ),
    (
        "W0001",
        "The initial state has neither threads nor tokens. Only transitions without any input could \
         fire.",
    ),
    (
        "W0002",
        "A member of a class is enabled when a mode that can fire binds a variable of that class to it: \
         a parameter, a definition, or a variable in a pattern of what is taken or read, or of a thread \
         that takes part. No transition has such a variable, so no member is ever enabled or passed \
         over. `_`, `all` and what is local to an `unless` bind nobody.",
    ),
];
