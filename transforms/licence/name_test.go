package licence

import (
	"strings"
	"testing"
)

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
