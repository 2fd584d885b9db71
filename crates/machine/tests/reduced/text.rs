//! Random programs as texts, of what the prelude has: locks, wait groups, channels, also of locks, gates, and variables that
//! are shared.

use random::Random;

/// A program.
pub fn program(random: &mut Random) -> String {
    let room = random.below(3_u32);
    let kinds = 1 + random.below(2_usize);
    let has_loops = random.percent(20);
    let mut text = format!(
        "model random\n\
         shared a = new mutex\n\
         shared c = new channel[0..=1](capacity: {room})\n\
         shared n: 0..=2 = 0\n\
         shared u: 0..=2 = 0\n"
    );
    let mut maker = Maker { random, kinds, has_loops, is_main: true, names: 0 };
    text += "process main {\n\
             let l = new mutex\n let k = new mutex\n let w = new waitgroup\n let g = new gate\n\
             let d = new channel[mutex](capacity: 1)\n";
    text += &maker.block(3, 2);
    text += "}\n";
    maker.is_main = false;
    for kind in 0..kinds {
        text += &format!(
            "process p{kind}(l: mutex, k: mutex, w: waitgroup, g: gate, d: channel[mutex]) {{\n{}}}\n",
            maker.block(2, 2)
        );
    }
    text
}

struct Maker<'r> {
    random: &'r mut Random,
    kinds: usize,
    has_loops: bool,
    is_main: bool,
    /// How many names have been given.
    names: u32,
}

impl Maker<'_> {
    fn block(&mut self, least: usize, depth: usize) -> String {
        let count = least + self.random.below(3_usize);
        (0..count).map(|_| format!("{}\n", self.statement(depth))).collect()
    }

    fn lock(&mut self) -> &'static str {
        const LOCKS: [&str; 4] = ["a", "l", "l", "k"];
        LOCKS[self.random.below(LOCKS.len())]
    }

    fn variable(&mut self) -> &'static str {
        if self.random.percent(50) { "n" } else { "u" }
    }

    fn spawn(&mut self) -> String {
        let kind = self.random.below(self.kinds);
        let locks = *self.random.pick(&["l, k", "k, l", "l, l", "a, k", "new mutex, l"]);
        format!("spawn p{kind}({locks}, w, g, d)")
    }

    fn statement(&mut self, depth: usize) -> String {
        self.names += 1;
        let name = format!("x{}", self.names);
        let spawns = if self.is_main { 40 } else { 4 };
        if self.random.percent(spawns) {
            let spawn = self.spawn();
            return match self.random.below(7_u32) {
                0 => format!("let {name} = {spawn}\njoin {name}"),
                1 => format!("let {name} = {spawn}\nif ended({name}) {{ n = 1 }}"),
                2 => format!("w.add()\n{spawn}\n{}", self.spawn()),
                3 => format!("w.add()\n{spawn}"),
                4 => format!("atomic {{ repeat 2 {{ {spawn} }} }}"),
                _ => spawn,
            };
        }
        let (lock, variable, value) = (self.lock(), self.variable(), self.random.below(3_u32));
        if depth > 0 && self.random.percent(30) {
            let inside = self.block(1, depth - 1);
            return match self.random.below(7_u32) {
                0 | 1 => format!("with {lock}.lock() {{\n{inside}}}"),
                2 => format!("if {variable} == {value} {{\n{inside}}}"),
                3 => format!("repeat 2 {{\n{inside}}}"),
                4 => format!("if let {name} = d.receive() {{ with {name}.lock() {{\n{inside}}} }}"),
                5 if self.has_loops => format!("loop {{\n{inside}}}"),
                5 => format!("atomic {{ {variable} = {value}   u = 1 }}\n{inside}"),
                _ => format!("if {lock}.try_lock() {{\n{inside}{lock}.unlock()\n}}"),
            };
        }
        let bit = value % 2;
        match self.random.below(26_u32) {
            0..=3 => "w.done()".into(),
            4 => "w.add()".into(),
            5 => "w.wait()".into(),
            6 => format!("{lock}.lock()"),
            7 => format!("{lock}.unlock()"),
            8 | 9 => format!("c.send({bit})"),
            10 | 11 => format!("let {name} = c.receive()"),
            12 => "c.close()".into(),
            13 => format!("d.send({lock})"),
            14 => "g.open()".into(),
            15 => "g.close()".into(),
            16 => "g.pass()".into(),
            17 => format!("await {variable} == {bit}"),
            18 => format!("assert {variable} < 2"),
            19 => format!("select {{ c.send({bit}) {{ }}   else {{ {variable} = {value} }} }}"),
            20 => format!(
                "select {{ let {name} = c.receive() {{ u = 1 }}   {lock}.lock() {{ u = 0 }} }}"
            ),
            21 => format!("select {{ {lock}.lock() {{ n = 1 }}   else {{ }} }}"),
            22 => format!("either {{ {variable} = 1 }} or {{ }}"),
            23 => "idle g.pass()".into(),
            _ => format!("{variable} = {value}"),
        }
    }
}
