-- readers_writers.kin for rumur. With symmetry the states are Kinfold's.
const N: 5;

type
    Reader: scalarset(N);
    Writer: scalarset(N);
    Count: 0..N;

var
    started: boolean;
    readers: Count;
    waiting: Count;
    held: boolean;
    data: boolean;
    reader: array [Reader] of enum { locking, reading, unlocking };
    writer: array [Writer] of enum { asking, entering, looking, writing, leaving };
    next: array [Writer] of boolean;

startstate begin
    started := false;
    readers := 0;
    waiting := 0;
    held := false;
    data := false;
    for r: Reader do reader[r] := locking; end;
    for w: Writer do writer[w] := asking; undefine next[w]; end;
end;

rule "spawn" !started ==> begin started := true; end;

ruleset r: Reader do
    rule "read lock" started & reader[r] = locking & !held & waiting = 0 ==> begin
        readers := readers + 1;
        reader[r] := reading;
    end;
    rule "read" reader[r] = reading ==> begin reader[r] := unlocking; end;
    rule "read unlock" reader[r] = unlocking ==> begin readers := readers - 1; reader[r] := locking; end;
end;

ruleset w: Writer do
    rule "ask" started & writer[w] = asking ==> begin waiting := waiting + 1; writer[w] := entering; end;
    rule "enter" writer[w] = entering & !held & readers = 0 ==> begin
        held := true;
        waiting := waiting - 1;
        writer[w] := looking;
    end;
    rule "look" writer[w] = looking ==> begin next[w] := !data; writer[w] := writing; end;
    rule "write" writer[w] = writing ==> begin data := next[w]; undefine next[w]; writer[w] := leaving; end;
    rule "unlock" writer[w] = leaving ==> begin held := false; writer[w] := asking; end;
end;
