package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// currencies maps a name of a currency to its code, or to "" if several have it.
type currencies map[string]string

// current are currencies whose names are written to the file. Of the others, names are read to find those of several.
var current = strings.Fields("USD CAD AUD NZD SGD HKD TWD JMD TTD BBD BSD BZD FJD NAD XCD LRD GYD MXN COP CLP ARS " +
	"UYU DOP CUP PHP GBP EGP SYP LBP SDG CHF XOF XAF XPF NOK SEK DKK ISK CZK INR PKR LKR " +
	"NPR MUR JPY CNY KRW RUB BYN TRY SAR QAR OMR YER AED MAD DZD TND KWD BHD RSD MKD IQD " +
	"JOD LYD IRR ILS ZAR BRL PLN RON MDL BGN HUF UAH THB VND IDR MYR NGN GHS KES UGX TZS " +
	"ETB PEN BOB VES PYG CRC GTQ HNL BDT MMK KHR KZT UZS GEL AMD AZN ALL BAM")

// spoken are languages whose names of currencies are in the file: the larger ones.
var spoken = strings.Fields("ar bg bn ca cs da de el en es es-MX et fa fi fr gl he hi hr hu id it ko lt lv mk ms " +
	"nb nl pl pt pt-PT ro ru sk sl sq sr sr-Latn sv tr uk ur vi")

// further are names that CLDR does not have. CFA stands for francs of both zones.
var further = map[string]string{
	"USD": "american dollars,us-dollars,dollars us,dollars américains,amerikanische dollar," +
		"amerikanischen dollar,американских долларов,американских доллара,dolarów amerykańskich," +
		"amerikaanse dollar,amerikaanse dollars," +
		"dollari usa,dólares americanos,us dollars",
	"GBP": "pounds sterling,pfund sterling,englische pfund,pond sterling,جنيه استرليني",
	"CAD": "canadese dollars",
	"AUD": "australische dollars",
	"CZK": "czech crowns",
	"SEK": "swedish crowns",
	"NOK": "norwegian crowns",
	"DKK": "danish crowns",
	"CNY": "chinese renminbi",
	"PLN": "polish złoty",
	"RUB": "russian roubles",
	"BYN": "belarusian roubles",
	"AED": "emirati dirhams,uae dirhams",
	"BRL": "brazilian reais",
	"IRR": "ریال ایران,ريال ایرانی",
	"CFA": "francs cfa,cfa francs,franchi cfa,francos cfa,cfa-franken",
	"MDL": "lei moldoveneşti,lei moldovenesti",
}

// addFurther adds them.
func (c currencies) addFurther() {
	for code, names := range further {
		for name := range strings.SplitSeq(names, ",") {
			c.note(name, code)
		}
	}
}

// add reads a currencies.json.
func (c currencies) add(file []byte, locale string) error {
	if !slices.Contains(spoken, locale) {
		return nil
	}
	var data struct {
		Main map[string]struct {
			Numbers struct{ Currencies map[string]map[string]string }
		}
	}
	if err := json.Unmarshal(file, &data); err != nil {
		return err
	}
	for code, forms := range data.Main[locale].Numbers.Currencies {
		for key, name := range forms {
			// The singular is mostly of headlines: "Dec 1 Canadian dollar falls".
			_, plurals := forms["displayName-count-other"]
			if !strings.HasPrefix(key, "displayName") || plurals && (key == "displayName" || key == "displayName-count-one") {
				continue
			}
			c.note(name, code)
			// "mit 50 kanadischen Dollar"
			if adjective, noun, ok := strings.Cut(strings.ReplaceAll(name, "\u00A0", " "), "e "); ok && locale == "de" {
				c.note(adjective+"en "+noun, code)
			}
		}
	}
	return nil
}

// note adds a name of several words. Those of one word are often of several currencies, or of other things.
func (c currencies) note(name, code string) {
	name = strings.ReplaceAll(strings.ToLower(name), "\u00A0", " ")
	isOdd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -’'", r)
	}
	if !strings.ContainsAny(name, " -") || strings.ContainsFunc(name, isOdd) {
		return
	}
	if known, ok := c[name]; ok && known != code {
		code = ""
	}
	c[name] = code
}

// format returns the table: sorted lines of a name and its code.
func (c currencies) format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if further[c[name]] != "" || slices.Contains(current, c[name]) {
			fmt.Fprintf(&b, "%s\t%s\n", name, c[name])
		}
	}
	return b.Bytes()
}
