/* rendezvous.kin for Spin. Without reduction the states are those of `kinfold explore --full`.
 *
 * The reply carries nothing, so it does not matter who sends it. Here the client does: he who receives can do something more in
 * the same step, and the server has to forget the channel.
 */
#ifndef N
#define N 5
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef ROOM
#define ROOM 0
#endif

chan requests = [ROOM] of { chan };
chan none;

proctype client() {
    chan reply = [0] of { bit };

    do
    :: requests!reply; reply!0
    od
}

proctype server() {
    chan reply;
    do
    :: requests?reply; atomic { reply?0; reply = none }
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
