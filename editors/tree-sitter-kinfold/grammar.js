/**
 * The grammar of .kin models, for editors: what docs/language.md and docs/processes.md describe, somewhat more loosely. What
 * nets say (transitions, properties) and what processes do are two languages in one file, with words of their own: a
 * process may have a variable `take`. So there are formulas, in declarations of nets and in properties, and values, in
 * processes, made by the same rules with different words.
 *
 * No statement is separated from the next by a sign or by a line; each starts with a word or a name, and no expression
 * goes on with one.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// From loose to tight, as in crates/lang/src/operator.rs.
const LEVEL = {
  quantified: 1,
  until: 2,
  implies: 3,
  or: 4,
  and: 5,
  not: 6,
  compare: 7,
  range: 8,
  sum: 9,
  product: 10,
  negate: 11,
  call: 12,
};


const list = (rule) => seq(rule, repeat(seq(",", rule)));
const optionalList = (rule) => optional(list(rule));
const inParens = (rule) => seq("(", optionalList(rule), ")");
// A comma may stand before the brace.
const inBraces = (rule) => seq("{", optional(seq(list(rule), optional(","))), "}");

/**
 * Operators between operands, for one of the two kinds of expressions.
 * @param {GrammarSymbols<string>} $
 * @param {RuleOrLiteral} operand
 * @param {[number, RuleOrLiteral][]} more
 */
const operators = ($, operand, more) => {
  const table = [
    [LEVEL.implies, "implies"],
    [LEVEL.or, "or"],
    [LEVEL.and, "and"],
    [LEVEL.compare, choice("==", "!=", "<", "<=", ">", ">=")],
    [LEVEL.sum, choice("+", "-")],
    [LEVEL.product, choice("*", "/", "%")],
    ...more,
  ];
  return choice(
    ...table.map(([level, operator]) => {
      const side = level === LEVEL.implies ? prec.right : prec.left;
      return side(
        level,
        seq(field("left", operand), field("operator", operator), field("right", operand)),
      );
    }),
  );
};

