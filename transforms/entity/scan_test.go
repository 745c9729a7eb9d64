package entity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found returns the results of the scanner, as "type text → id".
func found(text, language, url string) []string {
	var lines []string
	for _, e := range Extract(Input{Text: text, Language: language, URL: url}, Options{}) {
		if e.Source != sourcePattern {
			continue
		}
		line := e.Type + " " + e.Text
		if e.ID != "" && e.ID != e.Text {
			line += " → " + e.ID
		}
		lines = append(lines, line)
	}
	return lines
}

// Programs have versions with a year.
func TestExtract_versionsAreNotDates(t *testing.T) {
	for _, tt := range []struct{ text, language, want string }{
		{"version 2020.3.4 is out", "en", ""},
		{"version 2020.03.04 is out", "en", ""},
		{"with IntelliJ IDEA 2022.1.3 and", "en", ""},
		{"with Home Assistant 2023.12.1 and", "en", ""},
		{"mit Home Assistant 2023.12.1 und", "de", ""},
		{"v2021.4.5", "en", ""},
		{"última versión 2021.12.10", "es", ""},
		{"版本 Unity 2021.3.4 发布", "zh", ""},
		{"安装 IntelliJ IDEA 2022.1.3 激活", "zh", ""},
		{"安装pycharm 2021.3.1 教程", "zh", ""},
		{"DataGrip 2021.3.4 を使う", "ja", ""},
		{"Home Assistant 2023.12.1 설치", "ko", ""},
		{"Ver. 2021.3.4 を公開", "ja", ""},
		{"Firmware: 2021.03.04", "en", ""},
		{"Chapter 2021.3.4", "ja", ""},
		{"Version 01.02.2021", "de", ""},
		{"Kapitel 1.2.2021", "de", ""},
		{"on 2020.03.04 and", "en", "2020-03-04"},
		{"on 2020.12.10 and", "en", "2020-12-10"},
		{"version of 2020-03-04", "en", "2020-03-04"},
		{"on 2020/3/4 and", "en", "2020-03-04"},
		{"発売日 2020.3.4 です", "ja", "2020-03-04"},
		{"작성일 2020.3.4 입니다", "ko", "2020-03-04"},
		{"日期：2020.3.4", "zh", "2020-03-04"},
		{"NEWS RELEASE 2021.03.04", "ja", "2021-03-04"},
		{"Press Release 2021.03.04", "en", "2021-03-04"},
		{"Release: 2021.03.04", "ko", "2021-03-04"},
		{"Release 2021.3.4", "ja", "2021-03-04"},
		{"Article 2021.03.04", "zh", "2021-03-04"},
		{"Rev. 2021.03.04", "ja", "2021-03-04"},
		{"NEWS 2021.3.4", "ja", "2021-03-04"},
		{"Update 2021.3.4", "ko", "2021-03-04"},
		{"INFO 2021.3.4", "zh", "2021-03-04"},
		{"by admin 2021.3.4", "zh", "2021-03-04"},
		{"작성자 hong 2021.3.4", "ko", "2021-03-04"},
		{"LIVE DVD 2021.3.4 発売", "ja", "2021-03-04"},
		{"Release: 21.03.2021", "de", "2021-03-21"},
		{"Urteil v. 21.03.2021", "de", "2021-03-21"},
		{"BGH, Urt. v. 3.4.2021 - I ZR 1/20", "de", "2021-04-03"},
		{"Beschluss v.\u00a021.3.2021", "de", "2021-03-21"},
		{"Treiber v3.4.2021", "de", ""},
		{"Treiber Version 3.4.2021", "de", ""},
		{"driver v. 3.4.2021", "fr", ""},
		{"Pressemitteilung, Art. 21.03.2021", "de", "2021-03-21"},
		{"Press release 3.4.2021", "de", "2021-04-03"},
		{"Article 21/03/2021", "fr", "2021-03-21"},
		{"Budapest, 2020. 3. 4.", "hu", "2020-03-04"},
		{"Kelt 2020.3.4", "hu", "2020-03-04"},
	} {
		got := ""
		for _, e := range Extract(Input{Text: tt.text, Language: tt.language}, Options{}) {
			if e.Type == typeDate {
				got += e.ID
			}
		}
		if got != tt.want {
			t.Errorf("%q (%s): date %q, want %q", tt.text, tt.language, got, tt.want)
		}
	}
}

