/* producers_consumers.kin for Spin. Without reduction the states are those of `kinfold explore --full`.
 *
 * Those who are done stay at `end` (see pool.pml), and variables that are not read again are reset. No `xr` or `xs` may be
 * said of the channel, since there are several at both ends. How many consumers are left can be told from where they are.
 */
#ifndef N
#define N 5
#endif
#ifndef ROOM
#define ROOM 2
#endif
#ifndef JOBS
#define JOBS 2
#endif

chan items = [ROOM] of { byte };
bool closed;
byte busy, consumers;
short total;

proctype producer() {
    byte x = 1;
again:
    atomic { items!x -> x++; if :: x <= JOBS -> goto again :: else -> x = 0 fi };
    busy--;
end: false
}

proctype consumer() {
    byte x;
again:
    if
    :: items?x; d_step { total = total + x; x = 0 }; goto again
    :: atomic {
           closed && empty(items) -> consumers--;
           assert(consumers > 0 || total == N * JOBS * (JOBS + 1) / 2)
       }
    fi;
end: false
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run producer(); run consumer(); busy++; consumers++; i++
        :: else -> break
        od;
        i = 0
    };
    busy == 0;
    closed = true
}
