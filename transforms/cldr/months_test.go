package cldr_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// TestMonth_years: all months of languages, in the form that dates have, in any case.
func TestMonth_years(t *testing.T) {
	for language, names := range map[string]string{
		"cs": "ledna února března dubna května června července srpna září října listopadu prosince",
		"el": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου " +
			"Δεκεμβρίου",
		"es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta " +
			"marraskuuta joulukuuta",
		"hu": "január február március április május június július augusztus szeptember október november december",
		"id": "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember",
		"it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"lt": "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
		"nl": "januari februari maart april mei juni juli augustus september oktober november december",
		"pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
		"sv": "januari februari mars april maj juni juli augusti september oktober november december",
		"tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
		"uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
		"hr": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
	} {
		for i, name := range strings.Fields(names) {
			if got := cldr.Month(name, language); got != i+1 {
				t.Errorf("Month(%q, %q) = %d, want %d", name, language, got, i+1)
			}
			upper := strings.ToUpper(name)
			if language == "tr" {
				upper = strings.ToUpper(strings.ReplaceAll(name, "i", "İ"))
			}
			if got := cldr.Month(upper, language); got != i+1 {
				t.Errorf("Month(%q, %q) = %d, want %d", upper, language, got, i+1)
			}
			// A language that is not known decides nothing.
			if got := cldr.Month(name, "xx"); got != 0 && got != i+1 {
				t.Errorf("Month(%q) = %d, want %d or 0", name, got, i+1)
			}
		}
	}
}
