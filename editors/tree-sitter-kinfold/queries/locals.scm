; What is visible where: variables of transitions, processes, blocks.

[ (transition_declaration) (process_declaration) (function_declaration) (step) (method) (meet) (block) (quantified_formula) ]
  @local.scope

(parameter name: (_) @local.definition.parameter)
(component name: (_) @local.definition.parameter)
(let_statement name: (_) @local.definition.var)
(let_item name: (_) @local.definition.var)
(let_condition name: (_) @local.definition.var)
(for_statement name: (_) @local.definition.var)
(choose_statement name: (_) @local.definition.var)
(select_arm name: (_) @local.definition.var)
(quantified_formula variable: (_) @local.definition.var)
(process_declaration name: (_) @local.definition.function)
(function_declaration name: (_) @local.definition.function)

(identifier) @local.reference
