-- dining.kin for rumur. The states are Kinfold's. Neighbours are found by counting, so seats are no scalarset.
const N: 5;

type Seat: 0..N - 1;

var
    seated: boolean;
    fork: array [Seat] of boolean;
    at: array [Seat] of enum { thinking, one, both, leaving };

startstate begin
    seated := false;
    for i: Seat do fork[i] := false; at[i] := thinking; end;
end;

rule "spawn" !seated ==> begin seated := true; end;

ruleset i: Seat do
    alias j: (i + 1) % N do
        rule "lock one" seated & at[i] = thinking & !fork[i] ==> begin fork[i] := true; at[i] := one; end;
        rule "lock other" at[i] = one & !fork[j] ==> begin fork[j] := true; at[i] := both; end;
        rule "unlock other" at[i] = both ==> begin fork[j] := false; at[i] := leaving; end;
        rule "unlock one" at[i] = leaving ==> begin fork[i] := false; at[i] := thinking; end;
    end;
end;
