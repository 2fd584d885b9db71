/* request_reply.kin for Spin. Without reduction the states are those of `kinfold explore --full`.
 *
 * A server forgets the channel to which it has replied (`none`). Only a client receives from its channel (`xr`), of which the
 * reduction makes use.
 */
#ifndef N
#define N 5
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif

chan requests = [ROOM] of { chan };
chan none;

proctype client() {
    chan reply = [1] of { bit };
    xr reply;
    do
    :: requests!reply; reply?0
    od
}

proctype server() {
    chan reply;
    do
    :: requests?reply; d_step { reply!0; reply = none }
    od
}

init {
    byte i;
    atomic {
        do
        :: i < SERVERS -> run server(); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < N -> run client(); i++
        :: else -> break
        od;
        i = 0
    }
}
