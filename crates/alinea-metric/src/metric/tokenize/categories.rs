//! Which characters are punctuation, symbols and numbers: the general categories P, S and N of Unicode 18.0.0
//! (see NOTICE), as version 2026.11.15 of Python's module `regex` has them, which sacreBLEU uses. With other versions of the
//! module, characters that are new in Unicode are treated otherwise.

use std::sync::LazyLock;

use super::scan::Class;

/// Category P: ranges of code points, in hexadecimal.
const PUNCTUATION: &str = "\
    21-23 25-2A 2C-2F 3A-3B 3F-40 5B-5D 5F 7B 7D A1 A7 AB B6-B7 BB BF 37E 387 55A-55F 589-58A 5BE 5C0 5C3 5C6 \
    5F3-5F4 609-60A 60C-60D 61B 61D-61F 66A-66D 6D4 700-70D 7F7-7F9 830-83E 85E 964-965 970 9FD A76 AF0 C77 C84 DF4 \
    E4F E5A-E5B F04-F12 F14 F3A-F3D F85 FD0-FD4 FD9-FDA 104A-104F 10FB 1360-1368 1400 166E 169B-169C 16EB-16ED \
    1735-1736 17D4-17D6 17D8-17DA 1800-180A 1944-1945 1A1E-1A1F 1AA0-1AA6 1AA8-1AAD 1B4E-1B4F 1B5A-1B60 1B7D-1B7F \
    1BFC-1BFF 1C3B-1C3F 1C7E-1C7F 1CC0-1CC7 1CD3 2010-2027 2030-2043 2045-2051 2053-205E 207D-207E 208D-208E \
    2308-230B 2329-232A 2768-2775 27C5-27C6 27E6-27EF 2983-2998 29D8-29DB 29FC-29FD 2CF9-2CFC 2CFE-2CFF 2D70 \
    2E00-2E2E 2E30-2E4F 2E52-2E5D 2E60-2E63 3001-3003 3008-3011 3014-301F 3030 303D 30A0 30FB A4FE-A4FF A60D-A60F \
    A673 A67E A6F2-A6F7 A874-A877 A8CE-A8CF A8F8-A8FA A8FC A92E-A92F A95F A9C1-A9CD A9DE-A9DF AA5C-AA5F AADE-AADF \
    AAF0-AAF1 ABEB FD3E-FD3F FE10-FE19 FE30-FE52 FE54-FE61 FE63 FE68 FE6A-FE6B FF01-FF03 FF05-FF0A FF0C-FF0F \
    FF1A-FF1B FF1F-FF20 FF3B-FF3D FF3F FF5B FF5D FF5F-FF65 10100-10102 1039F 103D0 1056F 10857 1091F 1093F \
    10A50-10A58 10A7F 10AF0-10AF6 10B39-10B3F 10B99-10B9C 10D6E 10EAD 10ED0 10F55-10F59 10F86-10F89 11047-1104D \
    110BB-110BC 110BE-110C1 11140-11143 11174-11175 111C5-111C8 111CD 111DB 111DD-111DF 11238-1123D 112A9 \
    113D4-113D5 113D7-113D8 1144B-1144F 1145A-1145B 1145D 114C6 115C1-115D7 11641-11643 11660-1166C 116B9 \
    1173C-1173E 1183B 11944-11946 119E2 11A3F-11A46 11A9A-11A9C 11A9E-11AA2 11B00-11B09 11BE1 11C41-11C45 \
    11C70-11C71 11EF7-11EF8 11F43-11F4F 11FFF 12470-12474 12FF1-12FF2 16A6E-16A6F 16AF5 16B37-16B3B 16B44 \
    16D6D-16D6F 16E97-16E9A 16FE2 1BC9F 1DA87-1DA8B 1E5FF 1E95E-1E95F";

