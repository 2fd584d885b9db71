-- condition_queue.kin for rumur. With symmetry the states are Kinfold's.
const N: 5;
const ROOM: 2;

type
    Putter: scalarset(N);
    Taker: scalarset(N);
    Point: enum { locking, looking, sleeping, waking, relocking, reading, writing, signalling, unlocking };

var
    started: boolean;
    lock: boolean;
    filled: 0..ROOM;
    putter: array [Putter] of Point;
    taker: array [Taker] of Point;
    next: 0..ROOM;  -- of the one that holds the lock
    putters: array [Putter] of boolean;  -- who is asleep
    takers: array [Taker] of boolean;

startstate begin
    started := false;
    lock := false;
    filled := 0;
    undefine next;
    for p: Putter do putter[p] := locking; putters[p] := false; end;
    for t: Taker do taker[t] := locking; takers[t] := false; end;
end;

rule "spawn" !started ==> begin started := true; end;

ruleset p: Putter do
    rule "lock" started & putter[p] = locking & !lock ==> begin lock := true; putter[p] := looking; end;
    rule "look" putter[p] = looking ==> begin
        if filled = ROOM then putter[p] := sleeping; else putter[p] := reading; end;
    end;
    rule "sleep" putter[p] = sleeping ==> begin lock := false; putters[p] := true; putter[p] := waking; end;
    rule "wake" putter[p] = waking & !putters[p] ==> begin putter[p] := relocking; end;
    rule "lock again" putter[p] = relocking & !lock ==> begin lock := true; putter[p] := looking; end;
    rule "read" putter[p] = reading ==> begin next := filled + 1; putter[p] := writing; end;
    rule "write" putter[p] = writing ==> begin filled := next; undefine next; putter[p] := signalling; end;
    rule "signal nobody" putter[p] = signalling & forall t: Taker do !takers[t] end ==> begin
        putter[p] := unlocking;
    end;
    ruleset t: Taker do
        rule "signal" putter[p] = signalling & takers[t] ==> begin takers[t] := false; putter[p] := unlocking; end;
    end;
    rule "unlock" putter[p] = unlocking ==> begin lock := false; putter[p] := locking; end;
end;

ruleset t: Taker do
    rule "lock" started & taker[t] = locking & !lock ==> begin lock := true; taker[t] := looking; end;
    rule "look" taker[t] = looking ==> begin
        if filled = 0 then taker[t] := sleeping; else taker[t] := reading; end;
    end;
    rule "sleep" taker[t] = sleeping ==> begin lock := false; takers[t] := true; taker[t] := waking; end;
    rule "wake" taker[t] = waking & !takers[t] ==> begin taker[t] := relocking; end;
    rule "lock again" taker[t] = relocking & !lock ==> begin lock := true; taker[t] := looking; end;
    rule "read" taker[t] = reading ==> begin next := filled - 1; taker[t] := writing; end;
    rule "write" taker[t] = writing ==> begin filled := next; undefine next; taker[t] := signalling; end;
    rule "signal nobody" taker[t] = signalling & forall p: Putter do !putters[p] end ==> begin
        taker[t] := unlocking;
    end;
    ruleset p: Putter do
        rule "signal" taker[t] = signalling & putters[p] ==> begin putters[p] := false; taker[t] := unlocking; end;
    end;
    rule "unlock" taker[t] = unlocking ==> begin lock := false; taker[t] := locking; end;
end;
