package langid

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// sibling is a language that the models do not know, in a script of known languages. It may also be a known language
// with letters or words of its own. Field letters holds letters that its relatives do not have, words frequent words
// that they do not have.
type sibling struct {
	code           string
	script         script
	letters, words string
	known          bool // the models know it, or it is the script's sole language
}

// siblings are told apart by their own letters and words. Those of one script are compared with each other.
var siblings = []sibling{
	{"ps", arabic, "ټډړږښځڅڼېۍ", "", false},
	{"sd", arabic, "ڄڃٻڀٿٺڏڊڌڙڦڪڳڱڻٽ", "جي ۾ جو کي سان آهي", false},
	{"ug", arabic, "ۇۈۋۆېەڭ", "ۋە بىلەن بىر ھەر", false},
	{"ckb", arabic, "ێڵڕۆە", "بۆ لە کە بە", false},
	{"skr", arabic, "ݙݨٻڄڳ", "کوں اتے دے وچ", false},
	{"pnb", arabic, "", "دے نوں وچ تے نیں ایہہ ہور اے سی دا توں", false},
	{"ur", arabic, "ٹڈڑںے", "ہے ہیں میں سے کو اور کا کی کے نے پر یہ", true},
	{"fa", arabic, "", "در از که این را است با برای می های", true},
	{"ar", arabic, "ة", "في من على إلى أن التي هذا", true},
	{"as", bengali, "ৰৱ", "", false},
	{"bn", bengali, "র", "", true},
	{"ti", ethiopic, "ኣዓቐቕቓቑቒቔ", "እዩ ናይ ካብ ናብ ምስ ከም እቲ ኣብ ነቲ ዝኾነ ወይ", false},
	{"am", ethiopic, "አ", "ነው እና ውስጥ ላይ ወደ ግን ይህ ወይም ማንኛውም", true},
	{"dz", tibetan, "", "ལུ ཨིན འབད ཅིག ཨིནམ འབདཝ", false},
	{"bo", tibetan, "", "ལ དུ ཡིན རེད བྱེད དགོས ཡོད", true},
	{"shn", burmese, "ၵၶၽၾႁၸၺႃႄႅႆႇႈႊ", "", false},
	{"mnw", burmese, "ၚၛၜၝၟၐၑ", "", false},
	{"my", burmese, "ညဿြ", "", true},
	{"ne", devanagari, "", "छ छन् र गरेको भएको पनि गर्न हुनेछ छैन थियो कुनै भन्ने बाट " +
		"हुने हुन्छ गर्ने गरी सो उसको यो त्यो छु", false},
	{"mai", devanagari, "", "अछि छल छथि छैक केँ सँ एहि नहि कोनो अपन आओर होएत जाएत करबाक जे", false},
	{"bho", devanagari, "", "बा बाटे बाड़े भा आ कवनो सभे हवे रहल ना होखे खातिर आपन ओकर ओकरा करे होई जा सकेला केहू", false},
	{"mag", devanagari, "", "हई हइ हे आउ कउनो अप्पन होत जायत सकऽ", false},
	{"sa", devanagari, "", "च अस्ति इति एव तस्य सर्वे अपि सर्वेषां मानवाः स्यात् भवति सन्ति कश्चित् तु", false},
	{"hi", devanagari, "", "है हैं का की को ने और नहीं था थी थे यह वह कि लिए पर इस कर किया गया अपने हो", true},
	{"mr", devanagari, "ळ", "आहे आहेत आणि च्या ला हे ही तो होते होता व मध्ये नाही किंवा केले " +
		"यांनी असे त्या प्रत्येक", true},
}

// A signs is a set of siblings, one bit each.
type signs uint32

// The letters of siblings are in this range, which bounds the array letterSigns.
const firstSign, lastSign = 0x0600, 0x1400

var (
	letterSigns [lastSign - firstSign]signs
	wordSigns   = map[string]signs{}
	// told holds, for each script, the bits of its siblings; toldByWords holds those with words.
	told, toldByWords [scripts]signs
)

func init() {
	for i, s := range siblings {
		told[s.script] |= 1 << i
		for _, r := range s.letters {
			letterSigns[r-firstSign] |= 1 << i
		}
		for w := range strings.FieldsSeq(s.words) {
			wordSigns[w] |= 1 << i
			toldByWords[s.script] |= 1 << i
		}
	}
}