/// Category S.
const SYMBOLS: &str = "\
    24 2B 3C-3E 5E 60 7C 7E A2-A6 A8-A9 AC AE-B1 B4 B8 D7 F7 2C2-2C5 2D2-2DF 2E5-2EB 2ED 2EF-2FF 375 384-385 3F6 482 \
    58D-58F 606-608 60B 60E-60F 6DE 6E9 6FD-6FE 7F6 7FE-7FF 888 9F2-9F3 9FA-9FB AF1 B70 BF3-BFA C7F D4F D79 E3F \
    F01-F03 F13 F15-F17 F1A-F1F F34 F36 F38 FBE-FC5 FC7-FCC FCE-FCF FD5-FD8 109E-109F 1390-1399 166D 17DB 1940 \
    19DE-19FF 1B61-1B6A 1B74-1B7C 1FBD 1FBF-1FC1 1FCD-1FCF 1FDD-1FDF 1FED-1FEF 1FFD-1FFE 2044 2052 207A-207C \
    208A-208C 20A0-20C4 2100-2101 2103-2106 2108-2109 2114 2116-2118 211E-2123 2125 2127 2129 212E 213A-213B \
    2140-2144 214A-214D 214F 218A-218B 2190-2307 230C-2328 232B-2429 2440-244A 249C-24E9 2500-2767 2794-27C4 \
    27C7-27E5 27F0-2982 2999-29D7 29DC-29FB 29FE-2B73 2B76-2BFF 2CE5-2CEA 2E50-2E51 2E80-2E99 2E9B-2EF3 2F00-2FD5 \
    2FF0-2FFF 3004 3012-3013 3020 3036-3037 303E-303F 309B-309C 3190-3191 3196-319F 31C0-31E5 31EF 3200-321E \
    322A-3247 3250 3260-327F 328A-32B0 32C0-33FF 4DC0-4DFF A490-A4C6 A700-A716 A720-A721 A789-A78A A828-A82B \
    A836-A839 AA77-AA79 AB5B AB6A-AB6B FB29 FBB2-FBD2 FD40-FD4F FD90-FD91 FDC8-FDCF FDFC-FDFF FE62 FE64-FE66 FE69 \
    FF04 FF0B FF1C-FF1E FF3E FF40 FF5C FF5E FFE0-FFE6 FFE8-FFEE FFFC-FFFD 10137-1013F 10179-10189 1018C-1018E \
    10190-1019C 101A0 101D0-101FC 10877-10878 10AC8 10D8E-10D8F 10EC9-10ECA 10ED1-10ED8 1173F 11FD5-11FF1 \
    16B3C-16B3F 16B45 1BC9C 1CC00-1CCEF 1CCFA-1CCFC 1CD00-1CEB3 1CEBA-1CED0 1CED2-1CED4 1CEDD-1CEFD 1CF50-1CFC3 \
    1D000-1D0F5 1D100-1D126 1D129-1D164 1D16A-1D16C 1D183-1D184 1D18C-1D1A9 1D1AE-1D241 1D245 1D253-1D25A \
    1D25D-1D25E 1D260-1D27F 1D300-1D356 1D6C1 1D6DB 1D6FB 1D715 1D735 1D74F 1D76F 1D789 1D7A9 1D7C3 1D800-1D9FF \
    1DA37-1DA3A 1DA6D-1DA74 1DA76-1DA83 1DA85-1DA86 1DB00-1DB1C 1E14F 1E2FF 1ECAC 1ECB0 1ED2E 1EEF0-1EEF1 \
    1F000-1F02B 1F030-1F093 1F0A0-1F0AE 1F0B1-1F0BF 1F0C1-1F0CF 1F0D1-1F0F5 1F10D-1F1AE 1F1E6-1F202 1F210-1F23B \
    1F240-1F248 1F250-1F251 1F260-1F265 1F300-1F6D9 1F6DC-1F6EC 1F6F0-1F6FC 1F700-1F7DB 1F7E0-1F7EB 1F7F0-1F80B \
    1F810-1F847 1F850-1F859 1F860-1F887 1F890-1F8AD 1F8B0-1F8BB 1F8C0-1F8C1 1F8D0-1F8D8 1F900-1FA57 1FA60-1FA6D \
    1FA70-1FA7C 1FA80-1FAC6 1FAC8 1FACC-1FADD 1FADF-1FAEB 1FAEF-1FAFA 1FB00-1FB92 1FB94-1FBEF 1FBFA";

