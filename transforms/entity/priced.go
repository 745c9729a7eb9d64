package entity

import (
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// signs are the signs that several currencies share.
var signs = func() map[string]string {
	of := map[string]string{"USD": "$", "JPY": "¥", "CNY": "¥"}
	for _, code := range dollars {
		of[code] = "$"
	}
	for _, code := range kronerOf {
		of[code] = "kr"
	}
	return of
}()

// priced takes the currencies of the page's prices, which are in its structured data, for their signs in the text. A
// sign with two currencies keeps its meaning.
func (l *locale) priced(currencies map[string]bool) {
	bySign := map[string][]string{}
	for _, code := range slices.Sorted(maps.Keys(currencies)) {
		bySign[signs[code]] = append(bySign[signs[code]], code)
	}
	for sign, of := range map[string]*string{"$": &l.dollar, "¥": &l.yen, "kr": &l.krone} {
		if codes := bySign[sign]; len(codes) == 1 {
			*of = codes[0]
		}
	}
}

// priced adds the currencies of prices. Others than those of signs do not matter.
func (c *collector) priced(codes ...string) {
	for _, code := range codes {
		if signs[code] != "" {
			c.currencies[code] = true
		}
	}
}

// addCurrencies adds the currencies of prices in a page's head, as shops declare them for networks.
func addCurrencies(c *collector, p *page.Page) {
	for _, m := range p.Metas() {
		if m.Name == "og:price:currency" || m.Name == "product:price:currency" {
			c.priced(m.Content)
		}
	}
}