module.exports = grammar({
  name: "kinfold",

  word: ($) => $.identifier,

  extras: ($) => [/\s/, "\uFEFF", $.line_comment, $.block_comment],

  supertypes: ($) => [$._declaration, $._item, $._statement, $._formula, $._value, $._sort, $._type],

  inline: ($) => [$._name, $._member_name],


  rules: {
    source_file: ($) => repeat($._declaration),

    line_comment: () => token(seq("//", /[^\n]*/)),
    block_comment: () => token(seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/")),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    quoted_identifier: () => /`[^`\n]+`/,
    integer: () => /[0-9][0-9_]*/,
    wildcard: () => "_",

    _name: ($) => choice($.identifier, $.quoted_identifier),

    _declaration: ($) =>
      choice(
        $.model_declaration,
        $.const_declaration,
        $.enum_declaration,
        $.class_declaration,
        $.flow_declaration,
        $.place_declaration,
        $.start_declaration,
        $.new_declaration,
        $.transition_declaration,
        $.fair_declaration,
        $.property_declaration,
        $.process_declaration,
        $.function_declaration,
        $.object_declaration,
        $.record_declaration,
        $.shared_declaration,
      ),

    // Nets.

    model_declaration: ($) => seq("model", field("name", $._name)),

    const_declaration: ($) => seq("const", field("name", $._name), "=", field("value", $._formula)),

    enum_declaration: ($) => seq("enum", field("name", $._name), inBraces($.enum_member)),
    enum_member: ($) => seq(field("name", $._name), optional(inParens($.component))),

    class_declaration: ($) =>
      seq(
        "class",
        field("name", $._name),
        choice("fresh", seq(choice("symmetric", "cyclic", seq("ordered", optional("round"))), list($.class_part))),
      ),
    // A minus after a name goes on with it.
    class_part: ($) => prec(-1, seq(optional(field("name", $._name)), choice($._bound, $.class_members))),
    class_members: ($) => inBraces($._name),

    flow_declaration: ($) => seq(optional(choice("idle", "forgotten")), "flow", list($.place)),
    place_declaration: ($) =>
      seq(
        "place",
        list($.place),
        optional(seq(":", alias($.factor, $.column), repeat(seq("*", alias($.factor, $.column))))),
        optional(seq("=", list($.initial_tokens))),
      ),
    place: ($) => seq(field("name", $._name), optional(inParens($.column))),
    column: ($) =>
      seq(optional("owner"), optional($._column_name), field("sort", $._sort), optional("?")),
    // `owner` is reserved nowhere: a column may have that name.
    _column_name: ($) => seq(field("name", choice($._name, alias("owner", $.identifier))), ":"),
    // A column of a product of sorts, in whose bounds a product stands in parentheses.
    factor: ($) => seq(optional("owner"), field("sort", choice($.primitive_sort, $.named_sort, $.group_sort, alias($.range_factor, $.range_sort))), optional("?")),
    range_factor: ($) => seq(field("low", $._sum), choice("..=", ".."), field("high", $._sum)),
    _sum: ($) => choice($._name, $.integer, $.parenthesized_formula, alias($.sum_operation, $.binary_formula), alias($.sum_negation, $.unary_formula)),
    sum_operation: ($) =>
      prec.left(LEVEL.sum, seq(field("left", $._sum), field("operator", choice("+", "-")), field("right", $._sum))),
    sum_negation: ($) => prec(LEVEL.negate, seq("-", $._sum)),
    initial_tokens: ($) => seq(optional(seq($._formula, "of")), $._formula, optional($.condition)),

    start_declaration: ($) => seq("start", list($.start_thread)),
    start_thread: ($) =>
      seq(optional(choice(seq(field("name", $._name), ":"), seq(field("count", $._count), "times"))), $.atom),

    new_declaration: ($) => seq("new", list($.new_object)),
    new_object: ($) => seq(field("name", $._name), ":", field("class", $._name)),

    _sort: ($) => choice($.primitive_sort, $.range_sort, $.group_sort, $.named_sort),
    primitive_sort: () => choice("pid", "bool"),
    named_sort: ($) => $._name,
    range_sort: ($) => seq(field("low", $._bound), choice("..=", ".."), field("high", $._bound)),
    group_sort: ($) => seq("{", field("count", $._bound), "of", choice(inParens($.column), alias($.only_column, $.column)), "}"),
    // What does not start with a parenthesis.
    only_column: ($) =>
      seq(
        optional("owner"),
        optional($._column_name),
        field("sort", choice($.primitive_sort, $.named_sort, $.group_sort, alias($.only_range, $.range_sort))),
        optional("?"),
      ),
    only_range: ($) => seq(field("low", choice($._name, $.integer)), choice("..=", ".."), field("high", $._bound)),

    // A number that is computed from constants.
    _bound: ($) => choice($._name, $.integer, $.parenthesized_formula, alias($.bound_operation, $.binary_formula), alias($.bound_negation, $.unary_formula)),
    bound_operation: ($) =>
      choice(
        prec.left(LEVEL.sum, seq(field("left", $._bound), field("operator", choice("+", "-")), field("right", $._bound))),
        prec.left(LEVEL.product, seq(field("left", $._bound), field("operator", choice("*", "/", "%")), field("right", $._bound))),
      ),
    bound_negation: ($) => prec(LEVEL.negate, seq("-", $._bound)),

    transition_declaration: ($) =>
      seq(
        "transition",
        field("name", $._name),
        optional(inParens($.parameter)),
        optional(seq("fails", optional(field("failure", $._name)))),
        field("body", $.items),
      ),
    parameter: ($) => seq(field("name", $._name), ":", field("sort", $._sort)),
    items: ($) => seq("{", repeat($._item), "}"),

    _item: ($) =>
      choice($.move_item, $.stay_item, $.end_item, $.spawn_item, $.tokens_item, $.unless_item, $.new_item, $.let_item, $.when_item),
    move_item: ($) => seq(optional("passive"), "move", field("thread", $._name), ":", $.atom, "->", $.atom),
    stay_item: ($) => seq(optional("passive"), "stay", field("thread", $._name), ":", $.atom),
    end_item: ($) => seq(optional("passive"), choice("end", "crash"), field("thread", $._name), ":", $.atom),
    spawn_item: ($) =>
      seq(
        "spawn",
        choice(field("child", choice($._name, $.wildcard)), seq(field("count", $._count), "times")),
        "from",
        field("parent", $._name),
        choice("end", seq(":", $.atom)),
      ),
    tokens_item: ($) => seq(choice("take", "read", "put"), list($.tokens)),
    unless_item: ($) => seq("unless", list($.tokens)),
    tokens: ($) =>
      prec.right(
        seq(
          optional(field("count", $._count)),
          optional(seq(field("thread", choice($._name, $.wildcard)), ":")),
          $.atom,
          optional($.condition),
        ),
      ),
    new_item: ($) => seq("new", list($.new_object)),
    let_item: ($) => seq("let", field("name", $._name), "=", field("value", $._formula)),
    when_item: ($) => seq("when", $._formula),
    condition: ($) => seq("with", $._formula),

    _count: ($) => choice($.integer, $.parenthesized_formula, $._name),
    atom: ($) => prec.right(seq(field("place", $._name), optional($.arguments))),

    fair_declaration: ($) => seq(optional("strongly"), "fair", list($.whom)),
    whom: ($) =>
      choice(
        "threads",
        seq(choice("transition", "class", "enum"), $._name),
        seq($._name, optional(seq(".", $._member_name))),
      ),

    property_declaration: ($) =>
      seq("property", field("name", $._name), ":", field("formula", $._formula)),

    // Formulas: what is said in nets and of models.

    _formula: ($) =>
      choice(
        $._primary_formula,
        $.unary_formula,
        $.binary_formula,
        $.temporal_formula,
        $.quantified_formula,
        $.conditional_formula,
        $.at_formula,
        $.in_formula,
        $.is_formula,
        $.at_most_formula,
      ),
    _primary_formula: ($) =>
      choice(
        $._name,
        alias("next", $.identifier),
        $.wildcard,
        $.integer,
        $.boolean,
        $.all,
        $.property_constant,
        $.parenthesized_formula,
        $.list,
        $.call,
        $.member,
        $.index,
        $.unwrap,
      ),
    boolean: () => choice("true", "false"),
    property_constant: () => choice("deadlock_free", "no_one_stuck", "everyone_can_end", "race_free"),
    parenthesized_formula: ($) => inParens($._formula),
    arguments: ($) => inParens($.argument),
    argument: ($) =>
      seq(optional(seq(field("name", $._name), ":")), choice($._formula, seq(field("variable", $._name), "=>", $._formula))),
    call: ($) => prec.left(LEVEL.call, seq(field("function", $._primary_formula), $.arguments)),
    member: ($) => prec.left(LEVEL.call, seq(field("of", $._primary_formula), ".", field("name", $._member_name))),
    index: ($) => prec.left(LEVEL.call, seq(field("of", $._primary_formula), "[", $._formula, "]")),
    unwrap: ($) => prec.left(LEVEL.call, seq($._primary_formula, "!")),
    list: ($) => seq("[", optionalList($._formula), "]"),
    all: ($) =>
      prec.right(
        seq("all", optional(field("name", $._name)), optional(seq("in", field("part", $._name))), optional(seq("except", $._bound))),
      ),
    unary_formula: ($) => choice(prec(LEVEL.not, seq("not", $._formula)), prec(LEVEL.negate, seq("-", $._formula))),
    binary_formula: ($) => operators($, $._formula, [[LEVEL.until, choice("until", "leads_to", "AU", "EU")]]),
    temporal_formula: ($) =>
      prec.right(
        LEVEL.until,
        seq(
          field("operator", choice("always", "never", "reachable", "eventually", "next", "AG", "AF", "AX", "EG", "EF", "EX")),
          $._formula,
        ),
      ),
    quantified_formula: ($) =>
      prec.right(
        LEVEL.quantified,
        seq(
          choice("forall", "exists"),
          choice($._binder, seq("(", list($._binder), ")")),
          choice("at", "entering", "in"),
          field("range", choice($._formula, $.range)),
          ":",
          $._formula,
        ),
      ),
    _binder: ($) => field("variable", choice($._name, $.wildcard)),
    range: ($) => prec.left(LEVEL.range, seq($._formula, choice("..=", ".."), $._formula)),
    conditional_formula: ($) => prec.right(LEVEL.until, seq("if", $._formula, "then", $._formula, "else", $._formula)),
    at_formula: ($) => prec.left(LEVEL.compare, seq($._formula, "at", $._place_name)),
    in_formula: ($) => prec.left(LEVEL.compare, seq($._formula, "in", $._formula)),
    is_formula: ($) => prec.left(LEVEL.compare, seq($._formula, "is", field("case", $._name))),
    at_most_formula: ($) => prec.right(LEVEL.compare, seq("at", "most", $._bound, choice("at", "in"), $._place_name)),
    _place_name: ($) => prec.right(seq($.atom, optional(seq(".", field("label", $._member_name))))),

    // After a dot every word is a name.
    _member_name: ($) => $._name,

    // Processes.

    process_declaration: ($) =>
      seq("process", field("name", $._name), optional($.parameters), optional(seq(":", field("type", $._type))), field("body", $.block)),
    function_declaration: ($) => seq("fn", $._signature, field("body", $.block)),
    _signature: ($) =>
      seq(
        field("name", $._name),
        optional($.parameters),
        repeat(choice(seq(":", field("type", $._type)), seq("undo", field("undo", $._name)))),
      ),
    parameters: ($) => inParens($.component),
    component: ($) => seq(field("name", $._name), ":", field("type", $._type), optional(seq("=", field("default", $._value)))),

    record_declaration: ($) => seq("record", field("name", $._name), inBraces($.component)),

    shared_declaration: ($) =>
      seq("shared", optional("atomic"), field("name", $._name), optional(seq(":", field("type", $._type))), "=", field("value", $._value)),

    object_declaration: ($) =>
      seq("object", field("name", $._name), optional($.type_parameters), optional($.parameters), field("body", $.members)),
    type_parameters: ($) => seq("[", list($._name), "]"),
    members: ($) => seq("{", repeat(choice($.step, $.method, $.meet, $.field)), "}"),
    step: ($) => seq("step", $._signature, field("body", $.block)),
    method: ($) => seq("fn", $._signature, field("body", $.block)),
    meet: ($) => seq("meet", $.meet_side, ",", $.meet_side, field("body", $.block)),
    meet_side: ($) => seq(field("step", $._name), optional(inParens($._name))),
    field: ($) =>
      seq(optional("atomic"), field("name", $._name), optional(seq(":", field("type", $._type))), "=", field("value", $._value)),

    _type: ($) => choice($.primitive_type, $.named_type, $.range_type, $.optional_type, $.any_type, $.function_type),
    primitive_type: () => "bool",
    named_type: ($) => prec.right(seq(field("name", $._name), optional($.type_arguments))),
    type_arguments: ($) => seq("[", list(choice($._type, $._type_number)), "]"),
    _type_number: ($) => choice($.integer, $.parenthesized_formula, alias($.bound_operation, $.binary_formula), alias($.bound_negation, $.unary_formula)),
    range_type: ($) => seq(field("low", $._bound), choice("..=", ".."), field("high", $._bound)),
    optional_type: ($) => seq($._type, "?"),
    any_type: ($) => seq("any", choice("process", inBraces($._name))),
    function_type: ($) => prec.right(seq("fn", inParens($._type), ":", $._type)),

    block: ($) => seq("{", repeat($._statement), "}"),

    _statement: ($) =>
      choice(
        $.label,
        $.let_statement,
        $.assignment,
        $.expression_statement,
        $.if_statement,
        $.while_statement,
        $.loop_statement,
        $.repeat_statement,
        $.for_statement,
        $.match_statement,
        $.either_statement,
        $.select_statement,
        $.choose_statement,
        $.return_statement,
        $.break_statement,
        $.word_statement,
        $.with_statement,
        $.atomic_statement,
        $.defer_statement,
        $.idle_statement,
      ),

    label: ($) => seq(field("name", $._name), ":"),
    let_statement: ($) => seq("let", field("name", $._name), optional(seq(":", field("type", $._type))), "=", field("value", $._value)),
    assignment: ($) => seq(field("target", $._primary_value), choice("=", "+=", "-="), field("value", $._value)),
    // No statement starts with a parenthesis or the like, so that a call goes on where it can.
    expression_statement: ($) => prec(-1, choice(alias($.value_call, $.call), $.spawn, $.join)),
    _condition: ($) => choice($._value, $.let_condition),
    let_condition: ($) => seq("let", field("name", $._name), "=", field("value", $._value)),
    if_statement: ($) => prec.right(seq("if", $._condition, $.block, optional($.else_clause))),
    else_clause: ($) => seq("else", choice($.block, $.if_statement)),
    while_statement: ($) => seq("while", $._condition, $.block),
    loop_statement: ($) => seq("loop", $.block),
    repeat_statement: ($) => seq("repeat", field("times", $._value), $.block),
    for_statement: ($) => seq("for", field("name", $._name), "in", field("range", $._domain), $.block),
    _domain: ($) => choice($._value, alias($.value_range, $.range), $.primitive_type),
    value_range: ($) => prec.left(LEVEL.range, seq($._value, choice("..=", ".."), $._value)),
    match_statement: ($) => seq("match", field("value", $._value), "{", repeat(choice($.match_arm, $.otherwise)), "}"),
    match_arm: ($) => seq(field("pattern", choice($.pattern, $.integer, $.boolean, alias($.negative, $.unary_formula))), $.block),
    pattern: ($) => seq(field("case", $._name), optional(inParens(choice($._name, $.wildcard)))),
    negative: ($) => seq("-", $.integer),
    otherwise: ($) => seq("else", $.block),
    either_statement: ($) => seq("either", $.block, repeat(seq("or", $.block))),
    select_statement: ($) => seq("select", "{", repeat(choice($.select_arm, $.otherwise)), "}"),
    select_arm: ($) =>
      seq(
        optional(seq(field("label", $._name), ":")),
        choice(
          "timeout",
          seq("await", $._value),
          seq(optional(seq("let", field("name", $._name), "=")), $._operation),
          seq(field("target", $._primary_value), "=", $._operation),
        ),
        optional(seq("when", field("when", $._value))),
        $.block,
      ),
    _operation: ($) => choice(alias($.value_call, $.call), $.spawn, seq($.join, optional(seq("in", $._value)))),
    choose_statement: ($) => prec.right(seq(optional("forgotten"), "choose", field("name", $._name), "in", $._domain, optional(seq("where", $._value)))),
    return_statement: ($) => prec.right(seq("return", optional(list($._value)))),
    break_statement: ($) => prec.right(seq(choice("break", "continue"), optional(field("loop", $._name)))),
    word_statement: ($) => seq(choice("await", "assert", "require", "kill", "crash"), $._value),
    with_statement: ($) => seq("with", $._primary_value, $.block),
    atomic_statement: ($) => seq("atomic", $.block),
    defer_statement: ($) => seq("defer", choice($.block, $._statement)),
    idle_statement: ($) => seq("idle", $._statement),

    // Values: what processes compute.

    _value: ($) =>
      choice(
        $._primary_value,
        alias($.unary_value, $.unary_formula),
        alias($.binary_value, $.binary_formula),
        alias($.quantified_value, $.quantified_formula),
        alias($.conditional_value, $.conditional_formula),
        alias($.in_value, $.in_formula),
        alias($.is_value, $.is_formula),
      ),
    _primary_value: ($) =>
      choice(
        $._name,
        $.wildcard,
        $.integer,
        $.boolean,
        alias($.parenthesized_value, $.parenthesized_formula),
        alias($.value_list, $.list),
        alias($.value_call, $.call),
        alias($.value_member, $.member),
        alias($.value_index, $.index),
        alias($.value_unwrap, $.unwrap),
        $.new_object_value,
        $.spawn,
        $.join,
      ),
    parenthesized_value: ($) => inParens($._value),
    value_arguments: ($) => inParens(alias($.value_argument, $.argument)),
    value_argument: ($) =>
      seq(optional(seq(field("name", $._name), ":")), choice($._value, seq(field("variable", $._name), "=>", $._value))),
    value_call: ($) => prec.left(LEVEL.call, seq(field("function", $._primary_value), alias($.value_arguments, $.arguments))),
    value_member: ($) => prec.left(LEVEL.call, seq(field("of", $._primary_value), ".", field("name", $._member_name))),
    value_index: ($) => prec.left(LEVEL.call, seq(field("of", $._primary_value), "[", $._value, "]")),
    value_unwrap: ($) => prec.left(LEVEL.call, seq($._primary_value, "!")),
    value_list: ($) =>
      seq("[", optional(choice(list($._value), seq($._value, ";", $._value), list(seq($._value, ":", $._value)))), "]"),
    new_object_value: ($) =>
      prec.right(
        LEVEL.call,
        seq("new", field("type", $._name), optional($.type_arguments), optional(alias($.value_arguments, $.arguments))),
      ),
    spawn: ($) => prec.right(LEVEL.call, seq("spawn", field("process", $._name), optional(alias($.value_arguments, $.arguments)))),
    join: ($) => prec.right(LEVEL.call, seq("join", $._primary_value)),
    unary_value: ($) => choice(prec(LEVEL.not, seq("not", $._value)), prec(LEVEL.negate, seq("-", $._value))),
    binary_value: ($) => operators($, $._value, []),
    quantified_value: ($) =>
      prec.right(
        LEVEL.quantified,
        seq(choice("forall", "exists"), field("variable", $._name), "in", field("range", $._domain), ":", $._value),
      ),
    conditional_value: ($) => prec.right(LEVEL.until, seq("if", $._value, "then", $._value, "else", $._value)),
    in_value: ($) => prec.left(LEVEL.compare, seq($._value, "in", $._value)),
    is_value: ($) => prec.left(LEVEL.compare, seq($._value, "is", field("case", $._name))),
  },
});
