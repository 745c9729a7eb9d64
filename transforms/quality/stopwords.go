package quality

import "strings"

// stopLists holds function words of languages with spaces between words, in lower case: articles, pronouns,
// prepositions, conjunctions and auxiliaries. A language has at most 64. English has the eight that the paper names.
var stopLists = map[string]string{
	"af": "die en van in is het nie om te wat vir met sy hy aan was op dat",
	"ar": "في من على إلى عن أن هذا هذه التي الذي كان ما لا مع هو هي أو ثم",
	"az": "və bu bir ilə üçün də ki o daha olan çox kimi amma ya nə",
	"be": "і у на што з не да як для па гэта ад але за яго",
	"bg": "на и в да за от се не с е по като че това са си но",
	"bn": "এবং ও এই এ করে থেকে যে না হয় তার জন্য কিন্তু একটি করা",
	"bs": "i u je na se da za su od s o kao koji ne po što ili",
	"ca": "de la el i a que en les els un una per amb és no del al es",
	"cs": "a v se na je že s z do to o i za pro by ale jako jsou",
	"cy": "y yn a i ar o mae yr ei am gan wedi ac bod fel",
	"da": "og i at er det en til på som for med de af ikke der den har et",
	"de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als",
	"el": "και το η του να της για με που από τα είναι στο δεν τον οι σε",
	"en": "the be to of and that have with",
	"es": "de la que el en y a los del se las por un para con no una su al es",
	"et": "ja on ei et see oma kui ka aga oli mis ning või nii seda",
	"eu": "eta da ez bat du ere dira izan baina zen hau duen edo",
	"fa": "و در به از که این را با است برای آن یک تا بر هم شد",
	"fi": "ja on ei se että oli ovat kun myös mutta tai hän joka sen niin ole",
	"fr": "de la le et les des en un une du est que dans qui pour pas au sur il par",
	"ga": "agus an na ar i go is a le do tá ag sé bhí nach leis",
	"gl": "de a o que e do da en os as un unha para con non por se",
	"gu": "અને આ છે તે એક માટે પર કે થી નથી હતી હતું પણ",
	"he": "של את על לא הוא עם זה גם אל היא כי או אבל יש",
	"hi": "के का में की है और से को पर यह ने नहीं एक भी कि था तो",
	"hr": "i u je na se da za su od s o kao koji ne po što ili",
	"hu": "a az és hogy nem is egy van ez volt de csak mint meg el már",
	"hy": "և է են որ մեջ այս համար չի մի ու էր իր բայց այդ",
	"id": "yang dan di dengan untuk dari pada ini itu dalam tidak ke adalah juga akan",
	"is": "og að í á er sem til við um en það hann var með ekki fyrir",
	"it": "di e il la che in un a per è non una con del si da le i dei al",
	"ka": "და არის რომ ეს არ ამ იყო როგორც მისი თუ მაგრამ კი",
	"kk": "және бұл бір да де үшін мен деп ол бар емес осы",
	"ko": "이 그 및 수 등 것 있는 한 더 또는 위해 그리고 있다 하는 대한",
	"lt": "ir yra kad į su iš ne kaip tai o bet už apie prie jo",
	"lv": "un ir ar no par ka uz kas ne tas bet kā arī pie vai",
	"mk": "на и во да се од за не со е што ќе како по но",
	"mn": "нь юм байна энэ ба болон нэг гэж тэр бол",
	"mr": "आहे आणि या हे तो ते की व नाही एक होते पण ही",
	"ms": "yang dan di dengan untuk dari pada ini itu dalam tidak ke adalah juga akan",
	"nb": "og i det er på som en til for med av at ikke den har de et om",
	"nl": "de het een en van in is dat op te voor met zijn niet aan er ook die",
	"nn": "og i det er på som ein til for med av at ikkje den har dei eit om",
	"pa": "ਦੇ ਦਾ ਦੀ ਵਿੱਚ ਹੈ ਅਤੇ ਨੂੰ ਇਸ ਤੋਂ ਨਾਲ ਨੇ ਇਹ ਵੀ",
	"pl": "i w na z się do nie to że jest o jak po od za przez oraz dla",
	"pt": "de a o que e do da em um para com não uma os no se na por mais as",
	"ro": "și de în la a pe cu nu este să din care o un mai pentru ce",
	"ru": "и в не на что с как по это из к у за от но для он так же",
	"sk": "a v sa na je že s z do to o aj za pre by ale ako sú",
	"sl": "in je v na se da za so s z ki pa po ne kot tudi bi",
	"so": "iyo oo ka ku ee waa in la ay si uu u waxaa",
	"sq": "e të në dhe për me që një nga është i më u ka nuk si",
	"sr": "и у је на се да за су од с о као који не по што или",
	"sv": "och i att det som en på är av för med till den har inte ett om de",
	"sw": "na ya wa kwa ni la katika za kuwa hii hiyo huo yake cha lakini",
	"ta": "ஒரு மற்றும் இந்த அந்த என்று என இது அது ஆனால் இருந்து",
	"te": "ఈ ఆ మరియు ఒక ఉంది అని కూడా నుండి కోసం కానీ",
	"tl": "ang ng sa na at mga ay si ni hindi para kung ito",
	"tr": "ve bir bu da de için ile olarak çok daha ne gibi o en ama",
	"uk": "і в на що не з до як та за це у від але для він по",
	"ur": "کے کی کا میں ہے اور سے کو یہ نے پر کہ نہیں ہیں بھی ایک",
	"vi": "và của là có cho trong được một không với các đã này để người những",
}

