-- pool.kin for rumur. With symmetry the states are Kinfold's.
--
-- The workers are a scalarset, so any that is unborn may be spawned. Without symmetry that gives more states than Spin
-- has, where workers are numbered as they come.
const N: 5;

type
    Worker: scalarset(N);
    Count: 0..N;

var
    main: enum { adding, spawning, waiting, ended };
    spawned: Count;
    busy: Count;
    lock: boolean;
    served: Count;
    at: array [Worker] of enum { unborn, locking, reading, writing, unlocking, finishing, gone };
    seen: array [Worker] of Count;

startstate begin
    main := adding;
    spawned := 0;
    busy := 0;
    lock := false;
    served := 0;
    for w: Worker do at[w] := unborn; undefine seen[w]; end;
end;

rule "add" main = adding ==> begin busy := busy + 1; main := spawning; end;

ruleset w: Worker do
    rule "spawn" main = spawning & at[w] = unborn ==> begin
        at[w] := locking;
        spawned := spawned + 1;
        if spawned = N then main := waiting; spawned := 0; else main := adding; end;
    end;
    rule "lock" at[w] = locking & !lock ==> begin lock := true; at[w] := reading; end;
    rule "read" at[w] = reading ==> begin seen[w] := served; at[w] := writing; end;
    rule "write" at[w] = writing ==> begin served := seen[w] + 1; undefine seen[w]; at[w] := unlocking; end;
    rule "unlock" at[w] = unlocking ==> begin lock := false; at[w] := finishing; end;
    rule "done" at[w] = finishing ==> begin busy := busy - 1; at[w] := gone; end;
end;

rule "wait" main = waiting & busy = 0 ==> begin main := ended; end;

-- Nobody is left: this is no deadlock.
rule "over" main = ended & forall w: Worker do at[w] = gone end ==> begin end;

invariant "all" main = ended -> served = N;
