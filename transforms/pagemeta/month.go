package pagemeta

import (
	"strings"
	"unicode/utf8"
)

// monthNames are the names of the months, a language a line, in the case that stands in dates; / separates other names
// and abbreviations. A word that means two months in two languages is left out: Croatian listopad is October, Polish
// and Czech listopadu is November. So are abbreviations that are words of English (led, pro). A hyphen stands for a
// month without a name. Within a line names stand in the order of the months, twelve fields each; TestMonthNames holds
// them to that.
var monthNames = []string{
	/* en */ "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept " +
		"october/oct november/nov december/dec",
	/* de */ "januar/jänner februar/feber märz/mär/mrz/maerz april mai juni juli august september oktober/okt november " +
		"dezember/dez",
	/* fr */ "janvier/janv février/fevrier/févr/fév/fev mars avril/avr mai juin juillet/juil août/aout/aoû septembre " +
		"octobre novembre décembre/decembre/déc",
	/* es */ "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre octubre noviembre " +
		"diciembre/dic",
	/* it */ "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/set ottobre/ott " +
		"novembre dicembre",
	/* pt */ "janeiro fevereiro/fev março/marco abril maio junho julho agosto setembro outubro/out novembro " +
		"dezembro/dez",
	/* nl */ "januari februari maart/mrt april mei juni juli augustus september oktober november december",
	/* sv */ "januari februari mars april maj juni juli augusti september oktober november december",
	/* da no */ "januar februar marts/mars april maj/mai juni juli august september oktober november december/des",
	/* fi */ "tammikuuta/tammikuu helmikuuta/helmikuu maaliskuuta/maaliskuu huhtikuuta/huhtikuu toukokuuta/toukokuu " +
		"kesäkuuta/kesäkuu heinäkuuta/heinäkuu elokuuta/elokuu syyskuuta/syyskuu lokakuuta/lokakuu marraskuuta/marraskuu " +
		"joulukuuta/joulukuu",
	/* pl */ "stycznia/styczeń/sty lutego/luty/lut marca/marzec kwietnia/kwiecień/kwi maja czerwca/czerwiec/cze " +
		"lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz października/październik/paź listopada/listopad " +
		"grudnia/grudzień/gru",
	/* cs */ "ledna/leden února/únor/úno března/březen/bře dubna/duben května/květen/kvě června/červen/čen/čvn " +
		"července/červenec/čec/čvc srpna/srpen září/zář října/říjen/říj listopadu prosince/prosinec",
	/* sk */ "januára/január februára/február marca/marec apríla/apríl mája/máj júna/jún júla/júl augusta " +
		"september/septembra " +
		"októbra/október novembra decembra",
	/* sl */ "januarja februarja marca aprila maja junija/junij julija/julij avgusta/avgust septembra oktobra novembra " +
		"decembra",
	/* hr */ "siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj " +
		"srpnja/srpanj " +
		"kolovoza/kolovoz rujna/rujan - studenoga/studenog/studeni prosinca/prosinac",
	/* sr */ "januar/јануар februar/фебруар mart/март april/април maj/мај jun/јун/јуни jul/јул/јули avgust/август " +
		"septembar/септембар oktobar/октобар novembar/новембар decembar/децембар",
	/* lt */ "sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis liepos/liepa " +
		"rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis",
	/* lv */ "janvāris/janvārī februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā jūlijs/jūlijā " +
		"augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī",
	/* et */ "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
	/* ca */ "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
	/* gl */ "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
	/* hu */ "január február/febr március/márc április/ápr május/máj június/jún július/júl augusztus " +
		"szeptember/szept október november december",
	/* ro */ "ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie/oct noiembrie " +
		"decembrie",
	/* tr */ "ocak şubat/şub mart nisan mayıs haziran/haz temmuz ağustos/ağu eylül/eyl ekim/eki kasım aralık",
	/* ru */ "января/январь/янв февраля/февраль/фев/февр марта/март/мар апреля/апрель/апр мая/май июня/июнь/июн " +
		"июля/июль/июл августа/август/авг сентября/сентябрь/сен/сент октября/октябрь/окт ноября/ноябрь/ноя/нояб " +
		"декабря/декабрь/дек",
	/* uk */ "січня/січень/січ лютого/лютий/лют березня/березень/бер квітня/квітень/кві/квіт травня/травень/тра/трав " +
		"червня/червень/чер/черв липня/липень серпня/серпень/сер/серп вересня/вересень/вер жовтня/жовтень/жов/жовт " +
		"листопада/листопад грудня/грудень/гру/груд",
	/* be */ "студзеня/студзень лютага/люты сакавіка/сакавік красавіка/красавік мая/май чэрвеня/чэрвень ліпеня/ліпень " +
		"жніўня/жнівень верасня/верасень кастрычніка/кастрычнік лістапада/лістапад снежня/снежань",
	/* bg */ "януари/яну февруари/фев март/мар април/апр май юни юли август/авг септември/сеп октомври/окт ноември/ное " +
		"декември/дек",
	/* el */ "ιανουαρίου/ιανουάριος/ιαν φεβρουαρίου/φεβρουάριος/φεβ μαρτίου/μάρτιος/μαρ απριλίου/απρίλιος/απρ " +
		"μαΐου/μάιος/μαϊ/μάι ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος/αυγ " +
		"σεπτεμβρίου/σεπτέμβριος/σεπ οκτωβρίου/οκτώβριος/οκτ νοεμβρίου/νοέμβριος/νοε δεκεμβρίου/δεκέμβριος/δεκ",
	/* id */ "januari februari/peb maret april mei juni juli agustus/agu september oktober november desember",
	/* ar */ "يناير فبراير/شباط مارس/آذار أبريل/ابريل/نيسان مايو/أيار يونيو/حزيران يوليو/تموز أغسطس/اغسطس/آب " +
		"سبتمبر/أيلول أكتوبر/اكتوبر نوفمبر ديسمبر",
	/* fa */ "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
	/* he */ "בינואר/ינואר בפברואר/פברואר במרץ/מרץ באפריל/אפריל במאי/מאי ביוני/יוני ביולי/יולי באוגוסט/אוגוסט " +
		"בספטמבר/ספטמבר באוקטובר/אוקטובר בנובמבר/נובמבר בדצמבר/דצמבר",
	/* hi */ "जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर " +
		"दिसंबर/दिसम्बर",
	/* th */ "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
}

