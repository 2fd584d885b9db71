//! Types and constants of the standard library, by package and name.

use crate::types::{Int, Konst, Lib, Sig, Ty};

/// The type of that name.
pub(crate) fn lib_type(path: &str, name: &str) -> Option<Ty> {
    Some(match (path, name) {
        ("sync", "Mutex") => Ty::Lib(Lib::Mutex),
        ("sync", "RWMutex") => Ty::Lib(Lib::RwMutex),
        ("sync", "WaitGroup") => Ty::Lib(Lib::WaitGroup),
        ("sync", "Cond") => Ty::Lib(Lib::Cond),
        ("sync", "Once") => Ty::Lib(Lib::Once),
        ("sync", "Pool") => Ty::Lib(Lib::Pool),
        ("sync", "Map") => Ty::Lib(Lib::SyncMap),
        ("sync", "Locker") => Ty::locker(),
        ("sync/atomic", "Int32") => Ty::Lib(Lib::AtomicInt(Int::Int32)),
        ("sync/atomic", "Int64") => Ty::Lib(Lib::AtomicInt(Int::Int64)),
        ("sync/atomic", "Uint32") => Ty::Lib(Lib::AtomicInt(Int::Uint32)),
        ("sync/atomic", "Uint64") => Ty::Lib(Lib::AtomicInt(Int::Uint64)),
        ("sync/atomic", "Uintptr") => Ty::Lib(Lib::AtomicInt(Int::Uint)),
        ("sync/atomic", "Bool") => Ty::Lib(Lib::AtomicBool),
        ("sync/atomic", "Value") => Ty::Lib(Lib::AtomicValue),
        ("context" | "golang.org/x/net/context", "Context") => Ty::Lib(Lib::Context),
        ("context" | "golang.org/x/net/context", "CancelFunc") => Ty::Func(Sig::default().into()),
        ("context", "CancelCauseFunc") => {
            let sig = Sig { params: vec![Ty::error()], ..Sig::default() };
            Ty::Func(sig.into())
        }
        ("time", "Duration") => Ty::Opaque("time.Duration"),
        ("time", "Time") => Ty::Opaque("time.Time"),
        ("time", "Month" | "Weekday") => Ty::INT,
        ("time", "Location") => Ty::Lib(Lib::Thing),
        ("time", "Timer") => Ty::Lib(Lib::Timer),
        ("time", "Ticker") => Ty::Lib(Lib::Ticker),
        ("testing", "T" | "B" | "M" | "TB" | "F") => Ty::Lib(Lib::Testing),
        ("golang.org/x/sync/errgroup", "Group") => Ty::Lib(Lib::ErrGroup),
        ("golang.org/x/sync/semaphore", "Weighted") => Ty::Lib(Lib::Semaphore),
        ("os", "Signal") => Ty::any(),
        ("fmt", "Stringer") => {
            let sig = Sig { results: vec![Ty::Str], ..Sig::default() };
            Ty::Interface(vec![("String".to_owned(), sig)].into())
        }
        ("log", "Logger")
        | ("math/rand", "Rand" | "Source")
        | ("bytes", "Buffer")
        | ("strings", "Builder") => Ty::Lib(Lib::Thing),
        ("unsafe", "Pointer") => Ty::Opaque("unsafe.Pointer"),
        ("io", "Reader" | "Writer" | "Closer" | "ReadCloser" | "WriteCloser") => {
            let sig = |params: Vec<Ty>, results: Vec<Ty>| Sig { params, results, variadic: false };
            let bytes = || Ty::Slice(Ty::Int(Int::Uint8).into());
            let mut methods = Vec::new();
            if name.contains("Close") {
                methods.push(("Close".to_owned(), sig(vec![], vec![Ty::error()])));
            }
            if name.contains("Read") {
                methods.push(("Read".to_owned(), sig(vec![bytes()], vec![Ty::INT, Ty::error()])));
            }
            if name.contains("Writ") {
                methods.push(("Write".to_owned(), sig(vec![bytes()], vec![Ty::INT, Ty::error()])));
            }
            Ty::Interface(methods.into())
        }
        _ => return None,
    })
}

