/* readers_writers.kin for Spin. Without reduction the states are those of `kinfold explore --full`.
 *
 * Variables that are not read again are reset.
 */
#ifndef N
#define N 5
#endif

byte readers, waiting;
bool held, data;

proctype reader() {
    bool seen;
    do
    :: atomic { !held && waiting == 0 -> readers++ };
       atomic { seen = data; seen = 0 };
       readers--
    od
}

proctype writer() {
    bool next;
    do
    :: waiting++;
       atomic { !held && readers == 0 -> held = true; waiting-- };
       next = !data;
       atomic { data = next; next = 0 };
       held = false
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run reader(); run writer(); i++
        :: else -> i = 0; break
        od
    }
}
