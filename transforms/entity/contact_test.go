package entity

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// ids returns the found identifiers of a type in the body of a page, sorted.
func ids(body, kind string) string {
	p := page.Parse([]byte("<html><body>"+body+"</body></html>"), page.Options{URL: "https://a.example/"})
	var found []string
	for _, e := range Extract(Input{Page: p, Language: "de", URL: "https://a.de/"}, Options{}) {
		if e.Type == kind {
			found = append(found, e.ID)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

func TestExtract_linkedAddresses(t *testing.T) {
	for href, want := range map[string]string{
		"mailto:ada@example.org":                                           "ada@example.org",
		"mailto:jane%2Bnews@example.org":                                   "jane+news@example.org",
		"mailto:ada%40example.org":                                         "ada@example.org",
		"MailTo:ada@example.org?subject=Hi":                                "ada@example.org",
		"mailto:ada@example.org,bob@example.org":                           "ada@example.org bob@example.org",
		"mailto:ada@example.org;%20bob@example.org":                        "ada@example.org bob@example.org",
		"mailto:ada@example.org%2Cbob@example.org":                         "ada@example.org bob@example.org",
		"mailto:Ada%20Byron%20%3Cada@example.org%3E":                       "ada@example.org",
		"mailto:&quot;Byron, Ada&quot; <ada@example.org>":                  "ada@example.org",
		"mailto:Ada\u00a0ada@example.org\u00a0(Ada)":                       "ada@example.org",
		"mailto:ada@example.org%E2%80%8B":                                  "ada@example.org",
		"mailto:\u200eada@example.org\u200f":                               "ada@example.org",
		"mailto:%EF%BB%BFada@example.org":                                  "ada@example.org",
		"mailto:%20ada@example.org%20":                                     "ada@example.org",
		"mailto: ada@example.org":                                          "ada@example.org",
		"mailto://ada@example.org":                                         "ada@example.org",
		"mailto:?to=ada@example.org&amp;subject=x":                         "ada@example.org",
		"mailto:ada@example.org?cc=bob@example.org&amp;bcc=c@example.org":  "ada@example.org bob@example.org c@example.org",
		"mailto:ada@example.org?subject=to=eve@example.org":                "ada@example.org",
		"mailto:?subject=Read%20this&amp;body=x@example.org":               "",
		"mailto:100%ada":                                                   "",
		"mailto:":                                                          "",
		"/cdn-cgi/l/email-protection#5439352d3b2614312c35392438317a373b39": "mayor@example.com",
	} {
		if got := ids(`<a href='`+href+`'>x</a>`, "email"); got != want {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
}

func TestExtract_protectedAddresses(t *testing.T) {
	const code = "5439352d3b2614312c35392438317a373b39"
	for body, want := range map[string]string{
		`<a href="/cdn-cgi/l/email-protection" data-cfemail="` + code + `">[email&#160;protected]</a>`: "mayor@example.com",
		`<span class=__cf_email__ data-cfemail=` + code + `>[correo protegido]</span>`:                 "mayor@example.com",
		`<td><SPAN DATA-CFEMAIL='` + strings.ToUpper(code) + `'></SPAN>`:                               "mayor@example.com",
		`<a href="x" data-cfemail="00616461406578616d706c652e6f7267">x</a>`:                            "ada@example.org",
		`<a href="x" Data-CFEmail="00616461406578616d706c652e6f7267">x</a>`:                            "ada@example.org",
		`<span data-cfemail="">x</span>`:                                                               "",
		`<span data-cfemail="zz">x</span>`:                                                             "",
		`<span data-cfemail="5454">x</span>`:                                                           "",
	} {
		if got := ids(body, "email"); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestExtract_linkedNumbers(t *testing.T) {
	for href, want := range map[string]string{
		"tel:+49-30-901820":                                     "+4930901820",
		"tel://+4930901820":                                     "+4930901820",
		"tel:%2B49%2030%20901820":                               "+4930901820",
		"TEL:+4930901820;ext=5":                                 "+4930901820",
		"tel:030901820":                                         "+4930901820",
		"callto:+4930901820":                                    "+4930901820",
		"callto://+4930901820":                                  "+4930901820",
		"sms:+4930901820?body=Hi":                               "+4930901820",
		"sms:+4930901820,+4930901821":                           "+4930901820 +4930901821",
		"skype:+4930901820?call":                                "+4930901820",
		"callto:ada.byron":                                      "",
		"tel:0033142685300":                                     "+33142685300",
		"https://wa.me/4930901820":                              "+4930901820",
		"https://wa.me/+4930901820?text=Hi":                     "+4930901820",
		"https://api.whatsapp.com/send?phone=4930901820&text=x": "+4930901820",
		"whatsapp://send?phone=%2B4930901820":                   "+4930901820",
		"HTTPS://WWW.WA.ME?x#/":                                 "",
		"https://user@WA.me/4930901820#chat":                    "+4930901820",
		"//web.whatsapp.com/send?phone=4930901820":              "+4930901820",
		"x//wa.me/4930901820":                                   "",
		"https://wa.me/message/ABC":                             "",
		"https://wa.me.example/4930901820":                      "",
		"tel:":                                                  "",
		"https://a.example/tel:+4930901820":                     "",
	} {
		if got := ids(`<a href="`+href+`">x</a>`, "phone"); got != want {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
}

func TestExtract_doisWithBrackets(t *testing.T) {
	for text, want := range map[string]string{
		"see 10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O for it.": "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
		"doi:10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1, and":     "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1",
		"10.1175/1520-0442(1999)012<0885:ASOTCM>2.0.CO;2":                          "10.1175/1520-0442(1999)012<0885:asotcm>2.0.co;2",
		"(10.1641/0006-3568(2004)054[1005:TEOEAH]2.0.CO;2)":                        "10.1641/0006-3568(2004)054[1005:teoeah]2.0.co;2",
		"10.1000/182<br>":     "10.1000/182",
		"10.1000/182<sup>2":   "10.1000/182",
		"10.1000/182 < 5 > 3": "10.1000/182",
	} {
		got := ""
		for _, e := range Extract(Input{Text: text}, Options{}) {
			if e.Type == "doi" {
				got = e.ID
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzMayContact: no URL with mail addresses or numbers is left out.
func FuzzMayContact(f *testing.F) {
	for _, href := range []string{
		"https://wa.me/4930901820", "https://WA.ME/4930901820", "http://api.whatsapp.com/send?phone=4930901820",
		"https://wa.me?/4930901820", "https://web.whatsapp.com?phone=4930901820", "whatsapp://send?phone=4930901820",
		"https://a.example/cdn-cgi/l/email-protection#543536143536",
		"http://a.example#/cdn-cgi/l/email-protection#543536143536",
		"mailto:a@b.example", "MAILTO:a@b.example", "tel:+4930901820", "sms:+4930901820", "fax:+4930901820",
		"https://a.example/", "https:///", "https://", "https://a.example/callto:+4930901820", "",
	} {
		f.Add(href)
	}
	f.Fuzz(func(t *testing.T, href string) {
		if len(linkedAddresses(href))+len(linkedNumbers(href)) > 0 && !mayContact(href) {
			t.Errorf("mayContact(%q) = false", href)
		}
	})
}

func TestMayContact_web(t *testing.T) {
	for _, href := range []string{
		"https://a.example/", "http://www.a.example/b?c=d", "https://example.com/x", "https://a.land/",
		"https://a.me/4930901820",
	} {
		if mayContact(href) {
			t.Errorf("mayContact(%q) = true", href)
		}
	}
}