// unspacedStopWords holds function words that are searched anywhere in the text.
var unspacedStopWords = map[string][]string{
	"ja": {"の", "に", "は", "を", "が", "で", "と", "も", "した", "です", "ます", "から", "こと"},
	"km": {"និង", "នៅ", "ជា", "ដែល", "មាន", "បាន", "ក្នុង", "នេះ"},
	"lo": {"ແລະ", "ຂອງ", "ໃນ", "ທີ່", "ເປັນ", "ມີ", "ໄດ້", "ບໍ່"},
	"my": {"သည်", "နှင့်", "များ", "တွင်", "ကို", "မှ", "ဖြစ်"},
	"th": {"ที่", "และ", "ใน", "ของ", "เป็น", "มี", "ได้", "ไม่", "ให้", "จะ", "กับ"},
	"zh": {"的", "了", "是", "在", "不", "有", "和", "也", "这", "這", "与", "與", "为", "為"},
}

// stopWords are the stop words of a language. For most other words, one bit shows that they are not among them.
type stopWords struct {
	may  [4]uint64      // by the upper eight bits of the hash
	bits map[uint64]int // bit number by hash of the word
}

// bit returns the bit of a word, or 0 if it is not a stop word.
func (s *stopWords) bit(hash uint64) uint64 {
	if s.may[hash>>62]>>(hash>>56&63)&1 == 0 {
		return 0
	}
	if bit, ok := s.bits[hash]; ok {
		return 1 << bit
	}
	return 0
}

// spacedStopWords is stopLists by language.
var spacedStopWords = func() map[string]stopWords {
	lists := make(map[string]stopWords, len(stopLists))
	for language, list := range stopLists {
		s := stopWords{bits: map[uint64]int{}}
		for w := range strings.FieldsSeq(list) {
			hash := hashWord(w)
			s.bits[hash] = len(s.bits)
			s.may[hash>>62] |= 1 << (hash >> 56 & 63)
		}
		lists[language] = s
	}
	return lists
}()

// hashWord returns the hash of w as the scanner computes it.
func hashWord(w string) (h uint64) {
	for _, r := range w {
		if lower, _, counts := fold(r); counts {
			h = step(h, lower)
		}
	}
	return h
}

// hasList reports whether there are stop words for the language.
func hasList(language string) bool {
	return stopLists[language] != "" || unspacedStopWords[language] != nil
}

// StopWords returns the function words of a language, in lower case, or nil if there is no list.
func StopWords(language string) []string {
	if list, ok := unspacedStopWords[language]; ok {
		return list
	}
	if stopLists[language] == "" {
		return nil
	}
	return strings.Fields(stopLists[language])
}

// Unspaced reports whether a language is written without spaces between words.
func Unspaced(language string) bool { return unspacedStopWords[language] != nil }
