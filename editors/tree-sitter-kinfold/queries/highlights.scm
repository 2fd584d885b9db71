; Colours, with the names of captures that Neovim, Helix and Zed share. What stands later wins where two match, as in Neovim
; and Zed.

(identifier) @variable
(quoted_identifier) @variable
(wildcard) @variable

[
  "model" "const" "enum" "class" "idle" "forgotten" "flow" "place" "start" "transition" "fair" "strongly" "property"
  "process" "object" "record" "shared" "step" "meet" "undo" "fails" "let"
] @keyword
"fn" @keyword.function

[
  "symmetric" "cyclic" "ordered" "round" "fresh" "owner" "atomic" "any"
] @keyword

[
  "move" "stay" "end" "crash" "passive" "spawn" "from" "times" "take" "read" "put" "unless" "with" "when" "new" "of"
  "all" "except" "threads"
] @keyword

[
  "if" "then" "else" "match" "select" "either" "choose" "where" "timeout"
] @keyword.conditional
[ "while" "loop" "repeat" "for" "break" "continue" ] @keyword.repeat
"return" @keyword.return
[ "await" "assert" "require" "kill" "join" "defer" ] @keyword

[ "and" "or" "not" "implies" "in" "is" "at" "most" ] @keyword.operator
[
  "always" "never" "reachable" "eventually" "next" "until" "leads_to"
  "AG" "AF" "AX" "EG" "EF" "EX" "AU" "EU" "forall" "exists" "entering"
] @keyword
(property_constant) @constant.builtin

[ "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "=" "+=" "-=" "->" "=>" ".." "..=" "?" "!" ] @operator
[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket
[ "," ":" "." ";" ] @punctuation.delimiter

(integer) @number
(boolean) @boolean
((identifier) @constant.builtin (#any-of? @constant.builtin "none" "self" "this"))

(model_declaration name: (_) @module)
(const_declaration name: (_) @constant)
(transition_declaration name: (_) @function)
(property_declaration name: (_) @function)
(process_declaration name: (_) @function)
(function_declaration name: (_) @function)
(step name: (_) @function.method)
(method name: (_) @function.method)
(meet_side step: (_) @function.method)
(object_declaration name: (_) @type)
(record_declaration name: (_) @type)
(enum_declaration name: (_) @type)
(class_declaration name: (_) @type)
(enum_member name: (_) @constant)
(pattern case: (_) @constant)
(is_formula case: (_) @constant)
(place name: (_) @type)
(atom place: (_) @type)
(column name: (_) @variable.member)
(component name: (_) @variable.parameter)
(parameter name: (_) @variable.parameter)
(field name: (_) @variable.member)
(member name: (_) @variable.member)
(call function: (identifier) @function.call)
(call function: (member name: (_) @function.method.call))
((call function: (identifier) @function.builtin)
  (#any-of? @function.builtin
    "count" "ended" "enabled" "parent" "ancestor" "next_sibling" "elder_sibling" "succ" "pred" "len"))
(spawn process: (_) @function.call)
(label name: (_) @label)
(select_arm label: (_) @label)
(break_statement loop: (_) @label)

(primitive_sort) @type.builtin
(primitive_type) @type.builtin
(named_sort (_) @type)
(named_type name: (_) @type)
((named_type name: (identifier) @type.builtin) (#any-of? @type.builtin "int" "unit" "seq" "set" "map"))
(new_object_value type: (_) @type)
(new_object class: (_) @type)
(type_parameters (_) @type)

[ (line_comment) (block_comment) ] @comment
