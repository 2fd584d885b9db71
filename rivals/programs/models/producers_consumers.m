-- producers_consumers.kin for rumur. With symmetry the states are Kinfold's.
const N: 5;
const ROOM: 2;
const JOBS: 2;

type
    Producer: scalarset(N);
    Consumer: scalarset(N);
    Count: 0..N;
    Job: 1..JOBS;

var
    main: enum { spawning, waiting, closing, ended };
    busy: Count;
    items: array [0..ROOM - 1] of Job;
    length: 0..ROOM;
    closed: boolean;
    total: 0..N * JOBS * (JOBS + 1) / 2;
    sending: array [Producer] of 0..JOBS + 2;  -- which job; then it says that it is done, and is gone
    at: array [Consumer] of enum { receiving, adding, gone };
    got: array [Consumer] of Job;

startstate begin
    main := spawning;
    busy := 0;
    length := 0;
    for i := 0 to ROOM - 1 do undefine items[i]; end;
    closed := false;
    total := 0;
    for p: Producer do sending[p] := 0; end;
    for c: Consumer do at[c] := receiving; undefine got[c]; end;
end;

rule "spawn" main = spawning ==> begin
    busy := N;
    for p: Producer do sending[p] := 1; end;
    main := waiting;
end;
rule "wait" main = waiting & busy = 0 ==> begin main := closing; end;
rule "close" main = closing ==> begin closed := true; main := ended; end;

ruleset p: Producer do
    rule "send" sending[p] >= 1 & sending[p] <= JOBS & length < ROOM ==> begin
        items[length] := sending[p];
        length := length + 1;
        sending[p] := sending[p] + 1;
    end;
    rule "done" sending[p] = JOBS + 1 ==> begin busy := busy - 1; sending[p] := JOBS + 2; end;
end;

ruleset c: Consumer do
    rule "receive" at[c] = receiving & length > 0 ==> begin
        got[c] := items[0];
        for i := 0 to ROOM - 2 do
            if i + 1 < length then items[i] := items[i + 1]; end;
        end;
        undefine items[length - 1];
        length := length - 1;
        at[c] := adding;
    end;
    rule "add" at[c] = adding ==> begin total := total + got[c]; undefine got[c]; at[c] := receiving; end;
    rule "end" at[c] = receiving & closed & length = 0 ==> begin at[c] := gone; end;
end;

-- Nobody is left: this is no deadlock.
rule "over" main = ended & forall c: Consumer do at[c] = gone end ==> begin end;

invariant "all" (main = ended & forall c: Consumer do at[c] = gone end) -> total = N * JOBS * (JOBS + 1) / 2;
