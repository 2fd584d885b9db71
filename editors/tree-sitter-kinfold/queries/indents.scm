[ (items) (block) (members) (match_statement) (select_statement) (enum_declaration) (record_declaration) ] @indent.begin
"}" @indent.branch @indent.end
