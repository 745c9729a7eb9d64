package pagemeta

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// TestParseDateIn_forms: dates in the formats of locales.
func TestParseDateIn_forms(t *testing.T) {
	const day = "2019-07-16"
	for _, tt := range []struct{ in, language, want string }{
		{"16. 7. 2019", "cs", day},
		{"16. 7. 2019.", "sr", day},
		{"úterý 16. 7. 2019 v 10:20", "cs", day},
		{"2019. 7. 16.", "ko", day},
		{"2019. 07. 16. 오후 3:20", "ko", day},
		{"16\u200f/07\u200f/2019", "ar", day},
		{"الثلاثاء 16 يوليو 2019 م", "ar", day},
		{"16 جويلية 2019", "ar", day},
		{"16 يوليوز 2019", "ar", day},
		{"16 בינו׳ 2019", "he", "2019-01-16"},
		{"16 जुल॰ 2019", "hi", day},
		{"16 กรกฎาคม ค.ศ. 2019", "th", day},
		{"2019 ဇူလိုင် 16၊ အင်္ဂါ", "my", day},
		{"16-iyul, 2019", "uz", day},
		{"2019-yil 16-iyul", "uz", day},
		{"2019-ж., 16-июль, шейшемби", "ky", day},
		{"2019 оны 7-р сарын 16", "mn", day},
		{"2019 ഒക്\u200cടോബർ 16", "ml", "2019-10-16"},
		{"16 juill. 2019", "fr", day},
		{"16 Agt 2019", "id", "2019-08-16"},
		{"Thứ 3, 16 thg 7 2019", "vi", day},
		{"2019ko uztailaren 16a", "eu", day},
		{"七月 16, 2019", "zh", day},
		{"16 7月 2019", "ja", day},
		{"令和元年7月16日", "ja", day},
		{"民國108年7月16日", "zh", day},
		{"2019年7月16日 10時20分", "ja", day},
		{"1. 2. 3", "cs", ""},
		{"七月 2019", "zh", ""},
	} {
		if d, ok := ParseDateIn(tt.in, tt.language); ok != (tt.want != "") || ok && d.Day() != tt.want {
			t.Errorf("ParseDateIn(%q, %q) = %v, %v, want %q", tt.in, tt.language, d, ok, tt.want)
		}
	}
}

// TestParseDateIn_halves: the hour is counted in a half of the day.
func TestParseDateIn_halves(t *testing.T) {
	for _, tt := range []struct {
		in, language string
		hour         int
	}{
		{"16/07/2019 03:20 CH", "vi", 15},
		{"Sa 16.07.2019 10:20", "de", 10},
		{"2019年7月16日 下午3:20", "zh", 15},
		{"2019년 7월 16일 오전 12:20", "ko", 0},
		{"16 julio 2019 3:20 p. m.", "es", 15},
		{"16 Ιουλίου 2019, 3:20 μ.μ.", "el", 15},
		{"16 يوليو 2019 3:20 م", "ar", 15},
		{"16 يوليو 2019 م 3:20", "ar", 3},
		{"July 16, 2019 12:20 PM", "en", 12},
		{"16 jul de 2019 3:20", "es", 3},
	} {
		if d, ok := ParseDateIn(tt.in, tt.language); !ok || d.Time.Hour() != tt.hour {
			t.Errorf("ParseDateIn(%q, %q) = %v, %v, want hour %d", tt.in, tt.language, d.Time, ok, tt.hour)
		}
	}
}

