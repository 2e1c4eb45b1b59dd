//! Files in the shape that programs write, files that are wrong, and text that comes back as it was written.

use super::*;
use proptest::prelude::*;

/// A memory as OmegaT writes it (`project_save.tmx` level 2).
const OMEGAT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx11.dtd">
<tmx version="1.1">
  <header creationtool="OmegaT" o-tmf="OmegaT TMX" adminlang="EN-US" datatype="plaintext" creationtoolversion="6.0" segtype="sentence" srclang="EN-US"/>
  <body>
<!-- Default translations -->
    <tu>
      <tuv lang="EN-US">
        <seg>The <g0>old</g0> house &amp; its garden</seg>
      </tuv>
      <tuv lang="FR" changeid="me" changedate="20240101T101010Z">
        <seg>La vieille maison &amp; son jardin</seg>
      </tuv>
    </tu>
    <tu>
      <tuv lang="EN-US">
        <seg>not yet</seg>
      </tuv>
    </tu>
  </body>
</tmx>
"#;

/// A memory as Trados exports it, with regions, properties and tags.
const TRADOS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<tmx version="1.4">
  <header creationtool="SDL Language Platform" creationtoolversion="8.1" o-tmf="SDL TM8 Format" datatype="xml" segtype="sentence" adminlang="en-US" srclang="en-US" creationdate="20240101T000000Z" creationid="X">
    <prop type="x-Recognizers">RecognizeAll</prop>
  </header>
  <body>
    <tu creationdate="20240101T000000Z" creationid="X" tuid="1">
      <prop type="x-Origin">TM</prop>
      <tuv xml:lang="en-US"><seg><bpt i="1" type="bold" x="1" />Open<ept i="1" /> the <ph x="2" type="icon" />window
        now.</seg></tuv>
      <tuv xml:lang="fr-FR"><seg><bpt i="1" type="bold" x="1" />Ouvrez<ept i="1" /> la <ph x="2" type="icon" />fenêtre maintenant.</seg></tuv>
      <tuv xml:lang="de-DE"><seg>Öffnen Sie jetzt das Fenster.</seg></tuv>
    </tu>
    <tu tuid="2"><tuv xml:lang="en-US"><seg>Close it.</seg></tuv><tuv xml:lang="fr-FR"><seg/></tuv></tu>
    <tu tuid="3"><tuv xml:lang="it-IT"><seg>Altro.</seg></tuv></tu>
  </body>
</tmx>
"#;

/// A memory as OPUS distributes it.
const OPUS: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<tmx version="1.4">
<header creationdate="Sat Jan  6 10:00:00 2024"
          srclang="en"
          adminlang="en"
          o-tmf="unknown"
          segtype="sentence"
          creationtool="Uplug"
          creationtoolversion="unknown"
          datatype="PlainText" />
  <body>
    <tu>
      <tuv xml:lang="en"><seg>Good morning.</seg></tuv>
      <tuv xml:lang="fr"><seg>Bonjour.</seg></tuv>
    </tu>
    <tu>
      <tuv xml:lang="en"><seg>Two&#10;lines &lt;here&gt;</seg></tuv>
      <tuv xml:lang="fr"><seg>Deux lignes &lt;ici&gt;</seg></tuv>
    </tu>
  </body>
</tmx>
"#;

const XLIFF_1: &str = r#"<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="a.txt" source-language="en" target-language="fr" datatype="plaintext"><body>
  <group><trans-unit id="1"><source>the <g id="1">old</g> house</source><target state="final">la <g id="1">vieille</g> maison</target>
   <alt-trans><source>a house</source><target>une maison</target></alt-trans></trans-unit></group>
  <trans-unit id="2"><source>no</source></trans-unit>
  <trans-unit id="3"><source>yes</source><target/></trans-unit>
 </body></file>
</xliff>"#;

const XLIFF_2: &str = r#"<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" version="2.0" srcLang="en" trgLang="fr">
 <file id="f1"><unit id="1"><mtc:matches><mtc:match ref="x"><source>a house</source><target>une maison</target></mtc:match></mtc:matches>
  <segment><source>the <pc id="1">old</pc> house<ph id="2"/></source><target>la <pc id="1">vieille</pc> maison</target></segment>
  <ignorable><source> </source><target> </target></ignorable>
  <segment><source>yes</source><target>oui</target></segment></unit></file>
