package cldr

// moreMonths are further names of months used in texts, by language: names and abbreviations missing in words.txt,
// divided by a slash, in twelve fields each. A hyphen is a month without a name. CommonMonth knows these names without
// the language. So words with another meaning in English (led, pro) are left out. Names of two months are left out
// too: Croatian listopad is October, Polish and Czech listopadu is November.
var moreMonths = map[string]string{
	// Languages with the same names share an entry, as in "da no".
	"en": "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug " +
		"september/sep/sept october/oct november/nov december/dec",
	"de": "januar/jänner februar/feber märz/mär/mrz/maerz april mai juni juli august september oktober/okt " +
		"november dezember/dez",
	"fr": "janvier/janv février/fevrier/févr/fév/fev mars avril/avr mai juin juillet/juil/juill août/aout/aoû " +
		"septembre octobre novembre décembre/decembre/déc",
	"es": "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre octubre " +
		"noviembre diciembre/dic",
	"it": "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/set " +
		"ottobre/ott novembre dicembre",
	"pt": "janeiro fevereiro/fev março/marco abril maio junho julho agosto setembro outubro/out novembro " +
		"dezembro/dez",
	"nl":    "januari februari maart/mrt april mei juni juli augustus september oktober november december",
	"sv":    "januari februari mars april maj juni juli augusti september oktober november december",
	"da no": "januar februar marts/mars april maj/mai juni juli august september oktober november december/des",
	"fi": "tammikuuta/tammikuu helmikuuta/helmikuu maaliskuuta/maaliskuu huhtikuuta/huhtikuu " +
		"toukokuuta/toukokuu kesäkuuta/kesäkuu heinäkuuta/heinäkuu elokuuta/elokuu syyskuuta/syyskuu " +
		"lokakuuta/lokakuu marraskuuta/marraskuu joulukuuta/joulukuu",
	"pl": "stycznia/styczeń/sty lutego/luty/lut marca/marzec kwietnia/kwiecień/kwi maja " +
		"czerwca/czerwiec/cze lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz " +
		"października/październik/paź listopada/listopad grudnia/grudzień/gru",
	"cs": "ledna/leden února/únor/úno března/březen/bře dubna/duben května/květen/kvě " +
		"června/červen/čen/čvn července/červenec/čec/čvc srpna/srpen září/zář října/říjen/říj listopadu " +
		"prosince/prosinec",
	"sk": "januára/január februára/február marca/marec apríla/apríl mája/máj júna/jún júla/júl augusta " +
		"september/septembra októbra/október novembra decembra",
	"sl": "januarja februarja marca aprila maja junija/junij julija/julij avgusta/avgust septembra oktobra " +
		"novembra decembra",
	"hr": "siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj " +
		"srpnja/srpanj kolovoza/kolovoz rujna/rujan - studenoga/studenog/studeni prosinca/prosinac",
	"sr": "januar/јануар februar/фебруар mart/март april/април maj/мај jun/јун/јуни jul/јул/јули " +
		"avgust/август septembar/септембар oktobar/октобар novembar/новембар decembar/децембар",
	"lt": "sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis " +
		"liepos/liepa rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis " +
		"gruodžio/gruodis",
	"lv": "janvāris/janvārī februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā " +
		"jūlijs/jūlijā augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī " +
		"decembris/decembrī",
	"et": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
	"ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
	"gl": "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
	"hu": "január február/febr március/márc április/ápr május/máj június/jún július/júl augusztus " +
		"szeptember/szept október november december",
	"ro": "ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie/oct " +
		"noiembrie decembrie",
	"tr": "ocak şubat/şub mart nisan mayıs haziran/haz temmuz ağustos/ağu eylül/eyl ekim/eki kasım aralık",
	"ru": "января/январь/янв февраля/февраль/фев/февр марта/март/мар апреля/апрель/апр мая/май " +
		"июня/июнь/июн июля/июль/июл августа/август/авг сентября/сентябрь/сен/сент октября/октябрь/окт " +
		"ноября/ноябрь/ноя/нояб декабря/декабрь/дек",
	"uk": "січня/січень/січ лютого/лютий/лют березня/березень/берез/бер квітня/квітень/кві/квіт " +
		"травня/травень/тра/трав червня/червень/чер/черв липня/липень серпня/серпень/сер/серп " +
		"вересня/вересень/верес/вер жовтня/жовтень/жов/жовт листопада/листопад/листоп грудня/грудень/гру/груд",
	"be": "студзеня/студзень лютага/люты сакавіка/сакавік красавіка/красавік мая/май чэрвеня/чэрвень " +
		"ліпеня/ліпень жніўня/жнівень верасня/верасень кастрычніка/кастрычнік лістапада/лістапад " +
		"снежня/снежань",
	"bg": "януари/яну/ян февруари/фев март/мар април/апр май юни юли август/авг септември/сеп октомври/окт " +
		"ноември/ное декември/дек",
	"el": "ιανουαρίου/ιανουάριος/ιαν φεβρουαρίου/φεβρουάριος/φεβ μαρτίου/μάρτιος/μαρ απριλίου/απρίλιος/απρ " +
		"μαΐου/μάιος/μαϊ/μάι ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος/αυγ " +
		"σεπτεμβρίου/σεπτέμβριος/σεπ οκτωβρίου/οκτώβριος/οκτ νοεμβρίου/νοέμβριος/νοε " +
		"δεκεμβρίου/δεκέμβριος/δεκ",
	"gd": "faoilleach gearran màrt/mhàrt giblean/ghiblean cèitean/chèitean ògmhios iuchar lùnastal sultain dàmhair " +
		"samhain dùbhlachd",
	"gu": "જાન્યુઆરી ફેબ્રુઆરી માર્ચ એપ્રિલ મે જૂન જુલાઈ/જુલાઇ ઓગસ્ટ/ઑગસ્ટ સપ્ટેમ્બર ઓક્ટોબર/ઑક્ટોબર નવેમ્બર ડિસેમ્બર",
	"ku": "çile/rêbendan sibat/reşemî adar nîsan/avrêl gulan hezîran/pûşper tîrmeh tebax/gelawêj îlon/rezber " +
		"cotmeh/kewçêr mijdar/sermawez berfanbar/kanûn",
	"rm": "schaner favrer mars avrigl matg zercladur fanadur avust settember october november december",
	"si": "ජනවාරි පෙබරවාරි මාර්තු අප්\u200dරේල් මැයි ජූනි ජූලි අගෝස්තු සැප්තැම්බර් ඔක්තෝබර් නොවැම්බර් දෙසැම්බර්",
	"tg": "январи феврали марти апрели майи июни июли августи сентябри октябри ноябри декабри",
	"id": "januari februari/peb maret april mei juni juli agustus/agu/agt/agst september oktober november desember",
	// The last forms are those of the Maghreb.
	"ar": "يناير/جانفي فبراير/شباط/فيفري مارس/آذار أبريل/ابريل/نيسان/أفريل مايو/أيار/ماي يونيو/حزيران/جوان " +
		"يوليو/تموز/جويلية/يوليوز أغسطس/اغسطس/آب/أوت/غشت سبتمبر/أيلول/شتنبر أكتوبر/اكتوبر نوفمبر/نونبر " +
		"ديسمبر/دجنبر",
	"fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
	"he": "בינואר/ינואר בפברואר/פברואר במרץ/מרץ באפריל/אפריל במאי/מאי ביוני/יוני ביולי/יולי באוגוסט/אוגוסט " +
		"בספטמבר/ספטמבר באוקטובר/אוקטובר בנובמבר/נובמבר בדצמבר/דצמבר",
	"hi": "जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर " +
		"दिसंबर/दिसम्बर",
	"th": "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน " +
		"ธันวาคม",
}

