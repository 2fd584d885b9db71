//! What the codes of errors mean, at length.

/// What is wrong, why it matters, and what to do, for each code.
const EXPLANATIONS: &[(&str, &str)] = &[
    (
        "P0001",
        "The document is larger than the limit given for reading it. Raise the limit if the document is to be trusted.",
    ),
    (
        "P0002",
        "The text is not well-formed XML: tags do not match, something is not closed, or something stands outside of the one outermost element. Nothing after this place is read.",
    ),
    (
        "P0003",
        "The document has a document type (<!DOCTYPE …>). Document types can define entities that grow without bound when they are put in, and refer to other files. PNML needs none: remove it.",
    ),
    (
        "P0004",
        "Elements are nested too deeply. Long sums, conjunctions and disjunctions need not be nested: these take any number of parts side by side.",
    ),
    (
        "P0005",
        "The document is not in an encoding that is read. Documents are UTF-8 (or ASCII) unless their first line declares ISO 8859-1.",
    ),
    (
        "P0006",
        "XML allows no control characters besides tab and line ends. A zero character usually means that the file is not text, or damaged.",
    ),
    (
        "P0007",
        "The attributes of a tag are not well-formed: each is a name, an equals sign and a value in quotes, with blanks between them, and none is given twice.",
    ),
    (
        "P0008",
        "A reference (`&…;`) stands for no character. Documents without document types have `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;`, and numbers of characters.",
    ),
    (
        "P0101",
        "The outermost element, or its namespace, is not that of the kind of document that was to be read.",
    ),
    (
        "P0102",
        "The type of a net says what its labels mean. P/T nets and symmetric nets of the 2009 version of PNML are read. A net that is said to be of another type is read as a symmetric net if it has labels with structure, and as a P/T net otherwise; what neither of them has is then reported where it stands.",
    ),
    (
        "P0103",
        "An element stands where none of its name can stand. Within terms and sorts, and where it is misspelt, this is an error, since the net would mean something else without it. Elsewhere it is ignored, with one warning for all such elements.",
    ),
    (
        "P0104",
        "Text stands where there can only be elements. It is ignored. Labels have their text in an element `text` of their own.",
    ),
    ("P0105", "An attribute that is needed is missing or empty."),
    (
        "P0106",
        "An element has an attribute that it cannot have. It is ignored, with one warning for all of them; attributes that would change what the net means are refused.",
    ),
    ("P0107", "Something that has to be in an element is not there."),
    (
        "P0108",
        "An element holds something twice that can be there once. Which of the two is meant cannot be known.",
    ),
    (
        "P0109",
        "A number is not written as one, or is outside of what is read: multiplicities are from 0 to 2^64 - 1, elements of ranges are integers of 64 bits.",
    ),
    (
        "P0110",
        "An operator has more or fewer subterms than it takes. Each subterm stands in an element `subterm` of its own.",
    ),
    (
        "P0111",
        "P/T nets and symmetric nets have different labels: `initialMarking` and `inscription` hold a number, `type`, `hlinitialMarking`, `hlinscription`, `condition` and `declaration` are of symmetric nets.",
    ),
    (
        "P0112",
        "The standard has sorts and operators for high-level nets which symmetric nets do not have: numbers, strings, lists, and what is declared without being defined. Such nets have no finite classes to fold.",
    ),
    (
        "P0113",
        "Tools add to nets what gives them another meaning: arcs that inhibit, test or reset, capacities of places, priorities, time. Such a net is refused, since what was found out about it would be about another net. Inhibitor arcs can be said in a `.kin` model by `unless`; a test is an arc and one back; a capacity is a second place for what is free.",
    ),
    (
        "P0114",
        "Something is not written as the standard has it, but can only mean one thing: nodes outside of a page, `<value>` for `<text>`, a number of tokens in an attribute. It is read so.",
    ),
    ("P0201", "Two things that can be meant in the same place have the same identifier."),
    ("P0202", "An arc starts or ends at an identifier that no place and no transition has."),
    (
        "P0203",
        "Arcs lead from a place to a transition, or from a transition to a place; a reference counts as what it stands for.",
    ),
    (
        "P0204",
        "A reference place stands for a place, a reference transition for a transition, perhaps by way of other references, but not in a circle.",
    ),
    ("P0205", "A sort is used that is not declared in the net."),
    (
        "P0206",
        "A variable is used that is not declared in the net, or in the definition of an operator one that is not its parameter.",
    ),
    ("P0207", "A constant or operator is used that is not declared in the net."),
    ("P0208", "A partition is used that is not declared in the net."),
    ("P0209", "A sort or an operator is defined by itself, perhaps by way of others."),
    ("P0301", "A sort has more elements, or more columns, than the limit given for reading."),
    ("P0302", "A range is empty, or a constant is not in its range."),
    (
        "P0303",
        "An enumeration stands within another sort or at a place. It is a class of its own only if it is a named sort.",
    ),
    (
        "P0305",
        "A term is of another sort than the one it has to have. Enumerations are the same only if they are the same declaration, ranges if they have the same ends.",
    ),
    ("P0306", "A place of a product sort holds tuples with one component for each factor."),
    ("P0307", "An initial marking is a fixed multiset; a variable has no value in it."),
    (
        "P0308",
        "Successors and predecessors are of cyclic enumerations, comparisons of ranges, enumerations and numbers, comparisons of parts of the parts of one partition.",
    ),
    (
        "P0309",
        "The parts of a partition are disjoint, consist of elements of the class that it divides, and are together the whole class.",
    ),
    (
        "P0401",
        "A property speaks of a place or a transition that the net does not have. Properties use identifiers, not names.",
    ),
    (
        "P0402",
        "A formula has parts that do not go together: integers are compared, formulas are joined.",
    ),
    (
        "P0403",
        "The formula has a meaning, but is neither of branching time (CTL: each operator on paths right under a quantifier of paths) nor of linear time (LTL: one quantifier in front of everything), or it is about more than the present marking where that is not possible.",
    ),
    (
        "P0501",
        "The document holds several nets, and a model is one of them. Put the one that is meant into a document of its own.",
    ),
    (
        "P0502",
        "A class has very many members, or tokens go through very many choices of them. Nets are made with at most 2^20 members, and arcs and initial tokens with at most 2^20 choices each.",
    ),
    (
        "P0503",
        "There are more tokens than can be counted: 2^32 copies of one token on an arc or in the initial marking, or as many in one place at the beginning.",
    ),
    (
        "P0504",
        "The term has a meaning, but a net cannot say it. How often a token is moved is a constant in a net, not a function of the variables; elements are compared and have successors, multisets of all members under a condition do not; tokens that consist of truth values alone are moved whatever the variables are.",
    ),
    (
        "P0505",
        "Operators with names stand for the terms that define them, parts of partitions for their elements, tuples of sums for the sum of the tuples, and differences for all cases of which elements are equal. Written out, the terms of this net are too large or nested too deeply. Use fewer operators within operators, and subtract less at once.",
    ),
    (
        "P0506",
        "A transition takes too many different tokens, or has too many variables that no token binds: more than 256 together. Use `<all>` for the members of a class, `<numberof>` for copies of one token, or several transitions.",
    ),
];

/// What a code means, at length.
#[must_use]
pub fn explain(code: &str) -> Option<&'static str> {
    EXPLANATIONS.iter().find(|(known, _)| *known == code).map(|(_, text)| *text)
}

/// All codes.
pub fn codes() -> impl Iterator<Item = &'static str> {
    EXPLANATIONS.iter().map(|(code, _)| *code)
}
