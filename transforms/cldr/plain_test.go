package cldr_test

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

func TestPlainDate(t *testing.T) {
	for s, want := range map[string]string{
		"3 March 2019":           "3 March 2019",
		"16. 7. 2019":            "16.7.2019",
		"16.\u00a07.\u00a02019":  "16.7.2019",
		"2019. 7. 16.":           "2019-7-16 ",
		"Kapitola 3. 4. část":    "Kapitola 3. 4. část",
		"2019年7月16日":             "2019-7-16 ",
		"2019年 7月 16日":           "2019-7-16 ",
		"2019년 7월 16일":           "2019-7-16 ",
		"令和元年7月16日":              "2019-7-16 ",
		"平成31年4月1日":              "2019-4-1 ",
		"昭和64年1月7日":              "1989-1-7 ",
		"民國108年7月16日":            "2019-7-16 ",
		"中華民國 108 年 7 月 16 日":    "2019-7-16 ",
		"七月 16, 2019":            " july  16, 2019",
		"十二月 1, 2019":            " december  1, 2019",
		"二零一九":                   "二零一九",
		"16 7月 2019":             "16  july  2019",
		"7월 16, 2019":            " july  16, 2019",
		"2019年七月16日":             "2019-7-16 ",
		"2019年7月16日 10時05分":      "2019-7-16  10:05 ",
		"2019年7月16日 3时5分9秒":      "2019-7-16  3:05:09 ",
		"14\u200f/01\u200f/2019": "14/01/2019",
		"१६.७.२०१९":              "16.7.2019",
		"2020/01/02(木) 12:30":    "2020/01/02  12:30",
		"2020年1月2日（木）":           "2020-1-2  ",
		"2020년 1월 2일(목)":         "2020-1-2  ",
		"2020-1-2（周四）12:30":      "2020-1-2 12:30",
		"2020/1/2(木曜日)":          "2020/1/2 ",
		"8:20 p. m.":             "8:20 pm",
		"version 1. 2. 3":        "version 1. 2. 3",
	} {
		if got := cldr.PlainDate(s); got != want {
			t.Errorf("PlainDate(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestDayHalf(t *testing.T) {
	for _, tt := range []struct {
		word, language string
		want           int
	}{
		{"a.m.", "", 1},
		{"pm", "", 2},
		{"ch", "vi", 2},
		{"ch", "de", 0},
		{"sa", "vi", 1},
		{"sa", "de", 0},
		{"μ.μ.", "el", 2},
		{"م", "ar", 2},
		{"du.", "hu", 2},
		{"du", "fr", 0},
		{"ös", "tr", 2},
		{"m", "", 0},
		{"", "", 0},
	} {
		if got := cldr.DayHalf(tt.word, tt.language); got != tt.want {
			t.Errorf("DayHalf(%q, %q) = %d, want %d", tt.word, tt.language, got, tt.want)
		}
	}
}