// months are the numbers of the months by name.
var months = monthNumbers()

// monthNumbers reads the lines. Names that two languages share mean the same month in both.
func monthNumbers() map[string]int {
	all := map[string]int{}
	for _, line := range monthNames {
		for i, names := range strings.Fields(line) {
			for name := range strings.SplitSeq(names, "/") {
				if name != "-" {
					all[name] = i + 1
				}
			}
		}
	}
	return all
}

// monthBegins tells of the first two letters of a word whether a month may begin with them, and so spares most words
// the lookup. Those that are not ASCII are all one.
var monthBegins = func() (begins [1 << 10]bool) {
	for name := range months {
		begins[pair(name)] = true
	}
	return begins
}()

// pair numbers the first two letters of a word, whatever their case.
func pair(word string) int {
	if word[0]|word[1] >= utf8.RuneSelf {
		return 0
	}
	return int(word[0]&31)<<5 | int(word[1]&31)
}

// maxMonthBytes is more than any name of a month has.
const maxMonthBytes = 48

// monthOf is the number of the month that a word names, or 0. It is asked for every word of a text that may be a
// date, so it does not allocate for ASCII.
func monthOf(word string) int {
	word = strings.TrimSuffix(word, ".")
	// No name has a single byte, and few pairs of letters begin one.
	if len(word) < 2 || len(word) > maxMonthBytes || !monthBegins[pair(word)] {
		return 0
	}
	var buf [maxMonthBytes]byte
	for i := range len(word) {
		c := word[i]
		// Other scripts: lower case by Unicode.
		if c >= utf8.RuneSelf {
			return months[strings.ToLower(word)]
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return months[string(buf[:len(word)])]
}
