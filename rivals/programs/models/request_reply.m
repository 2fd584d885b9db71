-- request_reply.kin for rumur. With symmetry the states are Kinfold's. A client stands for its channel.
const N: 5;
const SERVERS: 2;
const ROOM: 2;

type
    Client: scalarset(N);
    Server: scalarset(SERVERS);

var
    started: boolean;
    requests: array [0..ROOM - 1] of Client;
    length: 0..ROOM;
    replied: array [Client] of boolean;
    waiting: array [Client] of boolean;
    serving: array [Server] of Client;

startstate begin
    started := false;
    length := 0;
    for i := 0 to ROOM - 1 do undefine requests[i]; end;
    for c: Client do waiting[c] := false; replied[c] := false; end;
    for s: Server do undefine serving[s]; end;
end;

rule "spawn" !started ==> begin started := true; end;

ruleset c: Client do
    rule "request" started & !waiting[c] & length < ROOM ==> begin
        requests[length] := c;
        length := length + 1;
        waiting[c] := true;
    end;
    rule "receive reply" waiting[c] & replied[c] ==> begin replied[c] := false; waiting[c] := false; end;
end;

ruleset s: Server do
    rule "receive request" isundefined(serving[s]) & length > 0 ==> begin
        serving[s] := requests[0];
        for i := 0 to ROOM - 2 do
            if i + 1 < length then requests[i] := requests[i + 1]; end;
        end;
        undefine requests[length - 1];
        length := length - 1;
    end;
    rule "reply" !isundefined(serving[s]) ==> begin replied[serving[s]] := true; undefine serving[s]; end;
end;
