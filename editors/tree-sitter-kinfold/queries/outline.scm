; The outline of Zed.
(transition_declaration "transition" @context name: (_) @name) @item
(process_declaration "process" @context name: (_) @name) @item
(function_declaration "fn" @context name: (_) @name) @item
(object_declaration "object" @context name: (_) @name) @item
(record_declaration "record" @context name: (_) @name) @item
(enum_declaration "enum" @context name: (_) @name) @item
(class_declaration "class" @context name: (_) @name) @item
(property_declaration "property" @context name: (_) @name) @item
(step "step" @context name: (_) @name) @item
(method "fn" @context name: (_) @name) @item
