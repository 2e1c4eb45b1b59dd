//! Training on a text in parts: the steps of `alinea parts`, and files that do not belong together.

use std::fs;
use std::ops::Range;

use crate::support::{Room, sample};

/// Steps of a training on parts, which are lines of `s` and `t`.
struct Steps<'r> {
    room: &'r Room,
    parts: usize,
}

impl<'r> Steps<'r> {
    /// Cuts the text, and takes all steps before the first pass. Given are options of `words`, of each part, and of `begin`.
    fn begin(room: &'r Room, parts: &[(Range<usize>, &str)], options: &str) -> Self {
        for (number, (lines, _)) in (1..).zip(parts) {
            for side in ["s", "t"] {
                let part: String = room.read(side).split_inclusive('\n').skip(lines.start).take(lines.len()).collect();
                room.write(&format!("{side}.{number}"), part);
            }
        }
        let steps = Self { room, parts: parts.len() };
        for (number, (_, options)) in (1..).zip(parts) {
            room.run(&format!("parts words s.{number} t.{number} {options} -o words.{number}")).success();
        }
        room.run(&format!("parts join {} -o words", steps.each("words"))).success();
        for number in 1..=steps.parts {
            let words = format!("parts pairs s.{number} t.{number} --part {number} --words words -o pairs.{number}");
            room.run(&words).success();
        }
        let pairs = steps.each("pairs");
        room.run(&format!("parts begin {pairs} --words words {options} -o state.0")).success();
        steps
    }

    /// The names of a file of each part.
    fn each(&self, name: &str) -> String {
        (1..=self.parts).map(|number| format!("{name}.{number}")).collect::<Vec<_>>().join(" ")
    }

    /// Counts all parts after so many passes.
    fn count(&self, done: u32, threads: usize) {
        for number in 1..=self.parts {
            let own = if done == 0 { String::new() } else { format!("--own own.{done}.{number}") };
            let words = format!(
                "parts count s.{number} t.{number} --part {number} --state state.{done} {own} --keep own.{}.{number} \
                 -o counts.{number} --threads {threads}",
                done + 1
            );
            self.room.run(&words).success();
        }
    }

    /// All passes; the model is `parts`.
    fn run(&self, passes: u32) {
        self.run_pruned(passes, &[]);
    }

    /// The same, with options of `maximize` after some passes.
    fn run_pruned(&self, passes: u32, pruned: &[(u32, &str)]) {
        for done in 0..passes {
            self.count(done, 1 + done as usize % 2);
            let next = done + 1;
            let result = if next == passes {
                format!("-m parts --own {}", self.each(&format!("own.{next}")))
            } else {
                format!("-o state.{next}")
            };
            let counts = self.each("counts");
            let prune = pruned.iter().find(|(after, _)| *after == next).map_or("", |(_, prune)| prune);
            self.room.run(&format!("parts maximize {counts} --state state.{done} {prune} {result}")).success();
        }
    }
}

fn room(pairs: usize) -> Room {
    let (source, target) = sample(pairs);
    Room::with(source, target)
}

#[test]
fn parts_give_the_model_of_the_joined_text_to_the_byte() {
    for (options, cuts, passes) in [
        ("", &[0, 300][..], 9),
        ("", &[0, 1, 120, 120, 300], 9),
        ("--model agreement", &[0, 77, 150, 300], 9),
        ("--model hmm --iterations ibm1:1,hmm:2", &[0, 10, 300], 3),
    ] {
        let room = room(300);
        room.run(&format!("train s t {options} -m whole")).success();
        let parts: Vec<(Range<usize>, &str)> = cuts.windows(2).map(|ends| (ends[0]..ends[1], "")).collect();
        Steps::begin(&room, &parts, options).run(passes);
        assert!(fs::read(room.path("parts")).unwrap() == fs::read(room.path("whole")).unwrap(), "{options}");
    }
}

