package sentiment

// modifier has the words of a language that change the weight of others: negations, and words that make others
// stronger or weaker. With after, a negation may also follow its word.
type modifier struct {
	no, more, less string
	after          bool
}

var modifiers = map[string]modifier{
	"af": {no: "nie geen nooit sonder niks", more: "baie uiters regtig", less: "effens"},
	"ar": {no: "لا لم لن ليس ليست غير بدون بلا ما", more: "جدا للغاية", less: "قليلا"},
	"az": {no: "deyil yox", more: "cox olduqca", less: "bir", after: true},
	"be": {no: "не ні без ніколі", more: "вельмі надзвычай", less: "трохі"},
	"bg": {no: "не няма без никога нито нищо", more: "много изключително наистина", less: "малко"},
	"bs": {no: "ne nije nisu bez nikad nikada nema ni", more: "vrlo veoma jako", less: "malo"},
	"ca": {no: "no sense mai cap ni res", more: "molt molta extremadament realment", less: "poc mica"},
	"cs": {no: "ne neni nejsou bez nikdy zadny zadna zadne ani nic", more: "velmi opravdu extremne", less: "trochu"},
	"cy": {no: "ddim nid heb na dim", more: "iawn", less: "ychydig"},
	"da": {no: "ikke ingen intet aldrig uden hverken", more: "meget virkelig ekstremt", less: "lidt", after: true},
	"de": {
		no: "nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts kaum", after: true,
		more: "sehr wirklich extrem ausserst absolut total besonders unglaublich", less: "etwas wenig ziemlich einigermassen",
	},
	"el": {no: "δεν δε μην οχι χωρισ ποτε ουτε τιποτα", more: "πολυ εξαιρετικα", less: "λιγο"},
	"en": {
		no: "not no never without nor neither cannot cant dont doesnt didnt wont isnt arent wasnt werent wouldnt couldnt " +
			"shouldnt hasnt havent hadnt hardly barely t nothing nobody",
		more: "very really extremely absolutely totally incredibly so most truly highly deeply utterly",
		less: "somewhat slightly fairly rather little bit kinda",
	},
	"eo": {no: "ne neniam sen nenio", more: "tre ege", less: "iom"},
	"es": {
		no: "no nunca sin ni jamas nada tampoco ningun ninguna", more: "muy realmente extremadamente tan sumamente",
		less: "poco algo bastante",
	},
	"et": {no: "ei mitte ilma pole kunagi", more: "vaga", less: "natuke"},
	"eu": {no: "ez gabe inoiz ezin", more: "oso", less: "pixka", after: true},
	"fa": {no: "نه نیست نیستند بدون هرگز هیچ", more: "بسیار خیلی", less: "کمی", after: true},
	"fi": {no: "ei en et emme ette eivat ilman koskaan", more: "erittain hyvin todella", less: "hieman vahan"},
	"fr": {
		no: "pas jamais sans aucun aucune ni rien guere nullement non", more: "tres vraiment extremement tellement si trop",
		less: "peu assez plutot",
	},
	"ga": {no: "ni nach gan nior", more: "an", less: "beagan"},
	"gl": {no: "non nunca sen nin nada", more: "moi realmente", less: "pouco algo"},
	"he": {no: "לא אין בלי אף ללא", more: "מאוד ממש", less: "קצת"},
	"hi": {no: "नहीं न मत बिना कभी", more: "बहुत अत्यंत", less: "थोड़ा", after: true},
	"hr": {no: "ne nije nisu bez nikad nikada nema ni", more: "vrlo jako iznimno", less: "malo"},
	"hu": {no: "nem ne nincs sem soha nelkul", more: "nagyon rendkivul igazan", less: "kicsit", after: true},
	"hy": {no: "ոչ չէ չեն առանց երբեք", more: "շատ", less: "քիչ", after: true},
	"id": {no: "tidak bukan tanpa jangan belum tak", more: "sangat sekali benar", less: "agak sedikit"},
	"it": {
		no: "non mai senza ne niente nulla nessun nessuna neanche", more: "molto davvero estremamente cosi veramente",
		less: "poco abbastanza piuttosto",
	},
	"ja": {after: true},
	"ka": {no: "არ არა ვერ გარეშე", more: "ძალიან", less: "ცოტა"},
	"kk": {no: "емес жок", more: "ете", less: "аз", after: true},
	"ko": {no: "안 못 않다 아니다 없다 없이", more: "매우 아주 정말", less: "조금", after: true},
	"lt": {no: "ne nera be niekada nei", more: "labai", less: "truputi"},
	"lv": {no: "ne nav bez nekad", more: "loti", less: "nedaudz"},
	"mk": {no: "не нема без никогаш ниту", more: "многу", less: "малку"},
	"ms": {no: "tidak bukan tanpa jangan belum tak", more: "sangat amat", less: "sedikit"},
	"mt": {no: "mhux ebda qatt minghajr", more: "hafna", less: "ftit"},
	"nb": {no: "ikke ikkje ingen intet aldri uten", more: "veldig svaert virkelig", less: "litt", after: true},
	"nl": {
		no: "niet geen nooit zonder noch niets nergens nauwelijks", after: true,
		more: "heel erg zeer echt ontzettend enorm", less: "beetje enigszins redelijk",
	},
	"pl": {no: "nie bez nigdy ani nic zaden zadna zadne", more: "bardzo naprawde niezwykle", less: "troche"},
	"pt": {
		no: "nao nunca sem nem nada jamais nenhum nenhuma", more: "muito realmente extremamente tao",
		less: "pouco bastante",
	},
	"ro": {no: "nu fara niciodata nici nimic", more: "foarte extrem", less: "putin"},
	"ru": {no: "не нет без никогда ни ничего", more: "очень крайне действительно", less: "немного довольно"},
	"sk": {no: "nie bez nikdy ani nic ziadny", more: "velmi naozaj", less: "trochu"},
	"sl": {no: "ne ni niso brez nikoli", more: "zelo", less: "malo"},
	"sq": {no: "nuk s pa kurre asnje", more: "shume", less: "pak"},
	"sr": {no: "не није нису без никад никада нема ни", more: "врло веома јако", less: "мало"},
	"sv": {no: "inte ej ingen inget aldrig utan", more: "mycket valdigt verkligen", less: "lite", after: true},
	"tl": {no: "hindi wala walang huwag", more: "napaka sobra", less: "medyo"},
	"tr": {no: "degil yok hic asla olmayan", more: "cok son gercekten", less: "biraz", after: true},
	"uk": {no: "не ні без ніколи нічого", more: "дуже надзвичайно", less: "трохи"},
	"ur": {no: "نہیں نہ بغیر کبھی", more: "بہت", less: "تھوڑا", after: true},
	"vi": {no: "khong chua chang dung", more: "rat qua", less: "hoi"},
	"zh": {no: "没有 不是 並非 并非 不会 不能", more: "非常 十分 特别", less: "有点 稍微"},
}
