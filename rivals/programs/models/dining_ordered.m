-- dining_ordered.kin for rumur. The states are Kinfold's (of `--full`, for N = 2).
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
    alias a: i = N - 1 ? 0 : i; b: i = N - 1 ? N - 1 : i + 1 do
        rule "lock one" seated & at[i] = thinking & !fork[a] ==> begin fork[a] := true; at[i] := one; end;
        rule "lock other" at[i] = one & !fork[b] ==> begin fork[b] := true; at[i] := both; end;
        rule "unlock other" at[i] = both ==> begin fork[b] := false; at[i] := leaving; end;
        rule "unlock one" at[i] = leaving ==> begin fork[a] := false; at[i] := thinking; end;
    end;
end;