const (
	// maxSiblingRunes bounds the characters read of a segment.
	maxSiblingRunes = 800
	// A sibling needs at least fewestSigns of its own, one in signRate letters, and signLead times as many as any
	// other.
	fewestSigns = 2
	signRate    = 45
	signLead    = 1.3
	// signsOfWord is the number of letters that a word counts for.
	signsOfWord = 2
	// signSure is the confidence in a language recognised by letters and words.
	signSure = 0.95
	// signDoubt is the maximum confidence in a language of the models if signs indicate another.
	signDoubt = 0.8
)

// kindred holds the result of own letters and words for the segments of a text.
type kindred struct {
	codes []string         // by segment: a language unknown to the models, or ""; nil if there is none
	most  [scripts]float64 // the maximum confidence in the models' languages of a script
}

// kindredOf looks for siblings in the segments of a text. If most of a script's text is in one sibling, all of it is:
// short lines may lack its signs.
func kindredOf(text string, segments []segment) kindred {
	var k kindred
	var bytes, doubtful [scripts]int
	var of map[string]int
	for c := range k.most {
		k.most[c] = 1
	}
	// Most texts are in Latin letters, and need not be searched.
	if !slices.ContainsFunc(segments, func(s segment) bool { return told[s.script] != 0 }) {
		return k
	}
	k.codes, of = make([]string, len(segments)), map[string]int{}
	for i := range segments {
		s := &segments[i]
		bytes[s.script] += s.bytes()
		// Its share of the script's text counts all the same.
		if told[s.script] == 0 {
			continue
		}
		code, doubt := siblingOf(text[s.start:s.end], s.script)
		if doubt {
			doubtful[s.script] += s.bytes()
		}
		if code != "" {
			k.codes[i] = code
			of[code] += s.bytes()
		}
	}
	for c := range k.most {
		if 2*doubtful[c] > bytes[c] {
			k.most[c] = signDoubt
		}
	}
	for _, s := range siblings {
		// This is more than half of the text in that script.
		if 2*of[s.code] <= bytes[s.script] {
			continue
		}
		for i := range segments {
			if segments[i].script == s.script {
				k.codes[i] = s.code
			}
		}
	}
	return k
}

// siblingOf returns the language, unknown to the models, of a text in script c by its own letters and words. The
// result is "" if there is no evidence, or evidence for a language of the models. Result doubt means that there is
// evidence for another language too.
func siblingOf(text string, c script) (code string, doubt bool) {
	var count [32]int
	// start is the beginning of the current word, or negative outside words.
	letters, runes, start := 0, 0, -1
	note := func(s signs, weight int) {
		for s &= told[c]; s != 0; s &= s - 1 {
			count[bits.TrailingZeros32(uint32(s))] += weight
		}
	}
	for i, r := range text {
		if runes++; runes > maxSiblingRunes {
			text = text[:i]
			break
		}
		// This is the end of a word; marks and joiners are inside words.
		if scriptOf(r) != c && !unicode.Is(unicode.M, r) && r != '\u200C' {
			if start >= 0 && toldByWords[c] != 0 {
				note(wordSigns[text[start:i]], signsOfWord)
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
		letters++
		if r >= firstSign && r < lastSign {
			note(letterSigns[r-firstSign], 1)
		}
	}
	if start >= 0 {
		note(wordSigns[text[start:]], signsOfWord)
	}
	// The rest is a matter of counts.
	return bestSibling(&count, letters, c)
}

// fewest returns the number of signs needed for a sibling. For words it is more than one word. A single letter may be
// a typing error, a single word a name or a quotation.
func (s *sibling) fewest() int {
	if s.letters == "" {
		return fewestSigns * signsOfWord
	}
	return fewestSigns
}

// bestSibling returns the sibling of script c with the most signs, given the number of letters.
func bestSibling(count *[32]int, letters int, c script) (code string, doubt bool) {
	// others is the highest count for a language that the models do not know.
	best, second, others := -1, -1, 0
	for i := range siblings {
		if siblings[i].script != c {
			continue
		}
		// Signs of a language unknown to the models make theirs doubtful.
		if !siblings[i].known {
			others = max(others, count[i])
		}
		if best < 0 || count[i] > count[best] {
			best, second = i, best
		} else if second < 0 || count[i] > count[second] {
			second = i
		}
	}
	switch {
	case best < 0 || count[best] < siblings[best].fewest():
		return "", !c.isShared() // there is no evidence for the sole language of the script, either
	case count[best]*signRate < letters, float64(count[best]) < signLead*float64(count[second]):
		return "", others >= fewestSigns && others*signRate >= letters
	case siblings[best].known:
		return "", false
	}
	return siblings[best].code, false
}
