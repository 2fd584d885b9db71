"""Models to check: one that is sound, one that has a deadlock, one that is wrong, one that cannot be decided in time."""

SOUND = """model sound

place token = 1
place busy

transition begin { take token   put busy }
transition finish { take busy   put token }

property one: always count(token) + count(busy) == 1
"""

DEADLOCK = """model deadlock

flow thinking, hungry
place forks = 2
place held

start 2 times thinking

transition first {
    move p: thinking -> hungry
    take forks
    put held
}

property free: deadlock_free
"""

WRONG = """model wrong
flow a
start b
"""

FAULTY = """model faulty
flow a(n: 0..=2)
start a(0)
transition t { move p: a(n) -> a(n + 1) }
property small: always not (exists p at a: p.n == 9)
"""

ASSERTION = """model asserted
shared n: 0..=3 = 0
process main { n = 1   assert n == 2 }
"""
