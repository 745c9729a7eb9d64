package entity

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// locale describes forms that differ between countries. It is guessed from the language and the top-level domain; if
// both are unclear, patterns that depend on it are left out.
type locale struct {
	language string
	region   string // ISO 3166, for phone numbers; empty if unknown
	home     string // region for places; also empty if only English suggests a region
	dollar   string // currency of $
	yen      string // currency of ¥
	krone    string // currency of kr; empty if unknown
	order    order  // of day and month in 3/4/2020

	traditional bool // Chinese characters are the traditional ones
}

type order uint8

const (
	unknownOrder order = iota
	dayFirst
	monthFirst
)

// newLocale derives a locale from a page's language and URL, and from its declared languages.
func newLocale(language, address string, declared ...string) locale {
	region := cmp.Or(regionOf(address), regionOfTags(language, declared))
	l := locale{language: language, region: region, dollar: "USD", yen: "JPY"}
	// The domain is more specific than the language.
	if l.region == "" {
		l.region = regionOfLanguage[language]
	}
	// English pages under .com come from everywhere: the United States are the best guess for phone numbers, but not
	// for places.
	if l.home = l.region; region == "" && language == "en" {
		l.home = ""
	}
	if code := dollars[region]; code != "" {
		l.dollar = code
	}
	// The sign is that of the yen and of the yuan.
	if language == "zh" || region == "CN" {
		l.yen = "CNY"
	}
	l.krone = cmp.Or(kroner[language], kronerOf[region])
	switch {
	case region == "US" || region == "PH":
		l.order = monthFirst
	// Canada writes both.
	case region == "CA":
	// English without a country may be either.
	case region != "" || language != "en" && language != "":
		l.order = dayFirst
	}
	return l
}

// regionOf returns the country of a URL's top-level domain, if libphonenumber knows it and the domain is not sold
// worldwide. The exceptions are used as words or abbreviations (io, tv, me) or were given away (tk, ml).
func regionOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	// A host may end with the dot of the root.
	host := strings.TrimSuffix(u.Hostname(), ".")
	last := strings.LastIndexByte(host, '.')
	tld := strings.ToUpper(host[last+1:])
	switch tld {
	case "UK":
		return "GB"
	case "GOV", "MIL", "EDU":
		return "US"
	case "IO", "CO", "ME", "TV", "AI", "FM", "AM", "CC", "WS", "TO", "LY", "GG", "SH", "NU", "TK", "ML", "GA", "CF", "AC",
		"AG", "BZ", "LA", "VC", "SC", "ST", "IM", "GL", "PW":
		if !isDomestic(tld, host[:max(last, 0)]) {
			return ""
		}
	}
	// Two letters are countries; GetCountryCodeForRegion selects those with phones.
	if len(tld) != 2 || phonenumbers.GetCountryCodeForRegion(tld) == 0 {
		return ""
	}
	return tld
}

// regionOfTags returns the country of the first declared language that has one and is the text's: en-AU, es_MX. It
// leaves out countries that programs declare unasked.
func regionOfTags(language string, declared []string) string {
	for _, tag := range declared {
		subtags := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
		if len(subtags) < 2 || language == "" || !strings.EqualFold(subtags[0], language) {
			continue
		}
		region := strings.ToUpper(subtags[len(subtags)-1])
		switch region {
		case "US", "GB", "ES", "FR", "CN":
			continue
		}
		if len(region) == 2 && phonenumbers.GetCountryCodeForRegion(region) != 0 {
			return region
		}
	}
	return ""
}

// isDomestic reports whether a domain is of the country of its top-level domain, which is sold worldwide. Domains of
// governments and universities are, and in Colombia all domains of the third level.
func isDomestic(tld, rest string) bool {
	switch strings.ToLower(rest[strings.LastIndexByte(rest, '.')+1:]) {
	case "gov", "edu", "mil":
		return true
	case "com", "org", "net", "nom":
		return tld == "CO" && strings.Contains(rest, ".")
	}
	return false
}

// regionOfLanguage is the country of pages under .com, .org and the like. It has only languages of which nearly all
// such pages come from one country, because a wrong country makes a wrong number.
var regionOfLanguage = map[string]string{
	"bg": "BG", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US", "et": "EE", "fi": "FI", "fr": "FR", "he": "IL",
	"hr": "HR", "hu": "HU", "is": "IS", "it": "IT", "ja": "JP", "ko": "KR", "lt": "LT", "lv": "LV", "nb": "NO", "nl": "NL",
	"pl": "PL", "ro": "RO", "ru": "RU", "sk": "SK", "sl": "SI", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA", "vi": "VN",
}

// dollars are countries whose own dollar or peso is written with a bare $. Elsewhere "$" means the US dollar.
var dollars = map[string]string{
	"AR": "ARS", "AU": "AUD", "CA": "CAD", "CL": "CLP", "CO": "COP", "HK": "HKD", "MX": "MXN", "NZ": "NZD", "SG": "SGD",
	"TW": "TWD", "UY": "UYU",
}

// kronerOf has the countries, for pages in other languages.
var kronerOf = map[string]string{"DK": "DKK", "FO": "DKK", "IS": "ISK", "NO": "NOK", "SE": "SEK"}

// kroner has the languages whose currency is called kr.
var kroner = map[string]string{"da": "DKK", "is": "ISK", "nb": "NOK", "nn": "NOK", "no": "NOK", "sv": "SEK"}
