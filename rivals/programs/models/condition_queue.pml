/* condition_queue.kin for Spin. Without reduction the states are those of rumur without symmetry. `kinfold explore --full`
 * has more where processes are translated to nets: the calls of `wait` are numbered there.
 */
#ifndef N
#define N 5
#endif
#ifndef ROOM
#define ROOM 2
#endif

bool lock;
byte filled;
bool putting[N], taking[N];  /* who is asleep */
byte putters, takers;       /* how many are */

/* Any one of those who are asleep is woken; if nobody is, the signal is lost. */
#define SIGNAL(asleep, count) \
    atomic { \
        if \
        :: count == 0 \
        :: else -> \
           which = 1; \
           do \
           :: which < count -> which++ \
           :: break \
           od; \
           do \
           :: asleep[i] && which == 1 -> break \
           :: asleep[i] && which > 1 -> which--; i++ \
           :: !asleep[i] -> i++ \
           od; \
           asleep[i] = false; count--; i = 0; which = 0 \
        fi \
    }

proctype putter(byte me) {
    byte i, which, next;
again:
    atomic { !lock -> lock = true };
look:
    if
    :: filled == ROOM ->
       d_step { lock = false; putting[me] = true; putters++ };
       !putting[me];
       atomic { !lock -> lock = true; goto look }
    :: filled != ROOM
    fi;
    next = filled + 1;
    d_step { filled = next; next = 0 };
    SIGNAL(taking, takers);
    lock = false;
    goto again
}

proctype taker(byte me) {
    byte i, which, next;
again:
    atomic { !lock -> lock = true };
look:
    if
    :: filled == 0 ->
       d_step { lock = false; taking[me] = true; takers++ };
       !taking[me];
       atomic { !lock -> lock = true; goto look }
    :: filled != 0
    fi;
    next = filled - 1;
    d_step { filled = next; next = 0 };
    SIGNAL(putting, putters);
    lock = false;
    goto again
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run putter(i); run taker(i); i++
        :: else -> break
        od;
        i = 0
    }
}
