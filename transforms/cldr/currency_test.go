package cldr

import (
	"strings"
	"testing"
)

func TestCurrency(t *testing.T) {
	for text, want := range map[string]string{
		"Canadian dollars and":          "CAD",
		"CANADIAN DOLLARS":              "CAD",
		"canadian\u00A0dollars.":        "CAD",
		"Canadian dollarsign":           "",
		"Canadian dollar falls":         "",
		"Canadian":                      "",
		"dollars":                       "",
		"New Taiwan dollars":            "TWD",
		"kanadischen Dollar":            "CAD",
		"Hongkong-Dollar":               "HKD",
		"pesos mexicanos":               "MXN",
		"dólares jamaicanos":            "JMD",
		"francs CFA":                    "CFA",
		"dolarów kanadyjskich":          "CAD",
		"белорусских рублей":            "BYN",
		"İngiliz sterlini":              "GBP",
		"ريال سعودي":                    "SAR",
		"캐나다 달러":                        "CAD",
		"":                              "",
		"\xff dollars":                  "",
		strings.Repeat("a", 100) + " b": "",
	} {
		code, n := Currency(text)
		if code != want || n > len(text) || (n == 0) != (want == "") {
			t.Errorf("Currency(%q) = %q, %d; want %q", text, code, n, want)
		}
	}
	text := "Canadian dollars and"
	if n := testing.AllocsPerRun(100, func() { Currency(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