</xliff>"#;

/// In the shape of Trados.
const SDLXLIFF: &str = r#"<xliff version="1.2"><file original="a.docx" source-language="en" target-language="fr" datatype="x-sdlfilterframework2"><body>
 <trans-unit id="1"><source>The house. It is old. Yes.</source>
  <seg-source><g id="0"><mrk mtype="seg" mid="1">The <g id="2">house</g>.</mrk> <mrk mtype="seg" mid="2">It is old.</mrk> <mrk mtype="seg" mid="3">Yes.</mrk></g></seg-source>
  <target><g id="0"><mrk mtype="seg" mid="2">Elle est vieille.</mrk> <mrk mtype="seg" mid="1">La <g id="2">maison</g>.</mrk> <mrk mtype="seg" mid="3"/></g></target></trans-unit>
 <trans-unit id="2"><source>A b.</source><seg-source><mrk mtype="seg" mid="4">A b.</mrk></seg-source><target>C d.</target></trans-unit>
</body></file></xliff>"#;

fn options() -> PairOptions {
    PairOptions::default()
}

fn languages(source: &str, target: &str) -> PairOptions {
    options().with(|c| c.languages = Some([source.to_owned(), target.to_owned()]))
}

fn fields(source: &str, target: &str) -> PairOptions {
    options().with(|c| c.fields = Some([source.to_owned(), target.to_owned()]))
}

fn read_as(name: &str, bytes: &[u8], options: &PairOptions) -> Result<(Vec<[String; 2]>, PairReport)> {
    let mut reader = PairReader::new(Input::from_bytes(name, bytes), options)?;
    let mut pairs = Vec::new();
    while reader.read()? {
        pairs.push(reader.lines().map(str::to_owned));
    }
    assert_eq!(reader.report().pairs, pairs.len() as u64);
    Ok((pairs, reader.report()))
}

fn read(name: &str, text: &str, options: &PairOptions) -> (Vec<[String; 2]>, PairReport) {
    read_as(name, text.as_bytes(), options).unwrap()
}

fn refused(name: &str, text: &str, options: &PairOptions) -> String {
    read_as(name, text.as_bytes(), options).unwrap_err().to_string()
}

#[test]
fn memories_of_programs_are_read() {
    let (pairs, report) = read("m", OMEGAT, &options());
    assert_eq!(pairs, [["The old house & its garden", "La vieille maison & son jardin"]]);
    assert_eq!((report.untranslated, report.languages), (1, Some(["EN-US".to_owned(), "FR".to_owned()])));

    let (pairs, report) = read("m", TRADOS, &languages("fr", "en"));
    assert_eq!(pairs, [["Ouvrez la fenêtre maintenant.", "Open the window now."]]);
    assert_eq!((report.untranslated, report.other_languages), (1, 1));
    let (pairs, _) = read("m", TRADOS, &languages("de", "en-us"));
    assert_eq!(pairs, [["Öffnen Sie jetzt das Fenster.", "Open the window now."]]);

    let (pairs, _) = read("m", OPUS, &options());
    assert_eq!(pairs, [["Good morning.", "Bonjour."], ["Two lines <here>", "Deux lignes <ici>"]]);
    let (pairs, _) = read("m", OPUS, &languages("fr", "en"));
    assert_eq!(pairs[0], ["Bonjour.", "Good morning."]);
}

#[test]
fn memories_in_utf_16_are_the_same() {
    let expected = read("m", TRADOS, &languages("en", "fr"));
    let text = TRADOS.replace("utf-8", "utf-16");
    for big in [true, false] {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect();
        assert_eq!(read_as("m", &wide, &languages("en", "fr")).unwrap(), expected);
        assert!(read_as("m", &wide[..wide.len() - 41], &languages("en", "fr")).is_err());
    }
}