/// The constant of that name.
pub(crate) fn lib_const(path: &str, name: &str) -> Option<(Konst, Ty)> {
    let int = |n: i128| Some((Konst::Int(n), Ty::Untyped));
    match (path, name) {
        ("time", "Nanosecond" | "Microsecond" | "Millisecond" | "Second" | "Minute" | "Hour") => {
            Some((Konst::Float(0.0), Ty::Opaque("time.Duration")))
        }
        ("time", "RFC3339" | "RFC3339Nano" | "RFC1123" | "Kitchen") => {
            Some((Konst::Str(name.to_owned()), Ty::Str))
        }
        ("math", "MaxInt8") => int(127),
        ("math", "MaxInt16") => int(32767),
        ("math", "MaxUint8") => int(255),
        ("math", "MaxUint16") => int(65535),
        ("math", "MinInt8") => int(-128),
        ("math", "MaxInt" | "MaxInt64" | "MaxInt32" | "MaxUint32" | "MaxUint64") => {
            int(1_000_000_000)
        }
        ("math", "MinInt" | "MinInt64" | "MinInt32") => int(-1_000_000_000),
        ("math", "Pi" | "E") => Some((Konst::Float(0.0), Ty::Float)),
        ("log", "LstdFlags" | "Ldate" | "Ltime" | "Lmicroseconds" | "Lshortfile" | "Llongfile") => {
            int(1)
        }
        ("syscall", _) if name.starts_with("SIG") => Some((Konst::Str(name.to_owned()), Ty::Str)),
        ("os", "Interrupt" | "Kill") => Some((Konst::Str(name.to_owned()), Ty::Str)),
        ("net/http", _) if name.starts_with("Status") || name.starts_with("Method") => {
            Some((Konst::Str(name.to_owned()), Ty::Str))
        }
        _ => None,
    }
}

/// The methods of a type of the library, so that embedding finds them.
pub(crate) fn lib_methods(lib: Lib) -> &'static [&'static str] {
    match lib {
        Lib::Mutex | Lib::ReadSide => &["Lock", "Unlock", "TryLock"],
        Lib::RwMutex => &["Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock", "RLocker"],
        Lib::WaitGroup => &["Add", "Done", "Wait", "Go"],
        Lib::Cond => &["Wait", "Signal", "Broadcast", "L"],
        Lib::Once => &["Do"],
        Lib::Pool => &["Get", "Put", "New"],
        Lib::SyncMap => &["Load", "Store", "LoadOrStore", "LoadAndDelete", "Delete", "Range"],
        Lib::Context => &["Done", "Err", "Value", "Deadline"],
        Lib::AfterFunc => &[],
        Lib::Timer | Lib::Ticker => &["C", "Stop", "Reset"],
        Lib::ErrGroup => &["Go", "Wait", "SetLimit", "TryGo"],
        Lib::Semaphore => &["Acquire", "Release", "TryAcquire"],
        Lib::Error => &["Error", "Unwrap"],
        Lib::AtomicInt(_) | Lib::AtomicBool | Lib::AtomicValue => {
            &["Load", "Store", "Swap", "CompareAndSwap", "Add"]
        }
        Lib::Testing => &[
            "Fatal",
            "Fatalf",
            "Error",
            "Errorf",
            "Log",
            "Logf",
            "Fail",
            "FailNow",
            "Failed",
            "Run",
            "Parallel",
            "Skip",
            "Skipf",
            "SkipNow",
            "Helper",
            "Cleanup",
            "Name",
            "Deadline",
            "N",
            "ResetTimer",
            "StopTimer",
            "StartTimer",
            "ReportAllocs",
            "RunParallel",
            "Short",
            "Setenv",
            "TempDir",
        ],
        Lib::Thing => &[
            "Print",
            "Printf",
            "Println",
            "Fatal",
            "Fatalf",
            "Fatalln",
            "Panic",
            "Panicf",
            "Int",
            "Intn",
            "Int63",
            "Int31",
            "Int31n",
            "Int63n",
            "Float64",
            "Float32",
            "Perm",
            "Seed",
            "Shuffle",
            "WriteString",
            "WriteByte",
            "Write",
            "String",
            "Len",
            "Reset",
            "SetOutput",
            "SetFlags",
            "SetPrefix",
            "Uint32",
            "Uint64",
        ],
    }
}

/// Whether some type of the library has a method of that name.
pub(crate) fn is_lib_method(name: &str) -> bool {
    use Lib::*;
    let all = [
        Mutex,
        RwMutex,
        WaitGroup,
        Cond,
        Once,
        Pool,
        SyncMap,
        Context,
        Timer,
        ErrGroup,
        Semaphore,
        Error,
        AtomicInt(Int::Plain),
        Testing,
        Thing,
    ];
    all.iter().any(|lib| lib_methods(*lib).contains(&name))
}
