-- dining_dead.kin for rumur: seats are a scalarset, and each knows the one at its right.
--
-- With exhaustive symmetry the states are Kinfold's; it tries N! orders. With the heuristic one, which is the default, they
-- are many more, soon more than those of dining.m, which has no symmetry.
const N: 5;

type Seat: scalarset(N);

var
    seated: boolean;
    fork: array [Seat] of boolean;
    right: array [Seat] of Seat;
    at: array [Seat] of enum { thinking, one, both, leaving };

startstate
    var first: Seat;
    var last: Seat;
begin
    seated := false;
    undefine first;
    undefine last;
    for i: Seat do
        fork[i] := false;
        at[i] := thinking;
        if isundefined(last) then first := i; else right[last] := i; end;
        last := i;
    end;
    right[last] := first;
end;

rule "spawn" !seated ==> begin seated := true; end;

ruleset i: Seat do
    alias j: right[i] do
        rule "lock one" seated & at[i] = thinking & !fork[i] ==> begin fork[i] := true; at[i] := one; end;
        rule "lock other" at[i] = one & !fork[j] ==> begin fork[j] := true; at[i] := both; end;
        rule "unlock other" at[i] = both ==> begin fork[j] := false; at[i] := leaving; end;
        rule "unlock one" at[i] = leaving ==> begin fork[i] := false; at[i] := thinking; end;
    end;
end;
