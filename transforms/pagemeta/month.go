package pagemeta

import (
	"strings"
	"unicode/utf8"
)

// monthNames are the names of the months, a language a line, in the case that stands in dates; / separates other
// names and abbreviations. A word that means two months in two languages is left out: Croatian listopad is October,
// Polish and Czech listopadu is November. Within a line names stand in the order of the months, twelve fields each;
// TestMonthNames holds them to that.
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
	/* pt */ "janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro/out novembro dezembro",
	/* nl */ "januari februari maart/mrt april mei juni juli augustus september oktober november december",
	/* sv */ "januari februari mars april maj juni juli augusti september oktober november december",
	/* da no */ "januar februar marts/mars april maj/mai juni juli august september oktober november december/des",
	/* fi */ "tammikuuta/tammikuu helmikuuta/helmikuu maaliskuuta/maaliskuu huhtikuuta/huhtikuu toukokuuta/toukokuu " +
		"kesäkuuta/kesäkuu heinäkuuta/heinäkuu elokuuta/elokuu syyskuuta/syyskuu lokakuuta/lokakuu marraskuuta/marraskuu " +
		"joulukuuta/joulukuu",
	/* pl */ "stycznia/styczeń/sty lutego/luty/lut marca/marzec kwietnia/kwiecień/kwi maja czerwca/czerwiec/cze " +
		"lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz października/październik/paź listopada/listopad " +
		"grudnia/grudzień/gru",
	/* cs sk */ "ledna/januára února/februára března/marca dubna/apríla května/mája června/júna července/júla " +
		"srpna/augusta září/septembra října/októbra listopadu/novembra prosince/decembra",
	/* hu */ "január február március április május június július augusztus szeptember október november december",
	/* ro */ "ianuarie/ian februarie martie aprilie mai iunie iulie august septembrie octombrie/oct noiembrie decembrie",
	/* tr */ "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
	/* ru */ "января/янв февраля/фев/февр марта/мар апреля/апр мая июня/июн июля/июл августа/авг сентября/сен/сент " +
		"октября/окт ноября/ноя/нояб декабря/дек",
	/* uk */ "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
	/* bg */ "януари февруари март април май юни юли август септември октомври ноември декември",
	/* el */ "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου " +
		"δεκεμβρίου",
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
				all[name] = i + 1
			}
		}
	}
	return all
}

// maxMonthBytes is more than any name of a month has.
const maxMonthBytes = 48

// monthOf is the number of the month that a word names, or 0. It is asked for every word of a text that may be a
// date, so it does not allocate for ASCII.
func monthOf(word string) int {
	word = strings.TrimSuffix(word, ".")
	// No name has a single byte.
	if len(word) < 2 || len(word) > maxMonthBytes {
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
