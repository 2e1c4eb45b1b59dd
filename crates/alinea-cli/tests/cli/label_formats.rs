//! `alinea project labels`, formats other than columns.

use serde_json::{Value, json};

use crate::support::Room;

/// Anna lives in New York . → In New York wohnt Anna .
const LINKS: &str = "0-4:0.9 1-3:0.9 2-0:0.9 3-1:0.9 4-2:0.9 5-5:0.9\n";
const TARGET: &str = "In New York wohnt Anna.\n";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn room(files: &[(&str, &str)]) -> Room {
    let room = Room::with_files(&[("links", LINKS), ("de.txt", TARGET)]);
    for (name, content) in files {
        room.write(name, content);
    }
    room
}

#[test]
fn spans_of_prodigy_keep_what_else_there_is() {
    let source = r#"{"text":"Anna lives in New York.","_input_hash":7,"id":12345678901234567890,"meta":{"b":1, "a":2},
        "tokens":[{"text":"Anna","start":0,"end":4,"id":0},{"text":"lives","start":5,"end":10,"id":1},
        {"text":"in","start":11,"end":13,"id":2},{"text":"New","start":14,"end":17,"id":3},
        {"text":"York","start":18,"end":22,"id":4},{"text":".","start":22,"end":23,"id":5}],
        "spans":[{"start":0,"end":4,"token_start":0,"token_end":0,"label":"PER"},
        {"start":14,"end":22,"token_start":3,"token_end":4,"label":"LOC"},{"start":18,"end":22,"label":"N"}],"answer":"accept"}"#;
    let room = room(&[("en.jsonl", source)]);
    let answer = room.run("project labels en.jsonl de.txt --links links --method overlap --report report").success();
    let written = lines(&answer.stdout).remove(0);
    assert!(answer.stdout.starts_with(
        "{\"text\":\"In New York wohnt Anna.\",\"id\":12345678901234567890,\"meta\":{\"b\":1,\"a\":2},\"tokens\":["
    ));
    assert_eq!(
        written["spans"],
        json!([{"start": 3, "end": 11, "token_start": 1, "token_end": 2, "label": "LOC"}, {"start": 7, "end": 11, "label": "N"},
            {"start": 18, "end": 22, "token_start": 4, "token_end": 4, "label": "PER"}])
    );
    let tokens: Vec<&str> =
        written["tokens"].as_array().unwrap().iter().map(|token| token["text"].as_str().unwrap()).collect();
    assert_eq!(tokens, ["In", "New", "York", "wohnt", "Anna", "."]);
    assert_eq!((written["tokens"][5]["start"].as_u64(), written["tokens"][3]["ws"].as_bool()), (Some(22), Some(true)));
    assert_eq!((written["answer"].as_str(), written.get("_input_hash")), (Some("accept"), None));
    let report = lines(&room.read("report"));
    assert_eq!((&report[1]["source"], &report[1]["target"]), (&json!([14, 22]), &json!([[3, 11]])));
    assert_eq!(answer.stderr, "pairs      1\nlabels     3\ncarried    3\nlost       0\n");
    // With scores, and only what is sure.
    let answer = room.run("project labels en.jsonl de.txt --links links --method overlap --scores -q").success();
    let score = lines(&answer.stdout)[0]["spans"][0]["score"].as_f64().unwrap();
    assert!((score - 0.9).abs() < 1e-6, "{score}");
    let strict = "project labels en.jsonl de.txt --links links --method overlap --min-confidence 0.95";
    let answer = room.run(strict).success();
    assert_eq!(lines(&answer.stdout)[0]["spans"], json!([]));
    assert!(answer.stderr.ends_with("lost       3: 3 unconfident\n"), "{}", answer.stderr);
}

