/* dining.kin for Spin. Without reduction the states are those of Kinfold.
 *
 * A fork does not say who holds it; nor does Kinfold keep the holder of a lock where nothing reads it.
 */
#ifndef N
#define N 5
#endif

bool fork[N];

proctype philosopher(byte one; byte other) {
    do
    :: atomic { !fork[one] -> fork[one] = true };
       atomic { !fork[other] -> fork[other] = true };
       fork[other] = false;
       fork[one] = false
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run philosopher(i, (i + 1) % N); i++
        :: else -> i = 0; break
        od
    }
}
