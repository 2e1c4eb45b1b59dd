//! Threads that do not change results.
//!
//! Work is cut into chunks that do not depend on the number of threads. Chunks are handed out as threads become
//! free, so a worker must only collect what does not depend on the order it got them in: integer sums, or results
//! stored by chunk number. Three shapes cover everything here:
//!
//! * [`Parallelism::fold`]: every thread owns one worker (its buffers and partial sums) and the workers come back;
//! * [`Parallelism::map_ordered`]: results reach a sink in chunk order, in bounded memory;
//! * [`Parallelism::map_read`]: the same for a stream that is read on the way.
//!
//! ```
//! use alinea::parallel::Parallelism;
//!
//! let three = Parallelism::new(3)?;
//! let workers = three.fold(100, || 0u64, |sum, chunk| { *sum += chunk as u64; Ok(()) })?;
//! assert_eq!(workers.iter().sum::<u64>(), 4950);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::error::{Error, ErrorKind, Result, system_message};
use crate::progress::Observer;

/// The threads for a task, and the observer of its progress.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    /// The threads.
    pub parallelism: &'w Parallelism,
    /// Receives progress, and may cancel.
    pub observer: &'w dyn Observer,
}

/// How many threads work, and the pool they live in. One thread runs in the caller, without a pool.
#[derive(Debug)]
pub struct Parallelism {
    pool: Option<rayon::ThreadPool>,
}

impl Parallelism {
    /// The largest number of threads: each has tables of its own, so thousands would do nothing but take memory.
    pub const MOST_THREADS: usize = 256;

