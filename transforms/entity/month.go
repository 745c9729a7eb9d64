package entity

import "strings"

// maxMonth bounds the bytes of a month's name, with room for the longest, φεβρουαρίου.
const maxMonth = 24

// months are the names of the months, in lower case and in the forms that dates use, of 24 languages together: nobody
// knows in which one a date in a list is written, and no name stands for two months except in Croatian.
var months = func() map[string]int {
	lists := []string{
		"january february march april may june july august september october november december", // en
		"jan feb mar apr may jun jul aug sep oct nov dec",
		"januar februar märz april mai juni juli august september oktober november dezember", // de
		"jänner feber mrz apr mai jun jul aug sept okt nov dez",
		"januar februar marts april maj juni juli august september oktober november december", // da, sl
		"januar februar mars april mai juni juli august september oktober november desember",  // nb, nn
		"januari februari mars april maj juni juli augusti september oktober november december",
		"januari februari maart april mei juni juli augustus september oktober november december", // nl
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"janv févr mars avr mai juin juil août sept oct nov déc",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", // es
		"ene feb mar abr may jun jul ago set oct nov dic",
		"gener febrer març abril maig juny juliol agost setembre octubre novembre desembre", // ca
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"gen feb mar apr mag giu lug ago set ott nov dic",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", // pt
		"jan fev mar abr mai jun jul ago set out nov dez",
		"ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie", // ro
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"ledna února března dubna května června července srpna září října listopadu prosince", // cs
		"januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря", // ru
		"січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
		"януари февруари март април май юни юли август септември октомври ноември декември", // bg
		"tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta " +
			"marraskuuta joulukuuta",
		"január február március április május június július augusztus szeptember október november december", // hu
		"ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",                        // tr
		"ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
		"januari februari maret april mei juni juli agustus september oktober november desember", // id
	}
	m := map[string]int{}
	for _, list := range lists {
		for i, name := range strings.Fields(list) {
			m[name] = i + 1
		}
	}
	return m
}()

// croatianMonths are the names of Croatian months, some of which are other months in Polish and Czech.
var croatianMonths = func() map[string]int {
	m := map[string]int{}
	for i, name := range strings.Fields("siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada " +
		"studenoga prosinca") {
		m[name] = i + 1
	}
	return m
}()
