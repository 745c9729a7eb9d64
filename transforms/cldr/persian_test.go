package cldr_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// TestPlainDate_persian: the dates are those of the calendars of ICU.
func TestPlainDate_persian(t *testing.T) {
	for s, want := range map[string]string{
		"۱۲ خرداد ۱۴۰۴":          "2025-06-02 ",
		"12 خرداد ماه 1404":      "2025-06-02 ",
		"پنجشنبه، ۲۲ خرداد ۱۴۰۴": "پنجشنبه، 2025-06-12 ",
		"۱ فروردین ۱۴۰۳":         "2024-03-20 ",
		"۳۰ اسفند ۱۴۰۳":          "2025-03-20 ",
		"۲۹ اسفند ۱۳۹۸":          "2020-03-19 ",
		"۱۵ سرطان ۱۴۰۲":          "2023-07-06 ", // Dari
		"۱۱ دلو ۱۴۰۱":            "2023-01-31 ",
		"۱ مهر ۱۳۸۰":             "2001-09-23 ",
		"5 وری 1403":             "2024-03-24 ", // Pashto
		"۱۴۰۴/۰۳/۱۲":             "2025-06-02 ",
		"۱۴۰۴-۳-۱۲":              "2025-06-02 ",
		"1404/03/12 10:15":       "2025-06-02  10:15",
		"1369/10/11":             "1991-01-01 ",
		"1404-03-12":             "1404-03-12", // may be of the Middle Ages
		"1404/13/12":             "1404/13/12",
		"۳۰ اسفند ۱۴۰۴":          "30 اسفند 1404", // not a leap year
		"1445/05/12":             "1445/05/12",    // of the Islamic calendar
		"version 1400/2":         "version 1400/2",
		"12 March 1404":          "12 March 1404",
		"٢٠٢٥/٠٦/٠٢":             "2025/06/02",
		"از ۱ تیر ۱۴۰۰ تا ۳۱ تیر ۱۴۰۰.": "از 2021-06-22  تا 2021-07-22 .",
	} {
		if got := cldr.PlainDate(s); got != want {
			t.Errorf("PlainDate(%q) = %q, want %q", s, got, want)
		}
	}
}
