package licence

import (
	"strings"
	"testing"
)

// Governments name their licences alike, and versions differ in their conditions.
func TestByName_governments(t *testing.T) {
	for text, want := range map[string]string{
		"under the Open Government Licence – United Kingdom":         "OGL-UK-3.0",
		"under the Open Government Licence UK":                       "OGL-UK-3.0",
		"under the Open Government Licence - Great Britain":          "OGL-UK-3.0",
		"under the Open Government Licence v3.0":                     "OGL-UK-3.0",
		"under the Open Government Licence":                          "OGL-UK-3.0",
		"under the Open Government Licence.":                         "OGL-UK-3.0",
		"under the Open Government Licence, except where stated":     "OGL-UK-3.0",
		"under the Open Government Licence - see below":              "OGL-UK-3.0",
		"under the Open Government Licence (OGL) v3.0":               "OGL-UK-3.0",
		"under the Open Government Licence (OGL) v2.0":               "OGL-UK-2.0",
		"under the Open Government Licence\nCrown copyright":         "OGL-UK-3.0",
		"under the Open Government Licence version 2.0":              "OGL-UK-2.0",
		"under the Open Government Licence v1.0":                     "OGL-UK-1.0",
		"under the Open Government Licence (version 2)":              "OGL-UK-2.0",
		"OPEN GOVERNMENT LICENCE – V3.0":                             "OGL-UK-3.0",
		"licensed under the Open Government Licence – Canada":        "OGL-Canada-2.0",
		"licensed under the Open Government Licence - Canada 2.0":    "OGL-Canada-2.0",
		"licensed under the Open Government Licence – Canada v1.0":   "",
		"licensed under the Open Government Licence – Ontario":       "",
		"licensed under the Open Government Licence – City of Leeds": "",
		"licensed under the Open Government Licence Alberta":         "",
		"Datenlizenz Deutschland – Zero – Version 2.0":               "DL-DE-ZERO-2.0",
		"Datenlizenz Deutschland Zero 2.0":                           "DL-DE-ZERO-2.0",
		"Datenlizenz Deutschland - Version 2.0 - Zero":               "DL-DE-ZERO-2.0",
		"Datenlizenz Deutschland – Namensnennung – Version 2.0":      "DL-DE-BY-2.0",
		"Datenlizenz Deutschland 2.0":                                "DL-DE-BY-2.0",
		"Licence Ouverte 1.0":                                        "",
		"Licence Ouverte / Open Licence version 1.0":                 "",
		"Licence Ouverte / Open Licence version 2.0":                 "etalab-2.0",
		"Licence Ouverte v2.0 (Etalab)":                              "etalab-2.0",
		"Licence Ouverte":                                            "etalab-2.0",
		"Open Government Licence – Ontario, and ODbL":                "ODbL-1.0",
	} {
		if got := ByName(text); got != want {
			t.Errorf("ByName(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzMayName: the words that are looked for before the expressions are in every text that these match.
func FuzzMayName(f *testing.F) {
	for _, text := range []string{
		"CC BY-NC 4.0", "cc0", "CC Zero", "Creative Commons Zero", "Creative-Commons-Lizenz Namensnennung 3.0",
		"GNU Free Documentation License", "GFDL", "Open Government Licence v3.0", "ODbL", "Open Database License",
		"Licence Ouverte", "Apache License, Version 2.0", "MIT Licence", "Datenlizenz Deutschland 2.0",
		"All rights reserved", "Alle Rechte vorbehalten", "Tous les droits sont réservés", "Todos los derechos reservados",
		"Tutti i diritti riservati", "Todos os direitos reservados", "Alle rechten voorbehouden",
		"Wszelkie prawa zastrzeżone", "Все права защищены", "无断转载", "無断転載", "无断複製", "版权所有", "版權所有", "不許複製",
		"무단 전재", "جميع الحقوق محفوظة",
	} {
		f.Add(text)
		f.Add(strings.ToUpper(text))
		f.Add("a " + strings.ReplaceAll(text, "s", "ſ") + " b")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if reReserved().MatchString(text) && !mayReserve([]byte(text)) {
			t.Errorf("mayReserve(%q) = false", text)
		}
		matches := reCode().MatchString(text) || reZero().MatchString(text) || reFamily().MatchString(text)
		for _, p := range plain {
			matches = matches || p.re().MatchString(text)
		}
		if matches && !mayName(text) {
			t.Errorf("mayName(%q) = false", text)
		}
	})
}