func TestParseDate(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2024-01-31", "2024-01-31"},
		{" 2024-1-3 ", "2024-01-03"},
		{"5 février 2024 à 10 h 30", "2024-02-05"},
		{"5 février 2024 à 10 h 30 UTC", "2024-02-05T10:30:00Z"},
		{"5 février 2024 à 10 h 30 min CET", "2024-02-05T10:30:00+01:00"},
		{"5. Februar 2024, 10 Uhr", "2024-02-05"},
		{"5 februari 2024 10 uur", "2024-02-05"},
		{"5 февраля 2024, 10 часов UTC", "2024-02-05T10:00:00Z"},
		{"March 5, 2024 10 PM UTC", "2024-03-05T22:00:00Z"},
		{"March 5, 2024, 10 a.m. EST", "2024-03-05T10:00:00-05:00"},
		{"March 5, 2024 at 10", ""},
		{"March 5, 2024 10 of them", ""},
		{"March 5, 2024 10 pages", ""},
		{"March 5, 2024 25 h", ""},
		{"March 5, 2024 10 h 75", ""},
		{"March 5, 2024 10:30 10 h", ""},
		{"5 febrero 2024 10:00h", "2024-02-05"},
		{"5 febrero 2024 10:00 hs", "2024-02-05"},
		{"5 febrero 2024 10.00h", "2024-02-05"},
		{"5 febrero 2024 10:00hrs. UTC", "2024-02-05T10:00:00Z"},
		{"5 februari 2024 10:00u", "2024-02-05"},
		{"5 februari 2024 10u30 CET", "2024-02-05T10:30:00+01:00"},
		{"5. Februar 2024 10:00Uhr", "2024-02-05"},
		{"5. Februar 2024 10.30Uhr MEZ", "2024-02-05"},
		{"5 février 2024 10h30min", "2024-02-05"},
		{"5 février 2024 10h UTC", "2024-02-05T10:00:00Z"},
		{"5 февраля 2024 10:00ч.", "2024-02-05"},
		{"5 February 2024 10:00x", ""},
		{"5 February 2024 10.0h", ""},
		{"2024/01/31", "2024-01-31"},
		{"2024.01.31.", "2024-01-31"},
		{"20240131", "2024-01-31"},
		{"20240131T101500Z", "2024-01-31T10:15:00Z"},
		{"2024-01-31T10:15:00Z", "2024-01-31T10:15:00Z"},
		{"2024-01-31T10:15:00.123456+01:00", "2024-01-31T10:15:00+01:00"},
		{"2024-01-31t23:15:00-0500", "2024-01-31T23:15:00-05:00"},
		{"2024-01-31T10:15Z", "2024-01-31T10:15:00Z"},
		{"2024-01-31T10:15:00", "2024-01-31"},
		{"2024-01-31 10:15:00 +0200", "2024-01-31T10:15:00+02:00"},
		{"2024-01-31 10:15:00 UTC", "2024-01-31T10:15:00Z"},
		{"2024-01-31T00:00:00+01:00", "2024-01-31"},
		{"2024-01-31T00:00:00Z", "2024-01-31T00:00:00Z"},
		{"2024-02-29T23:59:60Z", "2024-02-29T23:59:59Z"},
		{"Mon, 10 Mar 2014 08:00:00 GMT", "2014-03-10T08:00:00Z"},
		{"Mon, 10 Mar 2014 08:00:00 -0500", "2014-03-10T08:00:00-05:00"},
		{"10 Mar 14 08:00 EST", "2014-03-10T08:00:00-05:00"},
		{"10 Mar 14 08:00 SGT", "2014-03-10T08:00:00+08:00"},
		{"10 Mar 14 08:00 NPT", "2014-03-10T08:00:00+05:45"},
		{"10 Mar 14 08:00 AST", "2014-03-10T08:00:00-04:00"},
		{"10 Mar 14 08:00 IST", "2014-03-10"},
		{"Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"},
		{"Sun Nov  6 08:49:37 1994", "1994-11-06"},
		{"Sun Nov 6 08:49:37 UTC 1994", "1994-11-06T08:49:37Z"},
		{"Mon Mar 10 2014 08:00:00 GMT+0100 (Central European Time)", "2014-03-10T08:00:00+01:00"},
		{"March 3, 2024", "2024-03-03"},
		{"Mar. 3rd, 2024 4:05 p.m.", "2024-03-03"},
		{"3 March 2024 at 12:05 am EST", "2024-03-03T00:05:00-05:00"},
		{"Mar 3, 2024 4PM PST", "2024-03-03T16:00:00-08:00"},
		{"03-Mar-2024", "2024-03-03"},
		{"3. März 2024", "2024-03-03"},
		{"lunes, 3 de marzo de 2024", "2024-03-03"},
		{"1er février 2024", "2024-02-01"},
		{"31.12.2024", "2024-12-31"},
		{"12/31/2024", "2024-12-31"},
		{"05/05/2024", "2024-05-05"},
		{"Tue, 12/31/2024 - 11:38", "2024-12-31"}, // Drupal
		{"2024年12月3日 10:15", "2024-12-03"},
		{"2024년 3월 5일", "2024-03-05"},
		{"1395705600", "2014-03-25T00:00:00Z"},
		{"1395705600123", "2014-03-25T00:00:00Z"},

		{"", ""},
		{"03.04.2024", "2024-04-03"}, // with dots the day comes first
		{"3.4.2024.", "2024-04-03"},
		{"12.31.2024", "2024-12-31"},
		{"10 квітень 2013", "2013-04-10"},
		{"08 Сентябрь 2013", "2013-09-08"},
		{"8 верасень 2013", "2013-09-08"},
		{"22. čec 2013", "2013-07-22"},
		{"22. červenec 2013", "2013-07-22"},
		{"22 Ιούλιος 2013", "2013-07-22"},
		{"22. srpnja 2013.", "2013-07-22"},
		{"2013 m. liepos 22 d.", "2013-07-22"},
		{"22 de juliol de 2013", "2013-07-22"},
		{"22. juuli 2013", "2013-07-22"},

		{"1.2.10", ""},     // a version
		{"03/04/2024", ""}, // it is ambiguous
		{"2024", ""},
		{"2024-01", ""},
		{"March 2024", ""},
		{"3 March", ""},
		{"2024-02-30", ""},
		{"2024-13-01", ""},
		{"0001-01-01T00:00:00", ""},
		{"1970-01-01T00:00:00Z", ""},
		{"9999-12-31", ""},
		{"2024-01-31T25:00:00Z", ""},
		{"yesterday", ""},
		{"10:15", ""},
		{"T", ""},
		{"-", ""},
		{"1.", ""},
		{"--//..", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			d, ok := ParseDate(tt.in)
			got := ""
			if ok {
				got = d.String()
			}
			if got != tt.want {
				t.Errorf("ParseDate(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFindDate(t *testing.T) {
	tests := []struct {
		in    string
		order order
		want  string
	}{
		{"By Ada Byron | March 3, 2024 | 5 min read", orderUnknown, "2024-03-03"},
		{"Published on 3rd of March 2024 at 10:15", orderUnknown, "2024-03-03"},
		{"Date:2024-03-03", orderUnknown, "2024-03-03"},
		{"5 tips. Dec 12, 2025 10 comments", orderUnknown, "2025-12-12"},
		{"Veröffentlicht am 3. März 2024 um 10 Uhr", orderUnknown, "2024-03-03"},
		{"Publié le 1er février 2024", orderUnknown, "2024-02-01"},
		{"Publicado el 3 de enero de 2024 por Ada", orderUnknown, "2024-01-03"},
		{"Pubblicato il 3 gennaio 2024", orderUnknown, "2024-01-03"},
		{"Publicado em 3 de março de 2024", orderUnknown, "2024-03-03"},
		{"Geplaatst op 3 maart 2024", orderUnknown, "2024-03-03"},
		{"Publicerad 3 maj 2024", orderUnknown, "2024-05-03"},
		{"Udgivet den 3. oktober 2024", orderUnknown, "2024-10-03"},
		{"Julkaistu 3. maaliskuuta 2024", orderUnknown, "2024-03-03"},
		{"Opublikowano 3 października 2024", orderUnknown, "2024-10-03"},
		{"Vydáno 3. září 2024", orderUnknown, "2024-09-03"},
		{"2024. március 5.", orderUnknown, "2024-03-05"},
		{"Publicat la 3 ianuarie 2024", orderUnknown, "2024-01-03"},
		{"Yayın: 3 Ağustos 2024", orderUnknown, "2024-08-03"},
		{"Опубликовано 3 сентября 2024 г.", orderUnknown, "2024-09-03"},
		{"Опубліковано 3 вересня 2024", orderUnknown, "2024-09-03"},
		{"3 Αυγούστου 2024", orderUnknown, "2024-08-03"},
		{"3 Agustus 2024", orderUnknown, "2024-08-03"},
		{"发布时间：2024年12月3日10:15", orderUnknown, "2024-12-03"},
		{"発表2024年12月3日", orderUnknown, "2024-12-03"},
		{"2024년 3월 5일 등록", orderUnknown, "2024-03-05"},
		{"نشر في 3 يناير 2024", orderUnknown, "2024-01-03"},
		{"פורסם ב 3 בינואר 2024", orderUnknown, "2024-01-03"},
		{"3 अगस्त 2024", orderUnknown, "2024-08-03"},
		{"on 3/4/2024", dayFirst, "2024-04-03"},
		{"on 3/4/2024", monthFirst, "2024-03-04"},
		{"on 3/4/24", monthFirst, "2024-03-04"},

		{"on 3/4/2024", orderUnknown, ""},
		{"on 3/4/24", orderUnknown, ""},
		{"2 days ago", orderUnknown, ""},
		{"March 2024, 15 comments", orderUnknown, ""},
		{"January 5 at 10:30", orderUnknown, ""},
		{"page 12 of 2024 results", orderUnknown, ""},
		{"10 Recipes for May 2024", orderUnknown, ""},
		{"version 1.2.2024-beta", orderUnknown, ""},
		{"#2024-03-03", orderUnknown, ""},
		{"31 February 2024", orderUnknown, ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got := ""
			if d, _, _, ok := findDate(tt.in, locale{order: tt.order}); ok {
				got = d.String()
			}
			if got != tt.want {
				t.Errorf("findDate(%q, %d) = %q, want %q", tt.in, tt.order, got, tt.want)
			}
		})
	}
}

// These are dates as pages in the languages of CLDR show them; each is the 16th of August 2019.
func TestFindDate_languages(t *testing.T) {
	const day = "2019-08-16"
	tests := []struct{ in, language, want string }{
		{"16. ágúst 2019", "is", day},
		{"16 tháng 8, 2019", "vi", day},
		{"Thứ Sáu, ngày 16 tháng 8 năm 2019", "vi", day},
		{"16 Tháng Tám, 2019", "vi", day},
		{"16 tháng mười một, 2019", "vi", "2019-11-16"},
		{"16 สิงหาคม 2562", "th", day},
		{"เผยแพร่ 16 ส.ค. 2562 10:20", "", day},
		{"๑๖ สิงหาคม พ.ศ. ๒๕๖๒", "th", day},
		{"16/08/2562", "th", day},
		{"16 gusht 2019", "sq", day},
		{"16 d’agost de 2019", "ca", day},
		{"16 agost 2019", "ca", day},
		{"১৬ আগস্ট ২০১৯", "bn", day},
		{"১৬ আগস্ট, ২০১৯", "", day},
		{"١٦ أغسطس ٢٠١٩", "ar", day},
		{"۱۶ اوت ۲۰۱۹", "fa", day},
		{"۲۰۱۹/۰۸/۱۶", "fa", day},
		{"१६ अगस्त २०१९", "hi", day},
		{"१६ ऑगस्ट, २०१९", "mr", day},
		{"16 ஆகஸ்ட், 2019", "ta", day},
		{"16 ఆగస్టు, 2019", "te", day},
		{"16 ಆಗಸ್ಟ್ 2019", "kn", day},
		{"16 ઑગસ્ટ, 2019", "gu", day},
		{"2019 නිකිණි 16", "si", day},
		{"2019 අගෝස්තු 16", "si", day},
		{"16 ઓગસ્ટ, 2019", "gu", day},
		{"16 августи 2019", "tg", day},
		{"16 Tebax 2019", "ku", day},
		{"16 d'avust 2019", "rm", day},
		{"16 Lùnastal 2019", "gd", day},
		{"la 16-an de aŭgusto 2019", "eo", day},
		{"2019 оны 08 сарын 16", "mn", day},
		{"2019 оны 8-р сарын 16", "mn", day},
		{"2019 жылғы 16 тамыз", "kk", day},
		{"16 آب/أغسطس 2019", "ar", day},
		{"16 أغسطس/ آب 2019", "ar", day},
		{"16 ng Agosto, 2019", "fil", day},
		{"二〇一九年八月十六日", "zh", day},
		{"ថ្ងៃទី16 ខែសីហា ឆ្នាំ2019", "km", day},
		{"၁၆ ဩဂုတ် ၂၀၁၉", "my", day},
		{"16 აგვისტო, 2019", "ka", day},
		{"2019 წლის 16 აგვისტო", "ka", day},
		{"16 օգոստոսի, 2019", "hy", day},
		{"16 тамыз 2019", "kk", day},
		{"16 avqust 2019", "az", day},
		{"16 Agosti 2019", "sw", day},
		{"2019(e)ko abuztuaren 16(a)", "eu", day},
		{"Agosto 16, 2019", "fil", day},
		{"2019. gada 16. augusts", "lv", day},
		{"2019 m. rugpjūčio 16 d.", "lt", day},
		{"２０１９年８月１６日", "ja", day},
		{"2019-Aug-16", "", day},
		{"2019-août-16", "fr", day},
		{"16 avg. 2019", "sl", day},
		{"16 kolovoza 2019", "hr", day},
		{"mar. 16 août 2019", "fr", day}, // not March
		{"vendredi 16 août 2019", "fr", day},
		{"16 listopada 2019", "hr", "2019-10-16"},
		{"16 listopada 2019", "pl", "2019-11-16"},
		{"16 listopada 2019", "", ""}, // it is ambiguous
		{"16 ira 2019", "", ""},
		{"16 ira 2019", "eu", "2019-09-16"},
	}
	for _, tt := range tests {
		got := ""
		if d, _, _, ok := findDate(tt.in, locale{language: tt.language}); ok {
			got = d.String()
		}
		if got != tt.want {
			t.Errorf("findDate(%q, %q) = %q, want %q", tt.in, tt.language, got, tt.want)
		}
	}
}

func TestDayOrder(t *testing.T) {
	tests := []struct {
		lang, host string
		want       order
	}{
		{"de", "example.com", dayFirst},
		{"en-GB", "example.com", dayFirst},
		{"en_US", "example.com", monthFirst},
		{"en-US", "example.co.uk", orderUnknown},
		{"en", "example.gov", monthFirst},
		{"en", "example.com.au", dayFirst},
		{"en", "example.com", orderUnknown},
		{"en", "example.io", orderUnknown},
		{"", "example.fr", dayFirst},
		{"ja", "example.jp", orderUnknown},
		{"", "", orderUnknown},
	}
	for _, tt := range tests {
		if got := dayOrder(tt.lang, tt.host); got != tt.want {
			t.Errorf("dayOrder(%q, %q) = %d, want %d", tt.lang, tt.host, got, tt.want)
		}
	}
}

func FuzzFindDate(f *testing.F) {
	for _, s := range []string{
		"By Ada | March 3, 2024 | x", "发布时间：2024年12月3日10:15", "on 3/4/24", "1.Mar-2-2024 x",
		"Date:2024-1-1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, o := range []order{orderUnknown, dayFirst, monthFirst} {
			d, before, after, ok := findDate(s, locale{order: o})
			if !ok {
				continue
			}
			if len(before)+len(after) >= len(cldr.PlainDate(s)) {
				t.Errorf("findDate(%q) leaves %q and %q of it", s, before, after)
			}
			if again, ok := ParseDate(d.String()); !ok || again.String() != d.String() {
				t.Errorf("findDate(%q) = %s, which reads as %s (%v)", s, d, again, ok)
			}
		}
	})
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{
		"2024-01-31T10:15:00.1+01:00", "Mon, 10 Mar 2014 08:00:00 GMT", "3 March 24 4:05 p.m.",
		"1.Mar-2-2024", "2024年1月3日",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := ParseDate(s)
		if !ok {
			return
		}
		again, ok := ParseDate(d.String())
		if !ok || again.String() != d.String() {
			t.Errorf("ParseDate(%q) = %s, which reads as %s (%v)", s, d, again, ok)
		}
	})
}
