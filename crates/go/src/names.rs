//! Names that `.kin` can have: of things in a program, and of what the translation makes itself.

/// The member that stands for a string.
pub(crate) fn string_name(at: usize, text: &str) -> String {
    if text.is_empty() {
        return "s_empty".into();
    }
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let letters: String = letters.take(16).collect();
    format!("s{at}_{}", letters.trim_matches('_'))
}

/// Words that `.kin` has, and prefixes of what the translation makes itself.
const TAKEN: &str = " and or not implies if then else true false none self this let in exists forall for while loop \
    repeat match select when timeout defer with idle await atomic assert require spawn join kill crash choose either \
    return break continue new is step object process shared record enum fn property const model class any unit bool int \
    seq set map len ended count at undo meet where always never reachable eventually leads_to until next all strings \
    big room over mutex rwlock read_side semaphore condition channel message unbounded oneshot broadcast subscription \
    mailbox waitgroup once gate barrier latch notify future context deadline monitor link timer ticker cell no_one_stuck \
    everyone_can_end deadlock_free race_free Any Str parent ancestor entering enabled fair threads place transition \
    flow place owner fresh ordered read take put unless guard spawns pid RWMutex RLocker WaitGroup Cond Pool SyncMap \
    Context Timer ErrGroup Semaphore Error AtomicInt AtomicBool AtomicValue strongly from to by of go min max sum \
    forever most least every inhibit main_ body result test_over test_cleanup test_cleanups initialise \
    first capacity above late signal maker size locker on begin inner clock \
    handed caught uw taken given defers Unwind \
    context_canceled context_expired io_eof io_unexpected_eof io_closed_pipe io_short_write net_closed \
    http_server_closed http_handler_timeout os_not_exist os_exist os_deadline_exceeded os_closed \
    os_permission io_no_progress io_short_buffer sql_no_rows sql_tx_done \
    test_tree TestTree ";

/// Names of parameters and variables in what the library has in `.kin`, and in functions which choose among cases.
const PARAMETERS: [&str; 20] = [
    "a", "b", "c", "e", "f", "h", "i", "k", "n", "p", "v", "w", "x", "above", "fire", "off", "old",
    "other", "others", "ran",
];

/// A name of a variable of the package: none that is in the way of these.
pub(crate) fn global_name(name: &str) -> String {
    let numbered = name.strip_prefix('p').is_some_and(|rest| rest.parse::<u8>().is_ok());
    match numbered || PARAMETERS.contains(&name) {
        true => format!("{name}_"),
        false => safe(name),
    }
}

/// A name that `.kin` can have.
pub(crate) fn safe(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut safe: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if safe.is_empty() || safe.starts_with(|c: char| c.is_ascii_digit() || c == '_') {
        safe.insert(0, 'v');
    }
    let prefixes = [
        "chan_", "arr_", "map_", "cell_", "got_", "res_", "any_", "fn", "s_", "copy_", "dyn_",
        "call_",
    ];
    let made = prefixes.iter().any(|prefix| safe.starts_with(prefix));
    let numbered = safe.len() > 1
        && (safe.starts_with('t') || safe.starts_with('s'))
        && safe[1..].starts_with(|c: char| c.is_ascii_digit());
    if made || numbered || TAKEN.contains(&format!(" {safe} ")) {
        safe.push('_');
    }
    safe
}