#[test]
fn added_text_is_a_part_that_counts_less() {
    let room = room(200);
    let text = |side: &str, lines: Range<usize>| -> String {
        room.read(side).split_inclusive('\n').skip(lines.start).take(lines.len()).collect()
    };
    for (name, side, lines) in
        [("m.s", "s", 0..120), ("m.t", "t", 0..120), ("a.s", "s", 120..200), ("a.t", "t", 120..200)]
    {
        room.write(name, text(side, lines));
    }
    room.write("dictionary", "house maison 0.5\n");
    room.run("train m.s m.t --add a.s a.t --weight 0.3 --dictionary dictionary --no-lowercase -m whole").success();
    let parts = [(0..50, "--no-lowercase"), (50..120, "--no-lowercase"), (120..200, "--no-lowercase --weight 0.3")];
    Steps::begin(&room, &parts, "--dictionary dictionary").run(9);
    assert!(fs::read(room.path("parts")).unwrap() == fs::read(room.path("whole")).unwrap());
}

#[test]
fn pruned_trainings_are_smaller_and_do_not_depend_on_the_parts() {
    let room = room(300);
    let size = |name: &str| fs::metadata(room.path(name)).unwrap().len();
    Steps::begin(&room, &[(0..300, "")], "").run(9);
    let sizes = ["state.7", "parts"].map(size);
    Steps::begin(&room, &[(0..300, "")], "").run_pruned(9, &[(6, "--prune"), (7, "--prune=0.01")]);
    fs::rename(room.path("parts"), room.path("one")).unwrap();
    Steps::begin(&room, &[(0..90, ""), (90..300, "")], "").run_pruned(9, &[(6, "--prune=0.001"), (7, "--prune=1e-2")]);
    assert!(fs::read(room.path("one")).unwrap() == fs::read(room.path("parts")).unwrap());
    assert!(3 * size("state.7") < 2 * sizes[0] && size("parts") < sizes[1]);
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let room = room(120);
    let steps = Steps::begin(&room, &[(0..50, ""), (50..90, ""), (90..120, "")], "--iterations ibm1:1,hmm:2");
    steps.count(0, 1);
    room.run(&format!("parts maximize {} --state state.0 -o state.1", steps.each("counts"))).success();
    for number in 1..=3 {
        fs::copy(room.path(&format!("counts.{number}")), room.path(&format!("first.{number}"))).unwrap();
    }
    steps.count(1, 2);
    room.run(&format!("parts maximize {} --state state.1 -o state.2", steps.each("counts"))).success();
    let counts = ["first.1", "first.2", "first.3"].join(" ");
    room.run(&format!("parts maximize {counts} --state state.0 --prune -o pruned")).success();
    room.run("parts begin pairs.3 pairs.1 pairs.2 --words words --model agreement -o other").success();
    room.run("parts words s.2 t.2 --no-lowercase -o cased").success();
    room.write("far", "0-0 0-90\n");
    room.write("cut", &fs::read(room.path("counts.1")).unwrap()[..3000]);
    let part = "parts count s.1 t.1 --part 1 -o x --keep y";
    for (words, expected) in [
        ("parts join words.1 cased -o x", "part 2 was cut into words, or lowercased, in another way than part 1"),
        ("parts join s -o x", "s: expected a file written by alinea"),
        ("parts pairs s.1 t.1 --part 2 --words words -o x", "this is the text of part 1, not of part 2"),
        ("parts pairs s t --part 2 --words words -o x", "this is not the text of part 2"),
        ("parts pairs s.1 t.1 --part 4 --words words -o x", "there is no part 4: the text has 3 parts"),
        ("parts begin pairs.1 pairs.3 --words words -o x", "the word pairs of part 2 are missing"),
        ("parts begin pairs.1 pairs.2 pairs.3 pairs.2 --words words -o x", "the word pairs of part 2 are there twice"),
        ("parts begin pairs.1 pairs.2 pairs.3 --words words --model quality -o x", "not for quality"),
        (&format!("{part} --state state.2"), "the own counts of part 1 are missing, of pass 2"),
        (&format!("{part} --state state.2 --own own.1.1"), "are of pass 1, those of pass 2 are needed"),
        (&format!("{part} --state state.2 --own own.2.2"), "these are the own counts of part 2, not of part 1"),
        (&format!("{part} --state state.0 --links far"), "far:1:"),
        (&format!("{part} --state words"), "words: expected format `alinea training state`"),
        (&format!("{part} --state state.0 --memory 10KiB"), "10240 bytes of memory are too few: this part takes "),
        (
            &format!("{part} --state state.0 --memory much"),
            "expected a size such as 100MB, 1.5GiB or a number of bytes",
        ),
        ("parts maximize counts.1 counts.3 --state state.1 -o x", "the counts of a part are missing"),
        ("parts maximize counts.1 counts.2 counts.3 counts.1 --state state.1 -o x", "counted twice in HMM 1/2"),
        ("parts maximize first.1 first.2 first.3 --state state.1 -o x", "the state is that before HMM 1/2"),
        ("parts maximize first.1 first.2 first.3 --state other -o x", "of a model trained differently"),
        ("parts maximize cut counts.2 counts.3 --state state.1 -o x", "cut: expected a file written by alinea"),
        ("parts maximize counts.1 counts.2 counts.3 --state state.1 -m x --own own.2.1", "passes are left"),
        ("parts maximize counts.1 counts.2 counts.3 --state state.2 -o x", "this is the last pass"),
        ("parts maximize counts.1 --state state.1 -o counts.1", "would overwrite the input COUNTS"),
        ("parts maximize counts.1 --state state.1 --prune=0 -o x", "prune = 0: must be above 0 and at most 1"),
        ("parts maximize counts.1 --state state.1 --prune -m x --own own.2.1", "cannot be used with"),
        ("parts maximize counts.1 counts.2 counts.3 --state pruned -o x", "of a model trained differently"),
    ] {
        let message = room.run(words).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
        assert!(!room.path("x").exists() && !room.path("y").exists(), "{words}");
    }
    steps.count(2, 1);
    let all = format!("parts maximize {} --state state.2", steps.each("counts"));
    for (own, expected) in [
        ("own.3.1 own.3.3", "the own counts of part 2 are missing"),
        ("own.3.1 own.3.2 own.3.3 own.3.1", "the own counts of part 1 are there twice"),
        ("own.3.1 own.2.2 own.3.3", "the own counts of part 2 are of pass 2"),
    ] {
        let message = room.run(&format!("{all} -m x --own {own}")).failure(2);
        assert!(message.contains(expected), "{own}: {message}");
        assert!(!room.path("x").exists());
    }
}

