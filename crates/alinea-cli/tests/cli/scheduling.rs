//! Threads that wait for each other on one processor: whatever the system lets run first, the bytes are the same.

use std::fmt::Write as _;

use alinea::numeric::Generator;

use crate::support::Room;

/// Distinct pairs of numbers, each three times. Digits are one stem, so that everything is added to few sums.
fn numbers(pairs: usize) -> Room {
    let (mut source, mut target) = (String::new(), String::new());
    let mut generator = Generator::new(1, 0);
    let mut number = || 1000 + generator.next_u64() % 9000;
    for _ in 0..pairs {
        let (one, other) = (number(), number());
        for _ in 0..3 {
            writeln!(source, "{one}").unwrap();
            writeln!(target, "{other}").unwrap();
        }
    }
    Room::with(source, target)
}

#[test]
fn sixteen_threads_on_one_processor_give_the_same_bytes() {
    let room = numbers(4000);
    let words = "align s t -q --iterations ibm1:10,hmm:1 --scores scores -o links --threads";
    let results = |threads: usize| {
        room.run(&format!("{words} {threads}")).success();
        (room.read("links"), room.read("scores"))
    };
    let expected = results(1);
    on_one_processor(|| {
        for run in 0..20 {
            assert!(results(16) == expected, "run {run}");
        }
    });
}

/// Processes that this thread starts inherit what it may run on.
#[cfg(target_os = "linux")]
fn on_one_processor(work: impl FnOnce()) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let all = sched_getaffinity(None).unwrap();
    let first = (0..CpuSet::MAX_CPU).find(|&cpu| all.is_set(cpu)).unwrap();
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).unwrap();
    work();
    sched_setaffinity(None, &all).unwrap();
}

#[cfg(not(target_os = "linux"))]
fn on_one_processor(work: impl FnOnce()) {
    work();
}