#[test]
fn languages_of_a_memory_are_chosen() {
    assert_eq!(refused("m", TRADOS, &options()), "m: more than two languages, en-US, fr-FR, de-DE");
    assert_eq!(
        refused("m", TRADOS, &languages("en", "es")),
        "m: no segment in the language es; there is en-US, fr-FR, de-DE, it-IT"
    );
    let bad = refused("m", OPUS, &languages("en", "en"));
    assert_eq!(bad, "languages = en,en: must be two different codes, such as en,fr");
    let error = refused("m", &OPUS.replacen(" xml:lang=\"en\"", "", 1), &options());
    assert_eq!(error, "m:13:7: expected a language, `xml:lang=\"en\"`, found `<tuv>`");
}

#[test]
fn every_truncation_of_markup_is_an_error() {
    for text in [OMEGAT, OPUS, XLIFF_1, XLIFF_2] {
        let whole = text.trim_end();
        // The shortest beginnings may be lines of text.
        let start = whole.find("version=\"1.").map_or(30, |start| start + 40).min(whole.len());
        for cut in (start..whole.len()).filter(|&cut| whole.is_char_boundary(cut)) {
            let format = options().with(|c| {
                c.format = PairReader::new(Input::from_bytes("m", text), &options()).ok().map(|r| r.format());
            });
            let error = refused("m", &whole[..cut], &format);
            assert!(error.starts_with("m:"), "{error}");
        }
    }
}

#[test]
fn tags_are_kept_on_demand() {
    let keep = languages("en", "fr").with(|c| c.tags = Tags::Keep);
    let (pairs, _) = read("m", TRADOS, &keep);
    let expected =
        "<bpt i=\"1\" type=\"bold\" x=\"1\" />Open<ept i=\"1\" /> the <ph x=\"2\" type=\"icon\" />window now.";
    assert_eq!(pairs[0][0], expected);
    let (pairs, _) = read("m", XLIFF_1, &keep);
    assert_eq!(pairs[0][1], "la <g id=\"1\">vieille</g> maison");
}

#[test]
fn xliff_of_both_versions_is_read() {
    let (pairs, report) = read("x", XLIFF_1, &options());
    assert_eq!(pairs, [["the old house", "la vieille maison"]]);
    assert_eq!(report.untranslated, 2);
    let (pairs, report) = read("x", XLIFF_2, &options());
    assert_eq!(pairs, [["the old house", "la vieille maison"], ["yes", "oui"]]);
    assert_eq!(report.languages, Some(["en".to_owned(), "fr".to_owned()]));
    let (pairs, _) = read("x", XLIFF_2, &languages("fr", "en"));
    assert_eq!(pairs[1], ["oui", "yes"]);
    let (pairs, report) = read("x", SDLXLIFF, &options());
    assert_eq!(pairs, [["The house.", "La maison."], ["It is old.", "Elle est vieille."], ["A b.", "C d."]]);
    assert_eq!(report.untranslated, 1);
    let (pairs, _) = read("x", SDLXLIFF, &languages("fr", "en"));
    assert_eq!(pairs[1], ["Elle est vieille.", "It is old."]);
    assert_eq!(refused("x", XLIFF_1, &languages("en", "de")), "x: no segment in the language de; there is en, fr");
    assert_eq!(refused("x.xlf", "<tmy/>", &options()), "x.xlf:1:1: expected `<xliff>`, found `<tmy>`");
}

