/* pool.kin for Spin. Without reduction the states are those of `kinfold explore --full`.
 *
 * A worker that is done stays at `end`: Spin takes away ended processes only if they are the youngest, so that an ended
 * process that may go is one more state. `seen` is reset because Spin goes on storing it.
 */
#ifndef N
#define N 5
#endif

bool lock;
byte served, busy;

proctype worker() {
    byte seen;
    atomic { !lock -> lock = true };
    seen = served;
    d_step { served = seen + 1; seen = 0 };
    lock = false;
    busy--;
end: false
}

init {
    byte i;
again:
    busy++;
    atomic { run worker(); i++; if :: i < N -> goto again :: else -> i = 0 fi };
    atomic { busy == 0 -> assert(served == N) }
}
