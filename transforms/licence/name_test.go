package licence

import (
	"slices"
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

// officialNames has a line for each language or country of Creative Commons' own titles. It has the text between two
// conditions, and the names of by, nc, nd and sa.
const officialNames = `
en|-|Attribution|NonCommercial|NoDerivs|ShareAlike
en, 4.0|-|Attribution|NonCommercial|NoDerivatives|ShareAlike
en-us, 3.0|-|Attribution|Noncommercial|No Derivative Works|Share Alike
en-gb|-|Attribution|Non-Commercial|NoDerivs|Share-Alike
de|-|Namensnennung|NichtKommerziell|KeineBearbeitung|Weitergabe unter gleichen Bedingungen
de, 3.0|-|Namensnennung|Nicht-kommerziell|KeineBearbeitung|Weitergabe unter gleichen Bedingungen
de, 4.0| - |Namensnennung|Nicht kommerziell|Keine Bearbeitungen|Weitergabe unter gleichen Bedingungen
fr| - |Paternité|Pas d'Utilisation Commerciale|Pas de Modification|Partage des Conditions Initiales à l'Identique
fr, 2|-|Paternité|Pas d'Utilisation Commerciale|Pas de Modification|Partage des Conditions Initiales à l'Identique
fr, 4.0| - |Attribution|Pas d’Utilisation Commerciale|Pas de Modification|Partage dans les Mêmes Conditions
es|-|Reconocimiento|NoComercial|SinObraDerivada|CompartirIgual
es-pr|-|Reconocimiento|NoComercial|SinObrasDerivadas|CompartirIgual
es, 4.0|-|Atribución|NoComercial|SinDerivadas|CompartirIgual
es-cl|-|Atribución|NoComercial|SinDerivadas|LicenciarIgual
es-cl, spaced|-|Atribución|No Comercial|Sin Derivadas|Licenciar Igual
es-ar|-|Atribución|NoComercial|SinDerivadas|CompartirDerivadasIgual
es-ar, spaced|-|Atribución|No Comercial|Sin Obras Derivadas|Compartir Obras Derivadas Igual
es-mx|-|Atribución|No Comercial|No Derivadas|Licenciamiento Recíproco
it| - |Attribuzione|Non commerciale|Non opere derivate|Condividi allo stesso modo
it, 2.0|-|Attribuzione|NonCommerciale|NoOpereDerivate|StessaLicenza
pt|-|Atribuição|Uso Não-Comercial|Não a obras derivadas|Compatilhamento pela mesma licença
pt-pt|-|Atribuição|Uso Não-Comercial|Proibição de realização de Obras Derivadas|Partilha nos termos da mesma licença
pt-br|-|Atribuição|Uso Não-Comercial|Vedada a Criação de Obras Derivadas|Compartilhamento pela mesma Licença
pt, 4.0|-|Atribuição|NãoComercial|SemDerivações|CompartilhaIgual
nl|-|Naamsvermelding|NietCommercieel|GeenAfgeleideWerken|GelijkDelen
pl|-|Uznanie autorstwa|Użycie niekomercyjne|Bez utworów zależnych|Na tych samych warunkach
ru| — |Атрибуция|Некоммерческое использование|Без производных произведений|На тех же условиях
ru, 3.0|-|Атрибуция|Некоммерческое использование|Без производных произведений|СохранениеУсловий
ja| - |表示|非営利|改変禁止|継承
ja, 2.0|-|帰属|非営利|派生禁止|同一条件許諾
zh|-|署名|非商业性使用|禁止演绎|相同方式共享
zh-tw|-|姓名標示|非商業性|禁止改作|相同方式分享
zh-hk|-|署名|非商業性|禁止衍生|相同方式共享
ko|-|저작자표시|비영리|변경금지|동일조건변경허락
ko, spaced| - |저작자 표시|비영리|변경 금지|동일 조건 변경 허락
`

// TestByName_official: all conditions of a licence are read from its official name.
func TestByName_official(t *testing.T) {
	codes := []string{"", "BY", "NC", "ND", "SA"}
	for line := range strings.Lines(strings.TrimSpace(officialNames)) {
		tongue, rest, _ := strings.Cut(strings.TrimSpace(line), "|")
		words := strings.Split(rest, "|")
		for _, list := range [][]int{{1}, {1, 4}, {1, 3}, {1, 2}, {1, 2, 4}, {1, 2, 3}} {
			var parts, code []string
			for _, i := range list {
				parts, code = append(parts, words[i]), append(code, codes[i])
			}
			name, want := strings.Join(parts, words[0]), "CC-"+strings.Join(code, "-")
			typeset := strings.NewReplacer("-", "\u2011", " ", "\u00a0").Replace(name)
			for text, want := range map[string]string{
				"Creative Commons " + name:                               want,
				"Creative Commons " + name + " 4.0 Internacional":        want + "-4.0",
				"Creative Commons " + name + " 2.5 Brasil. As premissas": want + "-2.5",
				"Licencia Creative Commons " + name + " (CC 3.0), all":   want + "-3.0",
				"Creative Commons-Lizenz: " + name + " 4.0.":             want + "-4.0",
				"Creative Commons " + typeset + " 4.0":                   want + "-4.0",
				"Creative Commons " + strings.ToUpper(name) + " 4.0":     want + "-4.0",
			} {
				if got := ByName(text); got != want {
					t.Errorf("%s: ByName(%q) = %q, want %q", tongue, text, got, want)
				}
			}
		}
	}
}

// TestByName_otherParts: a name with a part that is not known has no identifier, because it may be another condition.
func TestByName_otherParts(t *testing.T) {
	for text, want := range map[string]string{
		"Creative Commons Attribution-Gayriticari-NoDerivs 3.0":               "",
		"Creative Commons Attribution-NonCommercial-Something 3.0":            "",
		"Creative Commons Atribución-Foo":                                     "",
		"Creative Commons Attribution-style licence":                          "",
		"Creative Commons Attribution-only-Foo licence":                       "",
		"Creative Commons Attribution-Foo-International 4.0":                  "",
		"Creative Commons Attribution-Internationalisation":                   "",
		"Creative Commons Attribution-only licence":                           "CC-BY",
		"Creative Commons Attribution-ONLY":                                   "CC-BY",
		"Creative Commons Attribution-International 4.0":                      "CC-BY-4.0",
		"Creative Commons Attribution-ShareAlike-International 4.0":           "CC-BY-SA-4.0",
		"Creative Commons Attribution-NonCommercial-Unported 3.0":             "CC-BY-NC-3.0",
		"Creative Commons Attribution-NoDerivative-Works 3.0":                 "CC-BY-ND-3.0",
		"Creative Commons Attribution-Generic License 2.5":                    "CC-BY-2.5",
		"Creative Commons Atribución-CompartirIgual-Internacional 4.0":        "CC-BY-SA-4.0",
		"Creative Commons Attribution-Version 2.0":                            "CC-BY-2.0",
		"Creative Commons License: Attribution-Foo-ShareAlike 3.0":            "",
		"Creative Commons Namensnennung-Lizenz":                               "CC-BY",
		"Creative Commons Attribution License - see below":                    "CC-BY",
		"Creative Commons Attribution - see the notes":                        "CC-BY",
		"Creative Commons Attribution, by a non-profit publisher":             "CC-BY",
		"Creative Commons Attribution by a well-known publisher":              "CC-BY",
		"Creative Commons Attribution (CC-Attribution) 3.0":                   "CC-BY-3.0",
		"Creative Commons Attribution-ShareAlike 3.0 Unported - Wikipedia-en": "CC-BY-SA-3.0",
		"Creative Commons Attribution-ShareAlike-3.0":                         "CC-BY-SA-3.0",
	} {
		if got := ByName(text); got != want {
			t.Errorf("ByName(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestByName_letters: all conditions after the letters BY count, with any signs between them.
func TestByName_letters(t *testing.T) {
	for text, want := range map[string]string{
		"CC BY-NC-SA 4.0":                      "CC-BY-NC-SA-4.0",
		"CC BY\u2011NC\u2011ND 4.0":            "CC-BY-NC-ND-4.0",
		"CC BY–NC–ND 4.0":                      "CC-BY-NC-ND-4.0",
		"CC\u00a0BY\u00a0NC\u00a0SA\u00a03.0":  "CC-BY-NC-SA-3.0",
		"CC BY / NC / SA 3.0":                  "CC-BY-NC-SA-3.0",
		"CC BY - NC - SA":                      "CC-BY-NC-SA",
		"CC_BY_ND":                             "CC-BY-ND",
		"CC BY-NonCommercial 4.0":              "CC-BY-NC-4.0",
		"CC-BY-NonCommercial-ShareAlike 3.0":   "CC-BY-NC-SA-3.0",
		"CC BY-NC-Share Alike 2.0":             "CC-BY-NC-SA-2.0",
		"CC BY – No Derivatives 4.0":           "CC-BY-ND-4.0",
		"CC BY Non-Commercial, No Derivatives": "CC-BY-NC-ND",
		"CC BY 4.0 – NC State University":      "CC-BY-4.0",
		"CC BY, non-commercial orders apart":   "CC-BY",
		"CC BY. Share alike?":                  "CC-BY",
		"CC BYNC":                              "",
		"CC BY v4.0":                           "CC-BY-4.0",
		"CC-BY-4.0":                            "CC-BY-4.0",
		"CC BY, NC State University":           "CC-BY",
		"CC BY−NC－SA 4.0":                      "CC-BY-NC-SA-4.0",
		"CC BY.NC.ND":                          "CC-BY-NC-ND",
		"CC BY-NCSA 3.0":                       "CC-BY-NC-SA-3.0",
		"CC BY-SAfoo":                          "",
		"CC BY-NC-SALicence":                   "",
		"CC BY/Sandra Doe":                     "CC-BY",
		"CC BY San Marino":                     "CC-BY",
	} {
		if got := ByName(text); got != want {
			t.Errorf("ByName(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestByName_digits: versions may follow letters without a space.
func TestByName_digits(t *testing.T) {
	for text, want := range map[string]string{
		"本文采用 CC BY-NC-SA4.0 许可协议": "CC-BY-NC-SA-4.0",
		"CC BY-SA4.0":                     "CC-BY-SA-4.0",
		"CC BY-SA3.0 Unported":            "CC-BY-SA-3.0",
		"CC BY-NC4.0":                     "CC-BY-NC-4.0",
		"CC BY-NC-ND4.0":                  "CC-BY-NC-ND-4.0",
		"CC BY-ND4.0":                     "CC-BY-ND-4.0",
		"CC_BY-SA_4.0":                    "CC-BY-SA-4.0",
		"cc-by-nc_4.0":                    "CC-BY-NC-4.0",
		"_CC BY-SA 4.0_":                  "CC-BY-SA-4.0",
		"CC BY4.0":                        "CC-BY-4.0",
		"CCBY4.0":                         "CC-BY-4.0",
		"CC-BY-NC-SAv3.0":                 "CC-BY-NC-SA-3.0",
		"CC BY-SA4":                       "CC-BY-SA",
		"CC BY-NCv4 licence":              "CC-BY-NC",
		"CC BY-SA_licence":                "CC-BY-SA",
		"CC BY-NonCommercial4.0":          "CC-BY-NC-4.0",
		"CC BY-NC_ND4.0":                  "CC-BY-NC-ND-4.0",
		"CC BY-SA4.0, CC BY-NC 3.0":       "CC-BY-SA-4.0",
		"Creative Commons BY-SA4.0":       "CC-BY-SA-4.0",
		"Creative Commons BY-NC4 licence": "CC-BY-NC",
		"Creative Commons BY_NC_ND4.0":    "CC-BY-NC-ND-4.0",
		"Creative Commons Attribution-ShareAlike4.0":      "CC-BY-SA-4.0",
		"Creative Commons Attribution-NonCommercial v4.0": "CC-BY-NC-4.0",
		"知识共享 Creative Commons 署名-非商业性使用4.0":              "CC-BY-NC-4.0",
		"CC0_1.0":                                          "CC0-1.0",
		"CC01.0":                                           "CC0-1.0",
		"CC02 emissions":                                   "",
		"under the GFDLv1.3":                               "GFDL",
		"under the GFDL1.2":                                "GFDL",
		"under the ODbL1.0":                                "ODbL-1.0",
		"under the ODbLv1.0":                               "ODbL-1.0",
		"under the ODbLike":                                "",
		"under the Open Government Licence3.0":             "OGL-UK-3.0",
		"under the Open Government Licencev2.0":            "OGL-UK-2.0",
		"Open Government Licences of the world":            "",
		"Licence Ouverte2.0":                               "etalab-2.0",
		"Licence Ouverte_1.0":                              "",
		"Datenlizenz Deutschland Namensnennung2.0":         "DL-DE-BY-2.0",
		"Apache License2.0":                                "",
		"Content by the Attribution Company: CC BY-NC-2.5": "CC-BY-NC-2.5",
	} {
		if got := ByName(text); got != want {
			t.Errorf("ByName(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzMayName: the words that are looked for before the expressions are in every text that these match.
func FuzzMayName(f *testing.F) {
	for _, text := range []string{
		"CC BY-NC 4.0", "cc0", "CC-0 1.0", "CC 0", "ccBY", "CC - BY", "CC–BY", "CC—BY", "CC/BY", "CC_BY",
		"CC_0", "CC Zero", "Creative Commons Zero",
		"Creative-Commons-Lizenz Namensnennung 3.0",
		"GNU Free Documentation License", "GFDL", "Open Government Licence v3.0", "ODbL", "Open Database License",
		"Open Data Commons Database Licence", "Datenlizenz Deutschland – Zero – Version 2.0",
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
		creative := reCode().MatchString(text) || reZero().MatchString(text) || reFamily().MatchString(text)
		if creative && !mayCreative(text) {
			t.Errorf("mayCreative(%q) = false", text)
		}
		other := slices.ContainsFunc(plain, func(p plainLicence) bool { return p.re().MatchString(text) })
		if other && !mayBePlain(text) {
			t.Errorf("mayBePlain(%q) = false", text)
		}
		if (creative || other) && !mayName(text) {
			t.Errorf("mayName(%q) = false", text)
		}
	})
}
