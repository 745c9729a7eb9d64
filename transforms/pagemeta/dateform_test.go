package pagemeta

import "testing"

// TestParseDateIn_joined: numbers and their words without a space between, and East Asian dates with spaces.
func TestParseDateIn_joined(t *testing.T) {
	for _, tt := range []struct{ in, language, want string }{
		{"9 мая 2018г.", "ru", "2018-05-09"},
		{"09.05.2018г. 12:40", "ru", "2018-05-09"},
		{"9 травня 2018р.", "uk", "2018-05-09"},
		{"9 верес. 2018", "uk", "2018-09-09"},
		{"9 ян 2018г.", "bg", "2018-01-09"},
		{"2018ж. 9 мамыр", "kk", "2018-05-09"},
		{"9 maja 2018r.", "pl", "2018-05-09"},
		{"09.05.2018r., 12:40", "pl", "2018-05-09"},
		{"2018m. gegužės 9d.", "lt", "2018-05-09"},
		{"2018.gada 9.maijā", "lv", "2018-05-09"},
		{"9 مئی 2018ء", "ur", "2018-05-09"},
		{"2018 оны 5 сарын 9", "mn", "2018-05-09"},
		{"2018 оны 05 сарын 09-нд", "mn", "2018-05-09"},
		{"৯ই মে ২০১৮", "bn", "2018-05-09"},
		{"২রা ফেব্রুয়ারী ২০১৮", "bn", "2018-02-02"},
		{"৯ আগষ্ট ২০১৮", "bn", "2018-08-09"},
		{"1.º de mayo de 2018", "es", "2018-05-01"},
		{"1ro de mayo de 2018", "es", "2018-05-01"},
		{"1.º de maio de 2018", "pt", "2018-05-01"},
		{"1° maggio 2018", "it", "2018-05-01"},
		{"1r de maig de 2018", "ca", "2018-05-01"},
		{"2e mai 2018", "fr", "2018-05-02"},
		{"9η Μαΐου 2018", "el", "2018-05-09"},
		{"2018. május 1-jén", "hu", "2018-05-01"},
		{"2018年 5月 9日", "zh", "2018-05-09"},
		{"2018 年 5 月 9 日 12 时 40 分", "zh", "2018-05-09"},
		{"2018 年\u00a005 月\u00a009 日", "ja", "2018-05-09"},
		{"2018 년 5 월 9 일", "ko", "2018-05-09"},
		{"2018년 5월 9일 수요일 오후 3시 20분", "ko", "2018-05-09"},
		{"9 mai 2018mm", "de", ""},
		{"2e mei 2018", "nl", "2018-05-02"},
		{"la 9-a de majo 2018", "eo", "2018-05-09"},
		{"3D November 2016", "en", ""},
		{"3D 2016 lapkričio", "lt", ""},
		{"12e May 2018", "en", ""},
		{"12r May 2018", "en", ""},
		{"12d May 2018", "en", ""},
		{"1234r", "pl", ""},
	} {
		if d, ok := ParseDateIn(tt.in, tt.language); ok != (tt.want != "") || ok && d.Day() != tt.want {
			t.Errorf("ParseDateIn(%q, %q) = %v, %v, want %q", tt.in, tt.language, d, ok, tt.want)
		}
	}
}

// TestParseDate_machine: forms that programs write.
func TestParseDate_machine(t *testing.T) {
	const local, zoned = "2018-05-09", "2018-05-09T12:40:30+02:00"
	for in, want := range map[string]string{
		"2018-05-09+02:00":              local,
		"2018-05-09-0500":               local,
		"2018-05-09Z":                   local,
		"2018-05-09CEST12:40:30+02:00":  zoned,
		"2018-05-09EET12:40:30+0200":    zoned,
		"2018-05-09+0212:40:30+02:00":   zoned,
		"2018-05-09UTC12:40:30+00:00":   "2018-05-09T12:40:30Z",
		"2018-05-09T12:40:30:250+02:00": zoned,
		"2018:05:09 12:40:30+02:00":     zoned,
		"2018:05:09":                    local,
		"20180509124030":                local,
		"201805091240":                  local,
		"20180509124030+0200":           zoned,
		"20180509124030Z":               "2018-05-09T12:40:30Z",
		"2018-05-09ABC":                 "",
		"2018-05-09-05":                 "",
		"20181309124030":                "",
		"20180509254030":                "",
		"123456789012":                  "",
		// As seconds these are days in 2033, 2034 and 2035.
		"2018050912": "",
		"2031123123": "",
		"2050129912": "2034-12-19T08:31:52Z",
		"1525862430": "2018-05-09T10:40:30Z",
	} {
		d, ok := ParseDate(in)
		if ok != (want != "") || ok && d.String() != want {
			t.Errorf("ParseDate(%q) = %v, %v, want %q", in, d, ok, want)
		}
	}
	// In running text long numbers are not dates, and neither are lengths.
	for in, want := range map[string]string{
		"order 20180509124030 of yours": "", "2000m 9 May 2018": "2018-05-09",
		"Model 2018r 9 May 2019": "2019-05-09", "Doctor Strange 3D November 2016": "", "a 3D April 2019 issue": "",
		"Vol. 12e May 2018": "",
	} {
		if d, _, _, ok := findDate(in, locale{}); ok != (want != "") || ok && d.Day() != want {
			t.Errorf("findDate(%q) = %v, %v, want %q", in, d, ok, want)
		}
	}
}

// A number after a month is a day only with its sign, at an end, or before a clock time.
func TestFindDate_eastAsianDays(t *testing.T) {
	for in, want := range map[string]string{
		"発売日：2024年5月 3,000円":       "",
		"2019年7月 12 巻":             "",
		"2019年7月 12巻 発売":           "",
		"2024年 5月 20 周年":           "",
		"2019年7月 2020年8月":          "",
		"2024년 5월 3,000원":          "",
		"2024년 5월 12 권 발행":         "",
		"2019年 7月 16 10:30":        "2019-07-16",
		"2019年7月16 10時05分":         "2019-07-16",
		"更新 2019年 7月 16":           "2019-07-16",
		"2019년 7월 16 | 조회 3":       "2019-07-16",
		"2019년 7월 16 오전 9:30":      "2019-07-16",
		"2019年7月 12日 3,000円":       "2019-07-12",
		"2024年5月 3,000円 2024年6月1日": "2024-06-01",
	} {
		got := ""
		if d, _, _, ok := findDate(in, locale{}); ok {
			got = d.String()
		}
		if got != want {
			t.Errorf("findDate(%q) = %q, want %q", in, got, want)
		}
	}
}