// moreWords are further words with their meaning in some languages.
var moreWords = []struct {
	number    int
	languages string
	words     string
}{
	// Weekdays as in dates: short forms that CLDR writes differently, and first words of longer names.
	{monday, "tr", "pts"},
	{monday + 1, "en", "tues"},
	{monday + 2, "en", "weds"},
	{monday + 3, "en", "thur thurs"},
	// The first words of the names: Thứ hai to Thứ bảy are Monday to Saturday, Chủ nhật is Sunday.
	{monday, "vi", "thứ"},
	{sunday, "vi", "chủ"},
	{monday + 4, "tr", "cu"},
	// These include the second half, joined by a hyphen to one word.
	{monday, "pt", "segunda-feira"},
	{monday + 1, "pt", "terça-feira"},
	{monday + 2, "pt", "quarta-feira"},
	{monday + 3, "pt", "quinta-feira"},
	{monday + 4, "pt", "sexta-feira"},
	{monday + 4, "id ms", "jum'at"},

	// Months as some programs write them (the tests of Universal Feed Parser have these).
	{2, "hu", "februári"},
	// With the long vowel, as before the spelling reform.
	{1, "bn", "জানুয়ারী"},
	{2, "bn", "ফেব্রুয়ারী"},
	{8, "bn", "আগষ্ট"},
	{10, "ml", "ഒക്ടോബർ"},
	// These short forms have no point in CLDR, but a mark of their own.
	{1, "he", "ינו"},
	{2, "he", "פבר"},
	{4, "he", "אפר"},
	{8, "he", "אוג"},
	{9, "he", "ספט"},
	{10, "he", "אוק"},
	{11, "he", "נוב"},
	{12, "he", "דצמ"},
	{1, "hi", "जन"},
	{2, "hi", "फ़र फर"},
	{7, "hi", "जुल"},
	{8, "hi", "अग"},
	{9, "hi", "सित"},
	{10, "hi", "अक्टू"},
	{11, "hi", "नव"},
	{12, "hi", "दिस"},
	{5, "hu", "máujus"},
	{5, "el", "μάώ μαώ μάη"},
	{6, "el", "ιον"},
	{7, "el", "ιολ"},

	// These are words of scale for hundreds and thousands, with their number of zeros: scale + 3 is a thousand.
	{scale + 2, "en", "hundred hundreds"},
	{scale + 3, "en", "k grand thousands"},
	{scale + 3, "de", "tsd tausend"},
	{scale + 3, "it", "mila mille"},
	{scale + 3, "ru", "тыс тысяч тысячи тысяча"},
	{scale + 3, "uk", "тис тисяч тисячі"},
	{scale + 3, "id ms", "ribu rb"},
	{scale + 3, "hi en", "hazar"},
	{scale + 3, "ja zh", "千"},
	{scale + 3, "ko", "천"},
	{scale + 2, "ja zh", "百"},
	// The traditional form of 万.
	{scale + 4, "zh", "萬"},
	// From a hundred thousand on: India counts in lakhs and crores.
	{scale + 5, "en", "lac lacs lakhs lpa"},
	{scale + 6, "en", "millions mn mln mio mm"},
	{scale + 6, "de", "mio mill"},
	{scale + 6, "es", "millón mm"},
	// M€ is a million euros.
	{scale + 6, "fr", "m"},
	{scale + 6, "id ms", "jt"},
	{scale + 6, "it pl nl", "mln"},
	{scale + 6, "pt", "mi milhão milhões"},
	{scale + 6, "pl", "milionów miliony milion"},
	{scale + 6, "ru", "млн миллион миллиона миллионов"},
	{scale + 6, "uk", "млн мільйон мільйона мільйонів"},
	// Lakh and crore are added where CLDR has millions.
	{scale + 5, "ta", "லட்சம் இலட்சம்"},
	{scale + 7, "ta", "கோடி"},
	{scale + 5, "te", "లక్ష లక్షల లక్షలు"},
	{scale + 7, "te", "కోటి కోట్ల కోట్లు"},
	{scale + 5, "kn", "ಲಕ್ಷ"},
	{scale + 7, "kn", "ಕೋಟಿ"},
	{scale + 5, "ml", "ലക്ഷം"},
	{scale + 7, "ml", "കോടി"},
	{scale + 5, "bn as", "লাখ লক্ষ"},
	{scale + 7, "bn as", "কোটি"},
	{scale + 5, "gu", "લાખ"},
	{scale + 7, "gu", "કરોડ"},
	{scale + 5, "mr ne", "लाख"},
	{scale + 7, "mr ne", "कोटी करोड"},
	{scale + 5, "pa", "ਲੱਖ"},
	{scale + 7, "pa", "ਕਰੋੜ"},
	{scale + 5, "ur", "لاکھ"},
	{scale + 7, "ur", "کروڑ"},
	{scale + 5, "or", "ଲକ୍ଷ"},
	{scale + 7, "or", "କୋଟି"},
	{scale + 5, "si", "ලක්ෂ"},
	{scale + 6, "sw", "milioni"},
	{scale + 9, "sw", "bilioni"},
	{scale + 12, "it", "bilione bilioni"},
	// Short numbers of the Netherlands and of South Asia.
	{scale + 5, "nl", "ton"},
	{scale + 9, "hi ur ne", "arab arba"},
	{scale + 11, "hi ur ne", "kharab"},
	{scale + 2, "ko", "백"},
	{scale + 3, "ro", "mii"},
	{scale + 3, "ca", "mil"},
	{scale + 3, "vi", "ngàn"},
	{scale + 9, "vi", "tỉ"},
	{scale + 9, "ar", "مليارات بلايين"},
	{scale + 12, "ar", "تريليون تريليونات"},
	{scale + 12, "he", "טריליון"},
	{scale + 7, "en", "crores cr"},
	// A hundred millions, and a million millions, in Chinese characters.
	{scale + 8, "zh", "億"},
	{scale + 12, "zh", "兆"},
	// Thousands of millions: billion in the short scale, milliard in the long one.
	{scale + 9, "en", "billions bn b bln"},
	{scale + 9, "de", "mrd mia milliarde"},
	{scale + 9, "pt", "bi bilhão bilhões"},
	{scale + 9, "it pl nl", "mld"},
	// Md is short for milliard, and Mds for its plural.
	{scale + 9, "fr", "md mds mrd"},
	{scale + 9, "ru", "млрд миллиард миллиарда миллиардов"},
	{scale + 3, "el", "χιλ"},
	{scale + 6, "el", "εκατ"},
	{scale + 9, "el", "δισ"},
	{scale + 3, "he", "אלף אלפי"},
	{scale + 6, "he", "מיליון מיליוני"},
	{scale + 9, "he", "מיליארד מיליארדי"},
	{scale + 9, "uk", "млрд мільярд мільярда мільярдів"},
	// Millions of millions: trillion in the short scale, billion in the long one.
	{scale + 12, "en", "trillions tn trn"},
	{scale + 12, "pt", "tri trilhão trilhões"},
	// The long scale: a million millions.
	{scale + 12, "fr", "billion"},
	{scale + 12, "de", "bio billion"},
	{scale + 12, "id ms", "triliun trilyun"},
	// An older spelling of miliar.
	{scale + 9, "id ms", "milyar"},
	// These forms were in the extractor before, with the languages that have them.
	{scale + 6, "es", "millones"},
	{scale + 6, "it", "milioni milione"},
	{scale + 6, "nl", "miljoen"},
	// Mkr is short for miljoner kronor.
	{scale + 6, "sv", "miljoner miljon mkr"},
	{scale + 6, "da nb", "millioner million"},
	{scale + 6, "fi", "miljoonaa"},
	{scale + 6, "cs", "milionů miliony milion"},
	{scale + 6, "hu", "millió"},
	{scale + 6, "tr", "milyon"},
	{scale + 9, "sv", "miljarder miljard"},
	{scale + 9, "da nb", "milliarder milliard"},
	{scale + 9, "fi", "miljardia"},
	{scale + 9, "cs pl", "miliard"},
	{scale + 9, "hu", "milliárd"},
	{scale + 9, "tr", "milyar"},
}