/// The recipes of the repository.
#[cfg(unix)]
mod recipes {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::Command;

    use super::*;

    /// What stands for Slurm: runs what is submitted, the elements of an array beside each other, and prints a number.
    const SBATCH: &str = r#"#!/bin/sh
array=
while :; do
    case $1 in
        --array) array=${2#1-}; shift 2 ;;
        --dependency | --job-name) shift 2 ;;
        --*) shift ;;
        *) break ;;
    esac
done
if [ -z "$array" ]; then
    "$@" >/dev/null || exit 1
else
    numbers=
    for k in $(seq "$array"); do
        SLURM_ARRAY_TASK_ID=$k "$@" >/dev/null &
        numbers="$numbers $!"
    done
    for number in $numbers; do wait "$number" || exit 1; done
fi
echo 7
"#;

    /// A room with three parts, and the model of the whole.
    fn parts() -> Room {
        let room = room(90);
        room.run("train s t --iterations ibm1:1,hmm:2 -m whole").success();
        for (number, lines) in (1..).zip([0..40, 40..41, 41..90]) {
            for (side, name) in [("s", "source"), ("t", "target")] {
                let part: String = room.read(side).split_inclusive('\n').skip(lines.start).take(lines.len()).collect();
                room.write(&format!("{number}.{name}"), part);
            }
        }
        room
    }

    /// Runs a recipe, and compares the model.
    fn run(room: &Room, program: &str, recipe: &str, arguments: &[&str]) {
        train(room, program, recipe, arguments, &[]);
        assert!(fs::read(room.path("model.alinea")).unwrap() == fs::read(room.path("whole")).unwrap());
    }

    /// Runs a recipe with our command in the path, and these options of steps in its environment.
    fn train(room: &Room, program: &str, recipe: &str, arguments: &[&str], options: &[(&str, &str)]) {
        let alinea = Path::new(env!("CARGO_BIN_EXE_alinea")).parent().unwrap();
        let path = format!("{}:{}:{}", room.path("bin").display(), alinea.display(), std::env::var("PATH").unwrap());
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/parts/");
        let mut command = Command::new(program);
        command
            .args(if program == "make" { &["-f"][..] } else { &[] })
            .arg(format!("{examples}{recipe}"))
            .args(arguments);
        command.current_dir(room.path("")).env("PATH", path).env("BEGIN", "--iterations ibm1:1,hmm:2");
        let output = command.envs(options.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// A place for what submits jobs.
    fn with_slurm(room: &Room) {
        fs::create_dir(room.path("bin")).unwrap();
        room.write("bin/sbatch", SBATCH);
        fs::set_permissions(room.path("bin/sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_makefile_trains_in_parts_and_resumes() {
        let room = parts();
        run(&room, "make", "Makefile", &["-j2", "PASSES=3"]);
        fs::remove_file(room.path("model.alinea")).unwrap();
        fs::remove_file(room.path("counts.2.3")).unwrap();
        run(&room, "make", "Makefile", &["-j2", "PASSES=3"]);
        run(&room, "make", "Makefile", &["clean"]);
        assert_eq!(room.names(), "1.source 1.target 2.source 2.target 3.source 3.target model.alinea s t whole");
    }

    #[test]
    fn job_arrays_train_in_parts() {
        let room = parts();
        with_slurm(&room);
        run(&room, "bash", "slurm", &["3", "3"]);
    }

    #[test]
    fn steps_have_options() {
        let room = parts();
        with_slurm(&room);
        let options = [("COUNT", "--memory 1GiB"), ("MAXIMIZE_1", "--prune=0.05")];
        train(&room, "bash", "slurm", &["3", "3"], &options);
        let submitted = fs::read(room.path("model.alinea")).unwrap();
        assert!(submitted.len() < fs::read(room.path("whole")).unwrap().len());
        fs::remove_file(room.path("model.alinea")).unwrap();
        train(&room, "make", "Makefile", &["clean"], &options);
        train(&room, "make", "Makefile", &["PASSES=3"], &options);
        assert!(fs::read(room.path("model.alinea")).unwrap() == submitted);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let room = room(120);
    let steps = Steps::begin(&room, &[(0..50, ""), (50..120, "")], "--iterations ibm1:1,hmm:1");
    steps.count(0, 1);
    let limited = |words: &str| {
        let mut command = std::process::Command::new("prlimit");
        command.arg("--fsize=20000").arg(env!("CARGO_BIN_EXE_alinea")).args(words.split_whitespace());
        let output = command.current_dir(room.path("")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}");
    };
    let before = room.names();
    limited("parts words s.1 t.1 -o x");
    limited("parts join words.1 words.2 -o x");
    limited("parts pairs s.1 t.1 --part 1 --words words -o x");
    limited("parts begin pairs.1 pairs.2 --words words -o x");
    limited("parts count s.1 t.1 --part 1 --state state.0 -o x --keep y");
    limited("parts maximize counts.1 counts.2 --state state.0 -o x");
    assert_eq!(room.names(), before);
    room.run("parts maximize counts.1 counts.2 --state state.0 -o state.1").success();
}