func TestExtract_patterns(t *testing.T) {
	tests := []struct {
		name, text, language, url string
		want                      []string
	}{
		{name: "nothing", text: "The train arrived late, as it often does."},

		{name: "e-mail", text: "Write to John.Doe+news@Example.co.uk, please.", want: []string{
			"email John.Doe+news@Example.co.uk → john.doe+news@example.co.uk",
		}},
		{
			name: "e-mail in brackets and quotes", text: "<a_b@example.org> 'c@example.com' mailto:d@example.net.",
			want: []string{
				"email a_b@example.org", "email c@example.com", "email d@example.net",
			},
		},
		{
			name: "e-mail with an ampersand",
			text: "R&D@Company.com, Q&A@example.org; B&B@example.org x=B&a.b@example.org",
			want: []string{
				"email R&D@Company.com → r&d@company.com", "email Q&A@example.org → q&a@example.org",
				"email B&B@example.org → b&b@example.org", "email B&a.b@example.org → b&a.b@example.org",
			},
		},
		{
			name: "e-mail after an ampersand", text: "&me@example.org a&&b@example.org c@example.org&d@example.org",
			want: []string{
				"email me@example.org", "email b@example.org", "email c@example.org", "email d@example.org",
			},
		},
		{name: "e-mail with other signs", text: "user!host@example.org room#1@example.org {x}.y@example.org a?b@example.org"},
		{name: "e-mail as a value", text: "mail=me@example.org Hello! you@example.org", want: []string{
			"email me@example.org", "email you@example.org",
		}},
		{name: "e-mail between Han", text: "请写信至info@example.cn。", want: []string{"email info@example.cn"}},
		{name: "e-mail at github.io", text: "me@name.github.io", want: []string{"email me@name.github.io"}},
		{name: "no e-mail", text: "image@2x.png me@localhost a@b..com user@example.invalid git@github.com:x/y"},

		{
			name: "URL", text: "See (https://Example.org/a_(b)?q=1#top), www.example.com. And ftp://ftp.example.net/x!",
			want: []string{
				"url https://Example.org/a_(b)?q=1#top → https://example.org/a_(b)?q=1#top",
				"url www.example.com → http://www.example.com",
				"url ftp://ftp.example.net/x",
			},
		},
		{name: "URL of an address", text: "http://192.0.2.7:8080/admin", want: []string{"url http://192.0.2.7:8080/admin"}},
		{name: "URL before Han", text: "详见https://example.com/路径。请看", want: []string{"url https://example.com/"}},
		{
			name: "URL with é", text: "https://fr.example.org/wiki/été fini",
			want: []string{"url https://fr.example.org/wiki/été"},
		},
		{name: "e-mail, tag and date in a URL", text: "https://example.org/a@b.com/2020-01-02#tag", want: []string{
			"url https://example.org/a@b.com/2020-01-02#tag",
		}},
		{name: "e-mail in what is no URL", text: "https://user:pass@example.org/x s3://bucket/me@example.org"},
		{name: "no URL", text: "http:// https://.. www.x www.example.invalid xhttp://example.org awww.example.org"},

		{name: "DOI", text: "doi:10.1000/ABC.123(4), (10.5555/12345678).", want: []string{
			"doi 10.1000/ABC.123(4) → 10.1000/abc.123(4)", "doi 10.5555/12345678",
		}},
		{name: "DOI link", text: "https://doi.org/10.1000/Xyz and https://doi.org/about", want: []string{
			"doi https://doi.org/10.1000/Xyz → 10.1000/xyz", "url https://doi.org/about",
		}},
		{name: "no DOI", text: "10.5/7 10.1234 10.12/34 110.1000/abc"},
		{name: "ORCID", text: "0000-0002-1825-0097 https://orcid.org/0000-0001-5109-3700 0000-0002-9079-593X", want: []string{
			"orcid 0000-0002-1825-0097", "orcid https://orcid.org/0000-0001-5109-3700 → 0000-0001-5109-3700",
			"orcid 0000-0002-9079-593X",
		}},
		{name: "no ORCID", text: "0000-0002-1825-0098 1234-0002-1825-0097 0000-0002-1825-00971"},
		{name: "ISBN", text: "ISBN 3-16-148410-X, 978-0-306-40615-7, ISBN-13: 9780306406157", want: []string{
			"isbn 3-16-148410-X → 9783161484100", "isbn 978-0-306-40615-7 → 9780306406157",
		}},
		{name: "no ISBN", text: "0-306-40615-2 978-0-306-40615-8 ISBN 0306406153 97803064061571"},
		{
			name: "ISSN", text: "ISSN 0317-8471, ISSN: 1050-124X; 0317-8471",
			want: []string{"issn 0317-8471", "issn 1050-124X"},
		},

		{name: "IBAN", text: "IBAN DE89 3704 0044 0532 0130 00, NL91ABNA0417164300; " +
			"FR14\u00a02004\u00a01010\u00a00505\u00a00001\u00a03M02\u00a0606", want: []string{
			"iban DE89 3704 0044 0532 0130 00 → DE89370400440532013000", "iban NL91ABNA0417164300",
			"iban FR14\u00a02004\u00a01010\u00a00505\u00a00001\u00a03M02\u00a0606 → FR1420041010050500013M02606",
		}},
		{name: "no IBAN", text: "DE89370400440532013001 DE8937040044053201300 XX89370400440532013000 " +
			"DE893704004405320130001 ADE89370400440532013000 " +
			"DE89  3704 0044 0532 0130 00 de89370400440532013000"},

		{name: "hashtags", text: "#OpenData, (#été) #C4 ##x #日本語", want: []string{
			"hashtag #OpenData → #opendata", "hashtag #été", "hashtag #日本語",
		}},
		{
			name: "hashtags with joiners", text: "#می\u200cخواهم #col·lectiu #ක්\u200dරිකට් (#a·) #ab\u200c #ab· c",
			want: []string{
				"hashtag #می\u200cخواهم", "hashtag #col·lectiu", "hashtag #ක්\u200dරිකට්", "hashtag #ab",
			},
		},
		{name: "no hashtag", text: "#fff #a1b2c3 #1 C# F#m #include <x> a#b /#part #main-nav #menu{ #list.item " +
			"#Space::key &#x27; #"},
		{name: "no hashtag in code", text: "cost = ( #blocks * #records ) + #rows - 1"},
		{name: "no handle in code", text: "@app\n.route()\n@cached\n  def f\n@wrapped\nclass C"},
		{name: "handles", text: "by @Jane_Doe, @user@mastodon.social!", want: []string{
			"handle @Jane_Doe → @jane_doe", "handle @user@mastodon.social",
		}},
		{name: "no handle", text: "@media print @Override @import url @angular/core x@y @5 @a. @prefix @call() @wraps ( f " +
			") @x.service @name = 1 you@"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(tt.text, tt.language, tt.url)); diff != "" {
				t.Errorf("Extract(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestExtract_dates(t *testing.T) {
	tests := []struct {
		text, language, url string
		want                string // identifiers
	}{
		{text: "2020-03-05 2020/3/5, 2020.03.06", want: "2020-03-05 2020-03-06"},
		{text: "on 2020-02-29T10:00:00Z.", want: "2020-02-29"},
		{text: "2019-02-29 2020-13-01 2020-00-10 2020-01-32 0020-01-01"},
		{text: "Tas bija 2020. gada 5. martā Rīgā", want: "2020-03-05"},
		{text: "Tai buvo 2020 m. kovo 5 d. Vilniuje", language: "lt", want: "2020-03-05"},
		{text: "бұл 2020 ж. 5 наурыз күні", language: "kk", want: "2020-03-05"},
		{text: "bu 2020-yil 5-mart kuni, 6-mart, 2021", language: "uz", want: "2020-03-05 2021-03-06"},
		{text: "2020 թ. մարտի 5", language: "hy", want: "2020-03-05"},
		{text: "یہ 5 مارچ، 2020 کو ہوا", language: "ur", want: "2020-03-05"},
		{text: "ngày 5 thg 3, 2020", language: "vi", want: "2020-03-05"},
		{text: "2020ko martxoaren 5 eguna", language: "eu", want: "2020-03-05"},
		{text: "in 2020 5 March is nothing, nor 2020 m. 5", want: ""},
		{text: "2020. 3. 5. 발표, 2021. 03. 06, 2022- 3- 5", want: "2020-03-05 2021-03-06"},
		{text: "5.3.2020, 05.03.2021 und 5. 3. 2022", want: "2020-03-05 2021-03-05 2022-03-05"},
		{text: "01.02.2020-03.02.2020", want: "2020-02-01 2020-02-03"},
		{text: "version 1.2.3.2020, v1.2.2020, 10.2.20201, 1.2.2020.1, 192.168.2020.1"},
		{text: "31/12/2020 12/31/2021 4/4/2022", want: "2020-12-31 2021-12-31 2022-04-04"},
		{text: "3/4/2020", language: "en"},
		{text: "3/4/2020", language: "fr", want: "2020-04-03"},
		{text: "3/4/2020", language: "en", url: "https://example.co.uk/", want: "2020-04-03"},
		{text: "3/4/2020", language: "en", url: "https://example.gov/", want: "2020-03-04"},
		{
			text: "March 3, 2020; 3 March 2021 and Mar. 3rd 2022, 3rd of March, 2023",
			want: "2020-03-03 2021-03-03 2022-03-03 2023-03-03",
		},
		{text: "18-Mar-2024, 3-mai-2021; 21/Dec/2024", want: "2024-03-18 2021-05-03 2024-12-21"},
		{text: "2024-Mar-18, 2024/Mar/19 and 2024-Dec-20T10:00", want: "2024-03-18 2024-03-19 2024-12-20"},
		{text: "Mar-18-2024, Mar/19/2024", want: "2024-03-18 2024-03-19"},
		{text: "18-Mar/2024, 18/Mar-2024, 2024-Mar/18, AB-18-Mar-2024-7, 18-Mar-2024-B, 5-may-20201, 3-march-hares"},
		{text: "March 3 and 2020 people, 30 February 2020, 3 March, May 5"},
		{text: "am 3. März 2020 und 4. Mrz. 2021", want: "2020-03-03 2021-03-04"},
		{text: "le 1er août 1914, 14 juillet 1789", want: "1914-08-01 1789-07-14"},
		{text: "3 de marzo de 2020, 4 de marzo del 2021", want: "2020-03-03 2021-03-04"},
		{text: "3 de março de 2020, 3 d'abril de 2021", want: "2020-03-03 2021-04-03"},
		{text: "5 maggio 1821", want: "1821-05-05"},
		{text: "5 mei 2020 en 6 maart 2020", want: "2020-05-05 2020-03-06"},
		{text: "11 listopada 1918", language: "pl", want: "1918-11-11"},
		{text: "11. listopada 1918.", language: "hr", want: "1918-10-11"},
		{text: "9 мая 1945 г. и 24 серпня 1991", want: "1945-05-09 1991-08-24"},
		{text: "6. joulukuuta 1917", want: "1917-12-06"},
		{text: "2020. március 15.", want: "2020-03-15"},
		{text: "ngày 5 tháng 9 năm 2023, 5 tháng 13 năm 2023", language: "vi", want: "2023-09-05"},
		{text: "5 มีนาคม 2563", language: "th", want: "2020-03-05"},
		{
			text: "15 مارس 2019, 3 მარტი 2020, 3 मार्च 2021, 12 Mawrth 2022, 3 märts 2023, 5 Machi 2024",
			want: "2019-03-15 2020-03-03 2021-03-03 2022-03-12 2023-03-03 2024-03-05",
		},
		{text: "11. listopada 1918.", language: "sr", want: "1918-10-11"},
		{text: "Ord. 2021-07-14-B, L-2022-05-05, section 1.2.2023, 12/3/2022-bis"},
		{text: "29 Ekim 1923", want: "1923-10-29"},
		{text: "25 Μαρτίου 1821", want: "1821-03-25"},
		{text: "17 agustus 1945", want: "1945-08-17"},
		{text: "今日は2020年3月5日です。2020년 3월 6일", want: "2020-03-05 2020-03-06"},
		{text: "Published 3 March 2020 10:15", want: "2020-03-03"},
		{text: "in 2019 March 3, 2020", want: "2020-03-03"},
		{text: "the march 3000 people 12 may 20201"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var ids []string
			for _, e := range Extract(Input{Text: tt.text, Language: tt.language, URL: tt.url}, Options{}) {
				if e.Type == typeDate {
					ids = append(ids, e.ID)
				} else {
					ids = append(ids, e.Type+" "+e.Text)
				}
			}
			if got := strings.Join(ids, " "); got != tt.want {
				t.Errorf("Extract(%q, %q) finds %q, want %q", tt.text, tt.language, got, tt.want)
			}
		})
	}
}

func TestExtract_money(t *testing.T) {
	tests := []struct {
		text, language, url string
		want                []string
	}{
		{text: "$12.50, $ 5 and US$1,234.5 or A$7", want: []string{
			"money $12.50 → USD 12.50", "money $ 5 → USD 5", "money US$1,234.5 → USD 1234.50", "money A$7 → AUD 7",
		}},
		{text: "$7", url: "https://example.com.au/", want: []string{"money $7 → AUD 7"}},
		{text: "€ 1.234,50; 12,50 €, 1.000€ EUR 3", want: []string{
			"money € 1.234,50 → EUR 1234.50", "money 12,50 € → EUR 12.50", "money 1.000€ → EUR 1000", "money EUR 3",
		}},
		{text: "1 234,50 € et 1'234.50 CHF", want: []string{
			"money 1 234,50 € → EUR 1234.50",
			"money 1'234.50 CHF → CHF 1234.50",
		}},
		{text: "£0.99 ₹1,00,000 ¥500", want: []string{
			"money £0.99 → GBP 0.99", "money ₹1,00,000 → INR 100000",
			"money ¥500 → JPY 500",
		}},
		{text: "¥500，100元，3元素", language: "zh", want: []string{"money ¥500 → CNY 500", "money 100元 → CNY 100"}},
		{text: "5000원을 10원칙", want: []string{"money 5000원 → KRW 5000"}},
		{text: "$5 million, $1.5bn, $100k, 2,5 Mio. Euro, 3 млн рублей", want: []string{
			"money $5 million → USD 5000000", "money $1.5bn → USD 1500000000", "money $100k → USD 100000",
			"money 2,5 Mio. Euro → EUR 2500000", "money 3 млн рублей → RUB 3000000",
		}},
		{text: "100 zł, 50 Kč, 20 kr", want: []string{"money 100 zł → PLN 100", "money 50 Kč → CZK 50"}},
		{text: "12 miljoner kronor", language: "sv", want: []string{"money 12 miljoner kronor → SEK 12000000"}},
		{text: "1,3 millones de euros, 12,4 millions d'euros, R$ 1,5 milhão, $1.1 tn", want: []string{
			"money 1,3 millones de euros → EUR 1300000", "money 12,4 millions d'euros → EUR 12400000",
			"money R$ 1,5 milhão → BRL 1500000", "money $1.1 tn → USD 1100000000000",
		}},
		{text: "€ 35,- of €12.– Rp 25.000", want: []string{
			"money € 35,- → EUR 35", "money €12.– → EUR 12",
			"money Rp 25.000 → IDR 25000",
		}},
		{text: "20 kr", language: "sv", want: []string{"money 20 kr → SEK 20"}},
		{text: "500 Ft", language: "hu", want: []string{"money 500 Ft → HUF 500"}},
		{text: "$x $1a 5$x EUR/USD 1.08 6 ft ALL 50 PHP 8.1 $0 US$ 12.345,6.7 1.23.45 €"},
		{text: "10–20 €", want: []string{"money 20 € → EUR 20"}},
		{text: "5 € 7 €", want: []string{"money 5 € → EUR 5", "money 7 € → EUR 7"}},
		{text: "€5 €7", want: []string{"money €5 → EUR 5", "money €7 → EUR 7"}},
		{text: "on 5.3.2020 € 7", want: []string{"date 5.3.2020 → 2020-03-05", "money € 7 → EUR 7"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(tt.text, tt.language, tt.url)); diff != "" {
				t.Errorf("Extract(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestExtract_phones(t *testing.T) {
	tests := []struct {
		text, language, url string
		want                []string
	}{
		{text: "+49 30 901820, +1 (212) 736-5000.", want: []string{
			"phone +49 30 901820 → +4930901820", "phone +1 (212) 736-5000 → +12127365000",
		}},
		{text: "Tel.: 030 901820", language: "de", want: []string{"phone 030 901820 → +4930901820"}},
		{text: "Tel. (030) 9018-20", url: "https://example.de/", want: []string{"phone (030) 9018-20 → +4930901820"}},
		{text: "Tél. 01 40 20 53 17", language: "fr", want: []string{"phone 01 40 20 53 17 → +33140205317"}},
		{
			text: "01\u00a040\u00a020\u00a053\u00a017", language: "fr",
			want: []string{"phone 01\u00a040\u00a020\u00a053\u00a017 → +33140205317"},
		},
		{text: "212-736-5000 or (212) 736-5000", language: "en", want: []string{"phone 212-736-5000 → +12127365000"}},
		{text: "020 7219 3000", url: "https://example.co.uk/", want: []string{"phone 020 7219 3000 → +442072193000"}},
		{text: "電話03-3581-5111", url: "https://example.jp/", want: []string{"phone 03-3581-5111 → +81335815111"}},
		{text: "2127365000 212 736 5000 order 0309018201 no. 1234567890", language: "en"},
		{text: "08.30-17.30 0.1234567 2019 1234 5678 0049 30", language: "de"},
		{text: "192.168.10.100 4111 1111 1111 1111 1234567 +1 +123 +49", language: "en"},
		{
			text: "Teléfono de información: 976 123 456. Pedido: 976 123 457", url: "https://example.es/",
			want: []string{"phone 976 123 456 → +34976123456"},
		},
		{text: "(11) 3456-7890 ou (11) 91234-5678", url: "https://example.br/", want: []string{
			"phone (11) 3456-7890 → +551134567890", "phone (11) 91234-5678 → +5511912345678",
		}},
		{text: "8 (843) 123-45-68", language: "ru", want: []string{"phone 8 (843) 123-45-68 → +78431234568"}},
		{text: "Reg. imp. 01234-2022", language: "it"},
		{text: "Tel: 030 901820", language: "ar"},
		{text: "Order #212-736-5000 $212-736-5000 x212-736-5000 212-736-5000x", language: "en"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(tt.text, tt.language, tt.url)); diff != "" {
				t.Errorf("Extract(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}