#[test]
fn lists_of_doccano_count_as_they_are_told_to() {
    let source =
        "{\"id\":1,\"text\":\"👍 Anna lives in New York.\",\"labels\":[[START,END,\"PER\"]],\"label\":\"good\"}\n\n";
    let target = "{\"id\":9,\"lang\":\"de\",\"text\":\"👍👍 In New York wohnt Anna.\"}\n";
    let links = "0-0 1-6 2-5 3-2 4-3 5-4 6-7\n";
    for (unit, places, expected) in
        [("characters", [2, 6], [21, 25]), ("utf16", [3, 7], [23, 27]), ("bytes", [5, 9], [27, 31])]
    {
        let source = source.replace("START", &places[0].to_string()).replace("END", &places[1].to_string());
        let room = room(&[("en.jsonl", &source), ("de.jsonl", target), ("l", links)]);
        let words = format!("project labels en.jsonl de.jsonl --links l --offsets {unit}");
        let written = lines(&room.run(&words).success().stdout).remove(0);
        let expected = json!({"id": 9, "lang": "de", "text": "👍👍 In New York wohnt Anna.", "label": "good",
            "labels": [[expected[0], expected[1], "PER"]]});
        assert_eq!(written, expected, "{unit}");
        let scored = lines(&room.run(&format!("{words} --scores")).success().stdout).remove(0);
        assert_eq!(scored["scores"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn entities_of_doccano_have_relations() {
    let source = r#"{"text": "Anna lives in New York.", "entities": [
        {"id": 5, "label": "PER", "start_offset": 0, "end_offset": 4}, {"id": 6, "label": "LOC", "start_offset": 14, "end_offset": 22},
        {"id": 7, "label": "V", "start_offset": 5, "end_offset": 10}],
        "relations": [{"id": 1, "from_id": 5, "to_id": 6, "type": "in"}, {"id": 2, "from_id": 5, "to_id": 7, "type": "x"}]}"#;
    let room = room(&[("en.json", source), ("few", "0-4:0.9 3-1:0.9 4-2:0.9\n")]);
    let answer = room.run("project labels en.json de.txt --links few").success();
    let written = lines(&answer.stdout).remove(0);
    assert_eq!(written["relations"], json!([{"id": 1, "from_id": 5, "to_id": 6, "type": "in"}]));
    assert_eq!(written["entities"][1], json!({"id": 5, "label": "PER", "start_offset": 18, "end_offset": 22}));
    let expected = "carried    2\nlost       1: 1 unlinked\nleft out   1 that referred to what was not carried\n";
    assert!(answer.stderr.ends_with(expected), "{}", answer.stderr);
}

#[test]
fn label_studio_has_results() {
    let source = json!([
        {"id": 3, "data": {"text": "Anna lives in New York.", "source": "x"}, "annotations": [
            {"id": 8, "completed_by": 1, "result": [
                {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
                    "value": {"start": 0, "end": 4, "text": "Anna", "labels": ["PER", "F"]}},
                {"id": "b", "type": "labels", "value": {"start": 14, "end": 22, "text": "New York", "labels": ["LOC"]}},
                {"id": "c", "type": "labels", "value": {"start": 11, "end": 13, "text": "in", "labels": ["P"]}},
                {"id": "b", "type": "choices", "value": {"start": 14, "end": 22, "choices": ["sure"]}},
                {"from_id": "a", "to_id": "b", "type": "relation", "direction": "right"},
                {"from_id": "a", "to_id": "c", "type": "relation", "direction": "right"},
                {"id": "d", "type": "choices", "value": {"choices": ["news"]}}]},
            {"id": 9, "result": []}],
         "predictions": [{"result": []}], "meta": {}}
    ]);
    let room =
        room(&[("tasks.json", &serde_json::to_string_pretty(&source).unwrap()), ("few", "0-4:0.9 3-1:0.9 4-2:0.9\n")]);
    let answer = room.run("project labels tasks.json de.txt --links few --scores").success();
    let written: Value = serde_json::from_str(&answer.stdout).unwrap();
    let task = &written[0];
    assert_eq!(
        (task["data"].clone(), task["id"].clone()),
        (json!({"text": TARGET.trim_end(), "source": "x"}), json!(3))
    );
    assert_eq!((task["predictions"].clone(), task["annotations"].as_array().unwrap().len()), (json!([]), 1));
    let results = task["annotations"][0]["result"].as_array().unwrap();
    let kinds: Vec<(&str, &str)> =
        results.iter().map(|result| (result["type"].as_str().unwrap(), result["id"].as_str().unwrap_or("-"))).collect();
    assert_eq!(kinds, [("labels", "a"), ("labels", "b"), ("choices", "b"), ("relation", "-"), ("choices", "d")]);
    assert_eq!(results[0]["value"], json!({"start": 18, "end": 22, "text": "Anna", "labels": ["PER", "F"]}));
    assert_eq!(results[2]["value"], json!({"start": 3, "end": 11, "choices": ["sure"]}));
    assert!(results[0]["score"].as_f64().is_some() && results[2].get("score").is_none());
    // The second annotation, the prediction, and a relation.
    assert!(answer.stderr.ends_with("left out   3 that referred to what was not carried\n"), "{}", answer.stderr);
    // As lines, they are the same.
    room.write("tasks.jsonl", format!("{}\n", source[0]));
    let same = room.run("project labels tasks.jsonl de.txt --links few --scores").success();
    assert_eq!(lines(&same.stdout)[0], *task);
}

#[test]
fn standoff_annotation_is_carried_with_what_refers_to_it() {
    let text = "Anna lives in New York.\n\nÉva left York in 1990.\n";
    let annotation = "T1\tPER 0 4\tAnna\nT2\tLOC 14 22\tNew York\nT3\tPER 25 28\tÉva\nT4\tMove 29 33;39 41\tleft in\n\
        T5\tTIME 42 46\t1990\nE1\tMove:T4 Who:T3\nR1\tlives Arg1:T1 Arg2:T2\nA1\tCertain E1\nA2\tOld T5\n#1\tNote T1\tx\n*\tEquiv T1 T3\n";
    let target = "In New York wohnt Anna.\n\nÉva ging aus York weg.\n";
    let links = format!("{LINKS}\n0-0:0.9 1-1:0.9 3-4:0.9 2-3:0.9\n");
    let room = room(&[("en.txt", text), ("en.ann", annotation), ("fr.txt", target), ("l", &links)]);
    let answer = room.run("project labels en.ann fr.txt --links l --method overlap --report report").success();
    let expected = "T1\tPER 18 22\tAnna\nT2\tLOC 3 11\tNew York\nT3\tPER 25 28\tÉva\nT4\tMove 29 33;43 46\tging weg\n\
        E1\tMove:T4 Who:T3\nR1\tlives Arg1:T1 Arg2:T2\nA1\tCertain E1\n#1\tNote T1\tx\n*\tEquiv T1 T3\n";
    assert_eq!(answer.stdout, expected);
    let told = "pairs      3\nlabels     6\ncarried    5\nlost       1: 1 unlinked\nleft out   1 that referred to what was not carried\n";
    assert_eq!(answer.stderr, told);
    let report = lines(&room.read("report"));
    assert_eq!(
        (&report[2]["pair"], &report[2]["source"], &report[2]["target"]),
        (&json!(3), &json!([25, 28]), &json!([[25, 28]]))
    );
    assert_eq!(room.run("project labels en.txt fr.txt --links l --method overlap").success().stdout, expected);
    // What is written is read again, and carried to itself.
    room.write("fr.ann", &answer.stdout);
    room.write("self", "0-0 1-1 2-2 3-3 4-4 5-5\n\n0-0 1-1 2-2 3-3 4-4 5-5\n");
    let again = room.run("project labels fr.ann fr.txt --links self --method overlap").success();
    assert_eq!(again.stdout, expected);
}

const EN: &str = "# sent_id = 1\n1-2\tAnna's\t_\t_\t_\t_\t_\t_\t_\t_\n1\tAnna\tAnna\tPROPN\tNNP\tNumber=Sing\t3\tnmod\t_\tNER=B-PER\n\
    2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\t_\n2.1\tx\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\thome\thome\tNOUN\tNN\tNumber=Sing\t0\troot\t_\tSpaceAfter=No\n\n";
const DE: &str = "# sent_id = de-1\n# text = das Heim Annas\n0.1\tx\t_\tX\t_\t_\t_\t_\t_\t_\n1\tdas\t_\tX\t_\t_\t2\tdet\t_\tA=1\n\
    2-3\tHeimAnnas\t_\t_\t_\t_\t_\t_\t_\t_\n2\tHeim\t_\t_\t_\t_\t0\troot\t_\t_\n3\tAnnas\t_\t_\t_\t_\t2\tnmod\t_\tNER=B-X|Z=1\n\n";

#[test]
fn fields_of_conllu_are_filled() {
    let room =
        room(&[("en.conllu", EN), ("de.conllu", DE), ("de", "das Heim Annas\n"), ("l", "0-2:0.9 1-2:0.3 2-1:0.9\n")]);
    let names = room.run("project labels en.conllu de.conllu --links l").success();
    assert_eq!(names.stdout, DE.replace("NER=B-X|Z=1", "NER=B-PER|Z=1"));
    assert_eq!(names.stderr, "pairs      1\nlabels     1\ncarried    1\nlost       0\n");
    let bioes = room.run("project labels en.conllu de.conllu --links l --scheme bioes").success();
    assert_eq!(bioes.stdout, DE.replace("NER=B-X|Z=1", "NER=S-PER|Z=1"));
    let tags = room
        .run("project labels en.conllu de.conllu --links l --field upos --method overlap --report report")
        .success();
    let expected = DE
        .replace("1\tdas\t_\tX", "1\tdas\t_\t_")
        .replace("Heim\t_\t_", "Heim\t_\tNOUN")
        .replace("Annas\t_\t_\t_\t_\t2", "Annas\t_\tPROPN\t_\t_\t2");
    assert_eq!(tags.stdout, expected);
    assert_eq!(tags.stderr, "pairs      1\nwords      3\ntagged     2\nwithout    1\n");
    let report = lines(&room.read("report"));
    assert_eq!((report.len(), &report[0]["tag"], &report[2]["tag"]), (3, &Value::Null, &json!("PROPN")));
    let features = room.run("project labels en.conllu de --links l --field feats --method overlap").success();
    let expected = "1\tdas\t_\t_\t_\t_\t_\t_\t_\t_\n2\tHeim\t_\t_\t_\tNumber=Sing\t_\t_\t_\t_\n3\tAnnas\t_\t_\t_\tNumber=Sing\t_\t_\t_\t_\n\n";
    assert_eq!(features.stdout, expected);
    // By content, and other languages' tags.
    room.write("en", EN);
    let same = room.run("project labels en de --links l --field xpos --method overlap").success();
    assert!(same.stdout.contains("3\tAnnas\t_\t_\tNNP\t"), "{}", same.stdout);
}

#[test]
fn words_are_cut_finely_or_given() {
    let source = "{\"text\":\"L'Allemagne, aujourd'hui\",\"spans\":[{\"start\":2,\"end\":11,\"label\":\"LOC\"},{\"start\":13,\"end\":24,\"label\":\"T\"}]}\n";
    let room = room(&[("fr.jsonl", source), ("de", "Deutschland heute\n")]);
    let words = room.run("project labels fr.jsonl de --write-words w.fr w.de").success();
    assert_eq!((words.stdout.as_str(), room.read("w.fr").as_str()), ("", "L ' Allemagne , aujourd ' hui\n"));
    assert_eq!(room.read("w.de"), "Deutschland heute\n");
    room.write("l", "2-0 4-1 6-1\n");
    let spans = |answer: &str| lines(answer)[0]["spans"].clone();
    let found = room.run("project labels fr.jsonl de --links l").success();
    let expected = json!([{"start": 0, "end": 11, "label": "LOC"}, {"start": 12, "end": 17, "label": "T"}]);
    assert_eq!(spans(&found.stdout), expected);
    // `aujour` is part of a word.
    room.write("part.jsonl", source.replace("24", "17"));
    let found = room.run("project labels part.jsonl de --links l").success();
    assert_eq!(spans(&found.stdout), expected);
    assert!(found.stderr.ends_with("widened    1 that began or ended inside a word\n"), "{}", found.stderr);
    let error = room.error("project labels part.jsonl de --links l --partial-words refuse");
    assert!(error.contains("part.jsonl: record 1: T on `aujo` begins or ends inside a word"), "{error}");
    room.write("t.fr", "L' Allemagne , aujourd'hui\n");
    room.write("l2", "1-0 3-1\n");
    let found = room.run("project labels fr.jsonl de --links l2 --tokens t.fr w.de").success();
    assert_eq!(spans(&found.stdout), expected);
    room.write("t.fr", "L' Allemagne aujourd'hui\n");
    let error = room.error("project labels fr.jsonl de --links l2 --tokens t.fr w.de");
    assert!(error.contains("t.fr:1:14: expected a word that text 1 of fr.jsonl goes on with, `,`"), "{error}");
    room.write("l3", "0-0 1-1\n");
    let found = room.run("project labels fr.jsonl de --tokenize none --links l3").success();
    assert_eq!(spans(&found.stdout), expected);
    assert!(found.stderr.contains("widened    1 "), "{}", found.stderr);
}

#[test]
fn bad_records_are_refused_with_their_place() {
    let room = room(&[
        ("syntax.jsonl", "{\"text\":\"a\"}\n{\"text\":\"a\",}\n"),
        (
            "outside.jsonl",
            "{\"text\":\"a b\",\"spans\":[]}\n{\"text\":\"a\",\"spans\":[{\"start\":0,\"end\":1,\"label\":\"X\"},{\"start\":0,\"end\":2,\"label\":\"X\"}]}\n",
        ),
        ("unlabeled.jsonl", "{\"text\":\"a\",\"spans\":[{\"start\":0,\"end\":1}]}\n"),
        ("twice.jsonl", "{\"text\":\"a\",\"text\":\"b\"}\n"),
        ("textless.json", "[\n {\"data\": {\"x\": 1}}]\n"),
        ("ok.jsonl", "{\"text\":\"a\"}\n{\"text\":\"a\"}\n"),
        ("list.json", "[1]\n"),
        ("plain.conllu", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"),
        ("tags.conllu", "1\ta\t_\tX\t_\t_\t_\t_\t_\tA=1|NER=PER\n\n"),
        ("text.txt", "Anna\n"),
        ("text.ann", "T1\tPER 1 4\tAnna\n"),
        ("two", "a\nb\n"),
    ]);
    let cases = [
        ("syntax.jsonl two", "syntax.jsonl:2:13: expected JSON objects: "),
        (
            "outside.jsonl two",
            "outside.jsonl:2:54: expected span 2 of record 2 within its text of 1 characters, found `{\"start\":0,\"end\":2,",
        ),
        ("unlabeled.jsonl de.txt", "unlabeled.jsonl:1:22: expected a span with a `label`"),
        ("twice.jsonl de.txt", "twice.jsonl:1:1: expected a JSON object, a record: `text` stands there twice"),
        ("textless.json de.txt", "textless.json:2:2: expected a record with `text`, or `data.text`"),
        ("list.json de.txt", "list.json:1:2: expected a JSON object, a record, found `1`"),
        ("ok.jsonl de.txt", "ok.jsonl has 2 sentences, de.txt has 1"),
        ("ok.jsonl two --words 2", "--words is for the formats columns, and the source is json"),
        ("ok.jsonl two --field upos", "--field is for the formats conllu, and the source is json"),
        ("ok.jsonl two --min-confidence 2", "--min-confidence = 2: must be 0 to 1"),
        ("plain.conllu de.txt", "expected words with misc:NER (--field says what is carried"),
        ("plain.conllu de.txt --field upos", "plain.conllu:1: expected words with upos"),
        ("tags.conllu de.txt", "tags.conllu:1:27: expected a tag: O, or B-"),
        ("tags.conllu de.txt --field upos --method hull", "--method = hull: must be consistent or overlap, for tags"),
        ("tags.conllu de.txt --scores", "--scores is for the formats json, and the source is conllu"),
        ("text.txt de.txt", "text.ann:1:12: expected `nna`, which is in the text at 1 4"),
        ("two de.txt --format json", "two:1:1: expected JSON objects: expected value"),
        ("text.ann de.txt -o text.txt", "would overwrite the input"),
    ];
    for (words, message) in cases {
        let output = if words.contains("-o") { "" } else { "-o out" };
        let error = room.error(&format!("project labels {words} {output}"));
        assert!(error.contains(message), "{words}: {error}");
        assert!(!room.path("out").exists());
    }
    let error = room.error("project labels tags.conllu de.txt --field UPOS");
    assert!(error.contains("upos, xpos, feats or misc:NAME"), "{error}");
}