#[test]
fn objects_have_their_texts_in_fields() {
    let pair = [["a b".to_owned(), "c".to_owned()]];
    for (text, options) in [
        (r#"{"src":"a b","tgt":"c"}"#, options()),
        (r#"{"source":"a b","target":"c","x":1}"#, options()),
        (r#"{"translation":{"en":"a b","fr":"c"}}"#, options()),
        (r#"{"translation":{"fr":"c","en":"a b"}}"#, languages("en", "fr")),
        (r#"{"en_US":"a b","fr":"c"}"#, languages("en", "fr")),
        (r#"{"x":{"y":{"z":"a\nb"}},"a.b":"c"}"#, fields("x.y.z", "a.b")),
    ] {
        assert_eq!(read("f.jsonl", text, &options).0, pair, "{text}");
        assert_eq!(read("f", &format!("{text}\n\n{text}\n"), &options).0.len(), 2, "{text}");
    }
    let (pairs, report) = read("f", "{\"src\":\"a\",\"tgt\":null}\n{\"src\":\"\",\"tgt\":\"b\"}\n", &options());
    assert_eq!((pairs, report.untranslated), (vec![[String::new(), "b".to_owned()]], 1));
}

#[test]
fn objects_that_are_wrong_have_a_place() {
    for (text, choice, expected) in [
        ("{\"a\":1}\n", options(), "f.jsonl: which fields are source and target? There is a"),
        (
            "{\"src\":\"a\",\"tgt\":\"b\"}\n{\"src\":[\"a\"],\"tgt\":\"b\"}",
            options(),
            "f.jsonl:2:1: expected a string as `src`, found `[\"a\"]`",
        ),
        (
            "{\"src\":\"a\",\"tgt\":\"b\"}\n{\"src\":\"a\"}",
            options(),
            "f.jsonl:2:1: expected a field `tgt`, found `{\"src\":\"a\"}`",
        ),
        ("{\"src\":\"a\",\"tgt\":1}", options(), "f.jsonl:1:1: expected a string as `tgt`, found `1`"),
        (
            "{\"src\":\"a\",\"tgt\":\"b\"",
            options(),
            "f.jsonl:1:20: expected a JSON object (EOF while parsing an object), found `\"`",
        ),
        ("[1]", options(), "f.jsonl:1:1: expected a JSON object (invalid type: sequence, expected a map), found `[1]`"),
        (
            "{\"a\":\"a\",\"b\":\"b\"}",
            fields("a", "c"),
            "f.jsonl:1:1: expected a field `c`, found `{\"a\":\"a\",\"b\":\"b\"}`",
        ),
    ] {
        let error = refused("f.jsonl", text, &choice);
        // Where exactly a parser gives up is up to it.
        let head = |text: &str| text.split(", found").next().unwrap().splitn(4, ':').last().unwrap().to_owned();
        assert_eq!(head(&error), head(expected), "{error}");
    }
}

#[test]
fn tables_have_columns_by_name_or_number() {
    let table = "id,en,fr\n1,\"the \"\"old\"\" house, yes\",la vieille maison\n2,\"two\r\nlines\",\"\"\r\n";
    let expected = vec![
        ["the \"old\" house, yes".to_owned(), "la vieille maison".to_owned()],
        ["two lines".to_owned(), String::new()],
    ];
    for choice in [fields("en", "fr"), fields("2", "3"), languages("en", "fr")] {
        assert_eq!(read("t.csv", table, &choice).0, expected);
    }
    let (pairs, _) = read("t.csv", table, &fields("fr", "1"));
    assert_eq!(pairs[0], ["la vieille maison", "1"]);
    assert_eq!(read("t.tsv", "src\ttgt\na, b\t\"c\td\"\n", &options()).0, [["a, b", "c\td"]]);
}

#[test]
fn tables_that_are_wrong_have_a_place() {
    for (text, choice, expected) in [
        (
            "the house,la maison\na,b\n",
            options(),
            "t.csv: which columns are source and target? The header has the house, la maison",
        ),
        ("en,fr\na,b\n", fields("en", "de"), "t.csv: which columns are source and target? The header has en, fr"),
        ("en,fr\na,b,c\n", options(), "t.csv:2: expected 2 values, as in the header (this row has 3), found `a,b,c`"),
        ("en,fr\na\n", options(), "t.csv:2: expected 2 values, as in the header (this row has 1), found `a`"),
        ("en,fr\n\na,b\n", options(), "t.csv:2: expected a row, found nothing"),
        ("en,fr\na,\"b\nc", options(), "t.csv:2:3: expected a closing quote before the file ends, found `b\\nc\\n`"),
        (
            "en,fr\na,\"b\"c\n",
            options(),
            "t.csv:2:6: expected a separator behind the closing quote (a quote within quotes is written twice), found `c`",
        ),
        (
            "en,fr\na,b\"c\n",
            options(),
            "t.csv:2:4: expected a value without quotes, or in quotes as a whole, found `b\"c`",
        ),
    ] {
        assert_eq!(refused("t.csv", text, &choice), expected);
    }
    assert_eq!(read("t.csv", "", &options()).0.len(), 0);
    assert_eq!(read("t.csv", "\u{feff}en,fr\n\n", &options()).0.len(), 0);
}

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    crate::format::archive::write(&files).unwrap()
}

#[test]
fn archives_have_two_texts_or_one_file() {
    let texts = [
        ("LICENSE", "free"),
        ("README", "x"),
        ("c.en-fr.en", "a\nb\n"),
        ("c.en-fr.fr", "c\nd\n"),
        ("c.en-fr.xml", "<x/>"),
    ];
    let expected = vec![["a".to_owned(), "c".to_owned()], ["b".to_owned(), "d".to_owned()]];
    let read = |files: &[(&str, &str)], options: &PairOptions| read_as("z.zip", &zip(files), options);
    let (pairs, report) = read(&texts, &options()).unwrap();
    assert_eq!((pairs, report.languages), (expected.clone(), Some(["en".to_owned(), "fr".to_owned()])));
    assert_eq!(read(&texts, &languages("fr", "en")).unwrap().0[0], ["c", "a"]);
    assert_eq!(
        read(&texts, &fields("c.en-fr.fr", "LICENSE")).unwrap_err().to_string(),
        "z.zip: which files of the zip archive are source and target? There is LICENSE, README, c.en-fr.en, c.en-fr.fr, c.en-fr.xml"
    );
    assert!(read(&texts, &languages("de", "en")).unwrap_err().to_string().contains("There is LICENSE"));
    assert_eq!(read(&[("m.tmx", OPUS)], &options()).unwrap().0.len(), 2);
    for choice in [options(), fields("1", "fr")] {
        assert_eq!(read(&[("m.csv", "en,fr\na,c\nb,d\n")], &choice).unwrap().0, expected);
    }
    let unequal = [("c.en", "a\n"), ("c.fr", "c\nd\n")];
    let error = read(&unequal, &options()).unwrap_err().to_string();
    assert_eq!(error, "unequal lengths: z.zip: c.en has 1 line, z.zip: c.fr has 2");
    assert!(read(&[], &options()).unwrap_err().to_string().ends_with("There is no file"));
    let inner = zip(&unequal);
    let within = crate::format::archive::write(&[("a.zip".to_owned(), inner)].into()).unwrap();
    let error = read_as("z.zip", &within, &options()).unwrap_err().to_string();
    assert_eq!(error, "z.zip: a.zip: an archive within an archive");
}

#[test]
fn lines_and_columns_are_read_as_ever() {
    assert_eq!(read("f", "a b ||| c\n ||| \n", &options()).0, [["a b", "c"], ["", ""]]);
    let columns = fields("3", "1").with(|c| c.format = Some(PairFormat::Columns));
    assert_eq!(read("f", "a\t\"b\t\"c\n", &columns).0, [["\"c", "a"]]);
    let named = fields("a", "b").with(|c| c.format = Some(PairFormat::Columns));
    assert!(refused("f", "a\tb\n", &named).contains("two columns from 1"));
}

fn written(pairs: &[[String; 2]], format: PairFormat, options: &PairWriteOptions) -> Result<Vec<u8>> {
    let _alone = crate::format::sink::tests::alone();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text");
    let mut writer = PairWriter::create(&path, format, options)?;
    for (number, pair) in (1..).zip(pairs) {
        writer.write(pair.each_ref().map(String::as_str), || Position::new("in", number, 0))?;
    }
    writer.finish()?;
    Ok(std::fs::read(&path).unwrap())
}

fn write_options() -> PairWriteOptions {
    PairWriteOptions::default().with(|c| c.languages = Some(["en".to_owned(), "fr".to_owned()]))
}

fn pair(source: &str, target: &str) -> [String; 2] {
    [source.to_owned(), target.to_owned()]
}

#[test]
fn what_a_format_cannot_have_is_refused() {
    let refused = |format, source: &str| {
        let pairs = [pair("a", "b"), pair("c", source)];
        written(&pairs, format, &write_options()).unwrap_err().to_string()
    };
    assert_eq!(refused(PairFormat::Tmx, "a\u{1b}b"), "in:2: expected characters that XML allows, found `a\\u{1b}b`");
    assert_eq!(
        refused(PairFormat::Joint, "x ||| y"),
        "in:2: expected a text without the token `|||`, which separates the sides, found `x ||| y`"
    );
    assert_eq!(
        refused(PairFormat::Columns, "x\ty"),
        "in:2: expected a text without tabs, which separate columns, found `x\\ty`"
    );
    let error = written(&[], PairFormat::Tmx, &PairWriteOptions::default()).unwrap_err().to_string();
    assert!(error.ends_with("the format tmx names the languages, which are not known"), "{error}");
    let replace = write_options().with(|c| c.replace = Some('?'));
    for format in [PairFormat::Xliff, PairFormat::Xliff2] {
        let bytes = written(&[pair("a\u{1b}\u{ffff}", "b")], format, &replace).unwrap();
        assert_eq!(read_as("f", &bytes, &options()).unwrap().0, [["a??", "b"]]);
    }
}

#[test]
fn blank_sides_are_no_translations() {
    let pairs = [pair("a", " "), pair("b", "c"), pair("", "d")];
    let bytes = written(&pairs, PairFormat::Tmx, &write_options()).unwrap();
    assert_eq!(read_as("f", &bytes, &options()).unwrap().0, [["b", "c"]]);
    for format in [PairFormat::Csv, PairFormat::JsonLines, PairFormat::Joint, PairFormat::Zip] {
        let bytes = written(&pairs, format, &write_options()).unwrap();
        let choice = options().with(|c| c.format = Some(format));
        assert_eq!(read_as("f", &bytes, &choice).unwrap().0.len(), 3, "{format}");
    }
}

#[test]
fn fields_may_be_within_objects() {
    let inner = write_options().with(|c| c.fields = Some(pair("translation.en", "translation.fr")));
    let bytes = written(&[pair("a", "b")], PairFormat::JsonLines, &inner).unwrap();
    assert_eq!(bytes, b"{\"translation\":{\"en\":\"a\",\"fr\":\"b\"}}\n");
    let clash = write_options().with(|c| c.fields = Some(pair("a", "a.b")));
    assert!(written(&[], PairFormat::JsonLines, &clash).is_err());
}

proptest! {
    #[test]
    fn what_was_written_is_read_again(
        pairs in prop::collection::vec([
            "[a<>&\"',;|\u{85}\u{2028}\u{a0}é𝄞 \r\\]]{0,9}[^\\p{Cc}\\p{Zs}\u{feff}\u{fffe}\u{ffff}]",
            "[^\\p{Cc}\\p{Zs}\u{feff}\u{fffe}\u{ffff}][a<>&\"',\u{85}é ]{0,5}",
        ], 0..6),
    ) {
        let has_separator = |line: &String| line.split(' ').any(|token| token == "|||");
        for format in PairFormat::ALL {
            if format == PairFormat::Joint && pairs.iter().flatten().any(has_separator) {
                continue;
            }
            let bytes = written(&pairs, format, &write_options()).unwrap();
            let choice = options().with(|c| c.format = Some(format));
            let (read, _) = read_as("f", &bytes, &choice).unwrap();
            prop_assert_eq!(&read, &pairs, "{}", format);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        format in prop::sample::select(PairFormat::ALL.to_vec()),
    ) {
        let _ = read_as("f", &bytes, &options().with(|c| c.format = Some(format)));
        let _ = read_as("f", &bytes, &options());
    }

    #[test]
    fn changed_markup_is_read_or_refused(place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for text in [OMEGAT, TRADOS, OPUS, XLIFF_1, XLIFF_2] {
            let mut bytes = text.as_bytes().to_vec();
            let at = place.index(bytes.len());
            bytes[at] = byte;
            let _ = read_as("f", &bytes, &languages("en", "fr"));
        }
    }
}
