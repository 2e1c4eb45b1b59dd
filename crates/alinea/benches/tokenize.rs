//! Bytes tokenized a second, by each tokenizer that needs no files.
//!
//! Sentences in five scripts, written for this bench, 200 times over. The last group has no punctuation, numbers or
//! characters beyond ASCII: what `13a` costs at least.
//!
//! Run with `cargo bench -p alinea --bench tokenize`.

use std::hint::black_box;

use alinea::metric::tokenize::{TokenizerOptions, Tokens, tokenizer_by_name};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const WESTERN: [&str; 4] = [
    "The ferry leaves at 7.45 a.m., and the return trip costs $12.50 (children: half price).",
    "\"Nobody told us,\" she said, \"that the well-known bakery on the corner had closed in 2019!\"",
    "Die Brücke wurde 1887 gebaut; seither fährt täglich ein Zug über den Fluss, oft auch zwei.",
    "Quand le marché ouvre, l'odeur du pain chaud remplit la rue – « enfin », dit-il.",
];
const OTHERS: [&str; 4] = [
    "Утром на площади было тихо, только дворник (Пётр Ильич) подметал ступени.",
    "今天早上九点，车站前的广场上“空无一人”。",
    "朝の市場では、魚屋さんが大きな声でお客さんを呼んでいます。",
    "सुबह की बाज़ार में दूध ४५.५० रुपये में मिलता है।",
];
const PLAIN: [&str; 1] = ["the old men walked slowly along the river and talked about the long dry summer"];

fn bench(criterion: &mut Criterion) {
    for (name, lines) in [("western", &WESTERN[..]), ("others", &OTHERS[..]), ("plain", &PLAIN[..])] {
        let mut group = criterion.benchmark_group(format!("tokenize/{name}"));
        let bytes: usize = lines.iter().map(|line| line.len()).sum();
        group.throughput(Throughput::Bytes(200 * bytes as u64));
        for tokenizer in ["none", "13a", "intl", "char", "zh", "zh-fixed"] {
            let options = TokenizerOptions::default();
            let tokenizer = tokenizer_by_name(tokenizer, &options).expect("these need no files");
            let mut tokens = Tokens::default();
            group.bench_function(BenchmarkId::from_parameter(tokenizer.name()), |bencher| {
                bencher.iter(|| {
                    for line in lines.iter().cycle().take(200 * lines.len()) {
                        tokenizer.tokenize(black_box(line), &mut tokens).expect("these never fail");
                        black_box(&tokens);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
