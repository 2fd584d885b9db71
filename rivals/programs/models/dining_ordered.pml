/* dining_ordered.kin for Spin. Without reduction the states are those of Kinfold (of `--full`, for n = 2). */
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
        :: i < N - 1 -> run philosopher(i, i + 1); i++
        :: else -> run philosopher(0, N - 1); i = 0; break
        od
    }
}
