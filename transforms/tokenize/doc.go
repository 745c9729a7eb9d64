// Package tokenize makes the terms of a text, in the same way for an index and for queries.
//
// A term is a word: a run of letters, marks and digits, at most [MaxTerm] bytes of it. The following are unified
// first, so that a query finds the variants that readers regard as the same:
//
//   - Compatible forms (Unicode's NFKC): full and half width, ligatures, presentation forms, superscripts. Digits
//     of all scripts become 0 to 9.
//   - Case: everything is in lower case, final sigma is sigma, ß is ss.
//   - Diacritics of Latin and Greek: é is e. That includes Vietnamese tones, since a text does not name the
//     language of a word. Letters without a decomposition are included: ø is o, ł is l, đ is d, æ is ae, ı is i.
//   - In Cyrillic the stress marks, and ё, which is mostly printed as е. Letters й, ї and ў stay, since they are
//     separate letters.
//   - In Arabic the vowel points, the tatweel, the forms of alef, and the Persian forms of yeh and kaf; in Hebrew
//     and Syriac the points. Writers may leave out all of these.
//   - Invisible characters: soft hyphens, joiners, direction marks, variation selectors.
//
// The marks of all other scripts stay, since they are vowels and consonants. Without them, words of Hindi, Bengali,
// Tamil, Thai or Khmer have another meaning. The sound marks of kana stay too: か and が are two letters.
//
// Han, kana, Thai, Lao, Khmer and Myanmar are written without spaces. Their terms are all pairs of adjacent letters,
// and the last letter of each run alone. So 中文 is found within 学中文的人, and every letter begins a term. A query for one
// letter matches the terms that begin with it. A pair is found even if it is not a word: 京都 is in 東京都.
//
// There is no list of stop words: in measurements it did not help. Package stem finds the forms of terms.
//
//	var s tokenize.Scanner
//	for position, term := range s.Index("L'été à 東京都") {
//		fmt.Printf("%d %s\n", position, term) // 0 l, 1 ete, 2 a, 3 東京, 4 京都, 5 都
//	}
package tokenize

// Version is the version of this transform. It changes when a text may have other terms.
const Version = "1"
