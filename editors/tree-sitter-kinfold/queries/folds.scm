[
  (items)
  (block)
  (members)
  (match_statement)
  (select_statement)
  (enum_declaration)
  (record_declaration)
  (block_comment)
] @fold