/// Category N.
const NUMBERS: &str = "\
    30-39 B2-B3 B9 BC-BE 660-669 6F0-6F9 7C0-7C9 966-96F 9E6-9EF 9F4-9F9 A66-A6F AE6-AEF B66-B6F B72-B77 BE6-BF2 \
    C66-C6F C78-C7E CE6-CEF D58-D5E D66-D78 DE6-DEF E50-E59 ED0-ED9 F20-F33 1040-1049 1090-1099 1369-137C 16EE-16F0 \
    17E0-17E9 17F0-17F9 1810-1819 1946-194F 19D0-19DA 1A80-1A89 1A90-1A99 1B50-1B59 1BB0-1BB9 1C40-1C49 1C50-1C59 \
    2070 2074-2079 2080-2089 2150-2182 2185-2189 2460-249B 24EA-24FF 2776-2793 2CFD 3007 3021-3029 3038-303A \
    3192-3195 3220-3229 3248-324F 3251-325F 3280-3289 32B1-32BF A620-A629 A6E6-A6EF A830-A835 A8D0-A8D9 A900-A909 \
    A9D0-A9D9 A9F0-A9F9 AA50-AA59 ABF0-ABF9 FF10-FF19 10107-10133 10140-10178 1018A-1018B 102E1-102FB 10320-10323 \
    10341 1034A 103D1-103D5 104A0-104A9 10858-1085F 10879-1087F 108A7-108AF 108FB-108FF 10916-1091B 109BC-109BD \
    109C0-109CF 109D2-109FF 10A40-10A48 10A7D-10A7E 10A9D-10A9F 10AEB-10AEF 10B58-10B5F 10B78-10B7F 10BA9-10BAF \
    10CFA-10CFF 10D30-10D39 10D40-10D49 10E60-10E7E 10F1D-10F26 10F51-10F54 10FC5-10FCB 11052-1106F 110F0-110F9 \
    11136-1113F 111D0-111D9 111E1-111F4 112F0-112F9 11450-11459 114D0-114D9 11650-11659 116C0-116C9 116D0-116E3 \
    11730-1173B 118E0-118F2 11950-11959 11BF0-11BF9 11C50-11C6C 11D50-11D59 11DA0-11DA9 11DE0-11DE9 11F50-11F59 \
    11FC0-11FD4 12400-1246F 12475-1247F 12550-12686 16130-16139 16A60-16A69 16AC0-16AC9 16B50-16B59 16B5B-16B61 \
    16D70-16D79 16E80-16E96 16FF4-16FF6 1CCF0-1CCF9 1D2C0-1D2D3 1D2E0-1D2F3 1D360-1D378 1D7CE-1D7FF 1E140-1E149 \
    1E2F0-1E2F9 1E4F0-1E4F9 1E5F1-1E5FA 1E8C7-1E8CF 1E950-1E959 1EC71-1ECAB 1ECAD-1ECAF 1ECB1-1ECB4 1ED01-1ED2D \
    1ED2F-1ED3D 1F100-1F10C 1FBF0-1FBF9";

/// How many characters stand in a block.
const BLOCK: usize = 256;

/// The classes of all characters, in blocks, each kept once.
#[derive(Debug)]
pub(super) struct Categories {
    /// Which block the characters of each stretch have.
    blocks: Vec<u16>,
    classes: Vec<[Class; BLOCK]>,
}

/// The classes by category: `Stop` for punctuation, `Separate` for symbols, `Number`, and `Plain` for the rest.
pub(super) static CATEGORIES: LazyLock<Categories> = LazyLock::new(Categories::new);

impl Categories {
    fn new() -> Self {
        let mut all = vec![Class::Plain; 0x11_0000];
        for (ranges, class) in [(PUNCTUATION, Class::Stop), (SYMBOLS, Class::Separate), (NUMBERS, Class::Number)] {
            for (first, last) in ranges.split(' ').map(range) {
                all[first..=last].fill(class);
            }
        }
        let mut categories = Self { blocks: Vec::new(), classes: Vec::new() };
        for block in all.as_chunks::<BLOCK>().0 {
            let known = categories.classes.iter().position(|known| known == block).unwrap_or_else(|| {
                categories.classes.push(*block);
                categories.classes.len() - 1
            });
            categories.blocks.push(known as u16);
        }
        categories
    }

    /// The class of a character.
    pub(super) fn class(&self, character: char) -> Class {
        let code = character as usize;
        self.classes[usize::from(self.blocks[code / BLOCK])][code % BLOCK]
    }
}

/// `21-23`, or `5F` for `5F-5F`.
fn range(text: &str) -> (usize, usize) {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |digits| usize::from_str_radix(digits, 16).expect("the tables above have hexadecimal numbers");
    (number(first), number(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library has its own tables: numeric characters are those of category N, in the version it names. Later
    /// versions have more.
    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let same_version = char::UNICODE_VERSION == (18, 0, 0);
        for character in '\0'..=char::MAX {
            let (found, expected) = (CATEGORIES.class(character) == Class::Number, character.is_numeric());
            assert!(found == expected || found && !same_version, "{character:?}");
            if found {
                continue;
            }
            let plain = CATEGORIES.class(character) == Class::Plain;
            // Letters in circles and squares are symbols.
            let enclosed = matches!(character, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}');
            let word = character.is_alphabetic() && !enclosed;
            assert!(plain || !(word || character.is_control() || character.is_whitespace()), "{character:?}");
        }
    }

    #[test]
    fn ascii_is_as_the_standard_has_it() {
        for character in '\0'..='\x7f' {
            let expected = match character {
                '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' => Class::Separate,
                _ if character.is_ascii_punctuation() => Class::Stop,
                _ if character.is_ascii_digit() => Class::Number,
                _ => Class::Plain,
            };
            assert_eq!(CATEGORIES.class(character), expected, "{character:?}");
        }
    }
}