    /// `threads` threads; 0 means one for each core.
    ///
    /// # Errors
    /// `Config` for more than [`MOST_THREADS`](Self::MOST_THREADS); `Threads` if the operating system gives fewer, as where
    /// memory is missing for them.
    pub fn new(threads: usize) -> Result<Self> {
        if threads > Self::MOST_THREADS {
            return Err(Error::config("threads", threads, "0 to 256"));
        }
        let threads = if threads == 0 {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(Self::MOST_THREADS)
        } else {
            threads
        };
        if threads == 1 {
            return Ok(Self { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(|pool| Self { pool: Some(pool) })
            .map_err(|error| ErrorKind::Threads { wanted: threads, error: system_message(error) }.into())
    }

    /// One thread: the caller's.
    pub fn serial() -> Self {
        Self { pool: None }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Runs `step` on every chunk number below `chunks`, each thread with a worker of its own, and returns the
    /// workers. Which worker got which chunk is not determined: collect only what does not depend on it.
    ///
    /// # Errors
    /// The error of the lowest-numbered chunk that failed before the others noticed; the rest is left undone.
    pub fn fold<W: Send>(
        &self,
        chunks: usize,
        init: impl Fn() -> W + Sync,
        step: impl Fn(&mut W, usize) -> Result<()> + Sync,
    ) -> Result<Vec<W>> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let run = || -> (W, Option<(usize, Error)>) {
            let mut worker = init();
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || failed.load(Ordering::Relaxed) {
                    return (worker, None);
                }
                if let Err(error) = step(&mut worker, chunk) {
                    failed.store(true, Ordering::Relaxed);
                    return (worker, Some((chunk, error)));
                }
            }
        };
        let outcomes = match &self.pool {
            None => vec![run()],
            Some(pool) => pool.broadcast(|_| run()),
        };
        let mut workers = Vec::with_capacity(outcomes.len());
        let mut first: Option<(usize, Error)> = None;
        for (worker, failure) in outcomes {
            workers.push(worker);
            if let Some((chunk, error)) = failure
                && first.as_ref().is_none_or(|(lowest, _)| chunk < *lowest)
            {
                first = Some((chunk, error));
            }
        }
        first.map_or(Ok(workers), |(_, error)| Err(error))
    }

    /// Maps every chunk number below `chunks` and hands the results to `sink` in chunk order. At most a few results
    /// a thread are held at once.
    ///
    /// # Errors
    /// The first error, in chunk order, of `map` or `sink`.
    ///
    /// # Panics
    /// If `map` panics.
    pub fn map_ordered<W: Send, R: Send>(
        &self,
        chunks: usize,
        init: impl Fn() -> W + Sync + Send,
        map: impl Fn(&mut W, usize) -> Result<R> + Sync + Send,
        mut sink: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let Some(pool) = &self.pool else {
            let mut worker = init();
            return (0..chunks).try_for_each(|chunk| sink(map(&mut worker, chunk)?));
        };
        let workers = Mutex::new(Vec::new());
        let batch = self.threads() * 8;
        for start in (0..chunks).step_by(batch) {
            let range = start..(start + batch).min(chunks);
            let results: Vec<Result<R>> = pool.install(|| {
                range
                    .into_par_iter()
                    .with_max_len(1)
                    .map(|chunk| {
                        let idle = workers.lock().expect("no thread panics while it holds the lock").pop();
                        let mut worker = idle.unwrap_or_else(&init);
                        let result = map(&mut worker, chunk);
                        workers.lock().expect("no thread panics while it holds the lock").push(worker);
                        result
                    })
                    .collect()
            });
            for result in results {
                sink(result?)?;
            }
        }
        Ok(())
    }

    /// Reads batches of a stream, maps them, and hands the results to `sink` in the order of the stream. A thread maps the
    /// batch that it has read itself, from its own cache, while others read the next ones; nobody waits at the end of a
    /// batch. Results wait for those of earlier batches. `read` puts a batch into a worker and returns whether there was
    /// one; only one thread reads at a time, and only one is in `sink`.
    ///
    /// # Errors
    /// The first error, in the order of the stream, of `read`, `map` or `sink`.
    ///
    /// # Panics
    /// If one of them panics.
    pub fn map_read<W, R: Send, E: Send>(
        &self,
        init: impl Fn() -> W + Sync,
        mut read: impl FnMut(&mut W) -> Result<bool, E> + Send,
        map: impl Fn(&mut W) -> Result<R, E> + Sync,
        mut sink: impl FnMut(R) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let Some(pool) = &self.pool else {
            let mut worker = init();
            while read(&mut worker)? {
                sink(map(&mut worker)?)?;
            }
            return Ok(());
        };
        let stream = Mutex::new(Stream { next: 0, ended: false, failure: None });
        let results = Mutex::new((0, BTreeMap::new(), &mut sink));
        let reader = Mutex::new(&mut read);
        let work = || {
            let mut worker = init();
            loop {
                let mut read = reader.lock().expect(NO_PANIC);
                let Some(batch) = stream.lock().expect(NO_PANIC).begin() else { return };
                let found = read(&mut worker);
                if !matches!(found, Ok(true)) {
                    // Before another one reads on.
                    stream.lock().expect(NO_PANIC).end(batch, found.err());
                    return;
                }
                drop(read);
                let handed = map(&mut worker).and_then(|result| hand_over(&results, batch, result));
                if let Err(error) = handed {
                    stream.lock().expect(NO_PANIC).end(batch, Some(error));
                    return;
                }
            }
        };
        pool.broadcast(|_| work());
        let failure = stream.into_inner().expect(NO_PANIC).failure;
        failure.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// A vector of `len` values by their places. Threads make parts of it, so that all of them wait for the operating system
    /// to find its memory, and not one after another.
    pub fn collect<T: Send>(&self, len: usize, value: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        match &self.pool {
            None => (0..len).map(value).collect(),
            Some(pool) => pool.install(|| (0..len).into_par_iter().with_min_len(1 << 16).map(value).collect()),
        }
    }

    /// Runs two pieces of work, side by side if there are threads for it.
    pub fn join<A: Send, B: Send>(&self, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
        match &self.pool {
            None => (a(), b()),
            Some(pool) => pool.join(a, b),
        }
    }
}

/// Why locks are there to be had: a panic ends the whole work.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// How far a stream was read.
struct Stream<E> {
    next: usize,
    ended: bool,
    /// The first batch that failed.
    failure: Option<(usize, E)>,
}

impl<E> Stream<E> {
    /// The number of the next batch, unless the stream has ended.
    fn begin(&mut self) -> Option<usize> {
        let batch = self.next;
        self.next += 1;
        (!self.ended).then_some(batch)
    }

    /// Nothing is read after this batch.
    fn end(&mut self, batch: usize, error: Option<E>) {
        self.ended = true;
        if let Some(error) = error
            && self.failure.as_ref().is_none_or(|&(first, _)| batch < first)
        {
            self.failure = Some((batch, error));
        }
    }
}

/// Hands over the result of a batch, and those that have waited for it; or lets it wait.
fn hand_over<R, E>(
    results: &Mutex<(usize, BTreeMap<usize, R>, impl FnMut(R) -> Result<(), E>)>,
    batch: usize,
    result: R,
) -> Result<(), E> {
    let mut results = results.lock().expect(NO_PANIC);
    let (next, waiting, sink) = &mut *results;
    waiting.insert(batch, result);
    while let Some(result) = waiting.remove(next) {
        *next += 1;
        sink(result)?;
    }
    Ok(())
}

/// The `chunk`-th of the ranges that cut `0..total` into pieces of `size` (the last one shorter).
pub fn chunk_range(total: usize, size: usize, chunk: usize) -> Range<usize> {
    let start = (chunk * size).min(total);
    start..(start + size).min(total)
}

/// Cuts items with these weights into ranges: each ends with the item that brings its weight to `enough` (but the last
/// one).
pub fn chunks_by_weight(weights: impl IntoIterator<Item = usize>, enough: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut chunk, mut weight) = (0..0, 0);
    for item in weights {
        chunk.end += 1;
        weight += item;
        if weight >= enough {
            chunks.push(chunk.clone());
            (chunk, weight) = (chunk.end..chunk.end, 0);
        }
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    chunks
}

/// How many chunks a small text is cut into, if it is not too small: enough for many threads to end at the same time.
const BALANCED_CHUNKS: usize = 64;

/// Cuts items with these weights into ranges that keep many threads busy also where there are few items: each weighs about 1/64 of
/// all, but within these bounds.
///
/// # Panics
/// If the bounds are empty.
pub fn balanced_chunks(
    weights: impl Iterator<Item = usize> + Clone,
    enough: RangeInclusive<usize>,
) -> Vec<Range<usize>> {
    let total: usize = weights.clone().sum();
    chunks_by_weight(weights, (total / BALANCED_CHUNKS).clamp(*enough.start(), *enough.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_texts_are_cut_into_many_chunks() {
        let sizes = |enough| {
            let chunks = balanced_chunks(std::iter::repeat_n(10, 1000), enough);
            assert_eq!((chunks[0].start, chunks[chunks.len() - 1].end), (0, 1000));
            assert!(chunks.windows(2).all(|two| two[0].end == two[1].start));
            chunks.iter().map(Range::len).collect::<Vec<_>>()
        };
        // A 64th of all is 156.
        let balanced = sizes(1..=1000);
        assert_eq!((balanced.len(), balanced[0]), (63, 16));
        assert_eq!((sizes(1..=50), sizes(500..=1000)), (vec![5; 200], vec![50; 20]));
        assert!(balanced_chunks(std::iter::empty(), 1..=2).is_empty());
    }

    #[test]
    fn results_arrive_in_order_under_any_number_of_threads() {
        for threads in [1, 2, 3, 7] {
            let parallelism = Parallelism::new(threads).unwrap();
            let mut seen = Vec::new();
            parallelism
                .map_ordered(
                    50,
                    || (),
                    |(), chunk| Ok(chunk * chunk),
                    |r| {
                        seen.push(r);
                        Ok(())
                    },
                )
                .unwrap();
            assert_eq!(seen, (0..50).map(|c| c * c).collect::<Vec<_>>());
        }
    }

    #[test]
    fn values_lie_at_their_places() {
        for threads in [1, 3] {
            let squares = Parallelism::new(threads).unwrap().collect(200_000, |n| n * n);
            assert!(squares.len() == 200_000 && squares.iter().enumerate().all(|(n, &square)| square == n * n));
        }
    }

    #[test]
    fn a_stream_is_read_once_and_in_order() {
        for threads in [1, 2, 3, 7] {
            let parallelism = Parallelism::new(threads).unwrap();
            let (mut stream, mut seen) = (0..1000, Vec::new());
            let read = |number: &mut Option<u32>| {
                *number = stream.next();
                Ok(number.is_some())
            };
            let sink = |result| {
                seen.push(result);
                Ok::<_, Error>(())
            };
            parallelism.map_read(|| None, read, |number| Ok(number.unwrap() * 2), sink).unwrap();
            assert_eq!(seen, (0..2000).step_by(2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_of_a_stream_ends_it() {
        // Reading fails at 60; mapping at 40, which is found late, and at 50; the sink at the batches of the last argument.
        let run = |threads, read_fails, map_fails: &[u32], sink_fails| {
            let mut next = 0;
            let read = |number: &mut u32| {
                *number = next;
                next += 1;
                if *number == read_fails { Err(format!("read {number}")) } else { Ok(*number < 100) }
            };
            let map = |number: &mut u32| {
                if map_fails.first() == Some(number) {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                if map_fails.contains(number) { Err(format!("map {number}")) } else { Ok(*number) }
            };
            let sink = |number| if number == sink_fails { Err(format!("sink {number}")) } else { Ok(()) };
            Parallelism::new(threads).unwrap().map_read(|| 0, read, map, sink)
        };
        for threads in [1, 2, 3, 7] {
            assert_eq!(run(threads, 60, &[40, 50], 200).unwrap_err(), "map 40");
            assert_eq!(run(threads, 60, &[70], 200).unwrap_err(), "read 60");
            assert_eq!(run(threads, 60, &[40, 50], 30).unwrap_err(), "sink 30");
            assert!(run(threads, 200, &[], 200).is_ok());
        }
    }

    #[test]
    fn absurd_numbers_of_threads_are_refused() {
        let error = Parallelism::new(100_000).unwrap_err();
        assert_eq!(error.to_string(), "threads = 100000: must be 0 to 256");
    }

    #[test]
    fn an_error_ends_the_work() {
        let parallelism = Parallelism::new(2).unwrap();
        let result = parallelism.fold(
            1000,
            || (),
            |(), chunk| if chunk == 10 { Err(ErrorKind::Cancelled.into()) } else { Ok(()) },
        );
        assert!(matches!(result.unwrap_err().kind(), ErrorKind::Cancelled));
    }

    #[test]
    fn ranges_cover_everything_once() {
        let ranges: Vec<_> = (0..4).map(|c| chunk_range(10, 3, c)).collect();
        assert_eq!(ranges, [0..3, 3..6, 6..9, 9..10]);
        assert_eq!(chunk_range(10, 3, 9), 10..10);
    }

    #[test]
    fn heavy_items_are_alone_and_light_ones_together() {
        assert_eq!(chunks_by_weight([9, 1, 1, 1, 5, 0, 1], 3), [0..1, 1..4, 4..5, 5..7]);
        assert!(chunks_by_weight([], 3).is_empty());
    }
}
