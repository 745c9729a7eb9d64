// Package tokenize makes the terms of a text, the same for an index and for the queries that ask it.
//
// A term is a word: letters, marks and digits up to anything else, at most [MaxTerm] bytes of it. Before, these are
// made one, so that a query finds what a reader takes for the same:
//
//   - compatible forms (Unicode's NFKC): full and half width, ligatures, presentation forms, superscripts; and digits
//     of all scripts, which become 0 to 9;
//   - case: everything is in lower case, final sigma is sigma, ß is ss;
//   - diacritics of Latin and Greek: é is e, also in Vietnamese, whose tones they tell, for a text does not say which
//     language a word is of. Letters that have no decomposition go with them: ø is o, ł is l, đ is d, æ is ae, ı is i;
//   - of Cyrillic the stress marks, and ё, which is mostly printed as е. Not й, ї or ў, which are letters of their own;
//   - of Arabic the vowel points, the tatweel, the forms of alef, and the Persian forms of yeh and kaf; of Hebrew and
//     Syriac the points. Readers and writers leave all these out at will;
//   - invisible characters: soft hyphens, joiners, marks of direction, variation selectors.
//
// The marks of all other scripts stay, for there they are vowels and consonants: without them words of Hindi, Bengali,
// Tamil, Thai or Khmer are others. So do the sound marks of kana: か and が are two letters.
//
// Han, kana, Thai, Lao, Khmer and Myanmar are written without spaces. Their terms are all pairs of neighbours, and the
// last letter of each run alone: so 中文 is found within 学中文的人, and every letter begins a term. A query for one letter
// is one for the terms that begin with it. Where in such a script a pair is not a word, it is found nevertheless: 京都 is
// in
// 東京都.
//
// There is no stemming, and no list of words that are left out: neither was measured to help.
//
//	var s tokenize.Scanner
//	for position, term := range s.Index("L'été à 東京都") {
//		fmt.Printf("%d %s\n", position, term) // 0 l, 1 ete, 2 a, 3 東京, 4 京都, 5 都
//	}
package tokenize

// Version is the version of this transform: it changes when a text may have other terms.
const Version = "1"
