-- rendezvous.kin for rumur. With symmetry the states are Kinfold's. A client stands for its channel.
const N: 5;
const SERVERS: 2;

type
    Client: scalarset(N);
    Server: scalarset(SERVERS);

var
    started: boolean;
    waiting: array [Client] of boolean;
    serving: array [Server] of Client;

startstate begin
    started := false;
    for c: Client do waiting[c] := false; end;
    for s: Server do undefine serving[s]; end;
end;

rule "spawn" !started ==> begin started := true; end;

ruleset s: Server do
    ruleset c: Client do
        rule "request" started & !waiting[c] & isundefined(serving[s]) ==> begin
            serving[s] := c;
            waiting[c] := true;
        end;
    end;
    rule "reply" !isundefined(serving[s]) ==> begin waiting[serving[s]] := false; undefine serving[s]; end;
end;
