package langid

import (
	"strings"
	"testing"
)

// These are stories of people with invented names, pages about football, and manuals of programs. We wrote all of
// them.
var prosePages = []struct{ name, want, text string }{
	{"a story with invented names", "en", "Ulthar Vexmoor met Vorghul Xantrippe at the gate of Kyrvhast. \"Thraxmund " +
		"is dead,\" said Vorghul.\n" +
		"Vexmoor looked at the towers of Kyrvhast, and then at the road to Ulvghar and Pryzkhor.\n" +
		"Xantrippe had been in Ulvghar when the Ghrolkai of Wurmskh came over the Mkhavik.\n" +
		"\"And the Qhazidrun?\" asked Vexmoor. \"It was never found,\" said Vorghul Xantrippe of Ulvghar.\n" +
		"So Ulthar Vexmoor took the Bryxolith from the hands of Vorghul, and went to Pryzkhor.\n"},
	{"the same in German", "de", "Ulthar Vexmoor traf Vorghul Xantrippe vor dem Tor von Kyrvhast. \"Thraxmund ist " +
		"tot\", sagte Vorghul.\n" +
		"Vexmoor sah auf die Mauern von Kyrvhast und dann auf den Weg nach Ulvghar und Pryzkhor.\n" +
		"Xantrippe war in Ulvghar, als die Ghrolkai von Wurmskh über den Mkhavik kamen.\n" +
		"\"Und das Qhazidrun?\" fragte Vexmoor. \"Es ist nie gefunden worden\", sagte Vorghul Xantrippe.\n" +
		"So nahm Ulthar Vexmoor den Bryxolith aus der Hand von Vorghul und ging nach Pryzkhor.\n"},
	{"the same in French", "fr", "Ulthar Vexmoor vit Vorghul Xantrippe devant la porte de Kyrvhast. « Thraxmund est " +
		"mort », dit Vorghul.\n" +
		"Vexmoor regarda les murs de Kyrvhast, puis la route de Ulvghar et de Pryzkhor.\n" +
		"Xantrippe était à Ulvghar quand les Ghrolkai de Wurmskh sont venus par le Mkhavik.\n" +
		"« Et le Qhazidrun ? » demanda Vexmoor. « Il n'a pas été retrouvé », dit Vorghul Xantrippe de Ulvghar.\n" +
		"Ulthar Vexmoor prit donc le Bryxolith de la main de Vorghul et partit pour Pryzkhor.\n"},
	{"a page of football in Turkish", "tr", "Kjetil Haug, Bjørn Wahlqvist ve Grzegorz Szczęsny ilk 11'de. Teknik " +
		"direktör Krzysztof Wójcik.\n" +
		"Wahlqvist 23. dakikada Szczęsny'nin pasıyla golü attı. Wójcik bu oyuncu için çok iyi dedi.\n" +
		"Hjalmar Þórðarson ve Wahlqvist her iki maçta da gol attı. Szczęsny bir kez daha kart gördü.\n" +
		"Krzysztof Wójcik ile Hjalmar Þórðarson daha sonra bir açıklama yaptı, Wahlqvist ise olarak kalacak.\n"},
	{"a manual with brackets", "en", strings.Repeat("The function open(path, [mode]) returns a handle (or nil) and "+
		"takes the options {read, write}; it is the same as "+
		"open(path, mode=\"r\") in the other module (see [open(3)], [close(3)] and [read(2)]).\n", 6)},
	{"a manual with brackets in Spanish", "es", strings.Repeat("La función abrir(ruta, [modo]) devuelve un valor (o "+
		"nil) y toma las opciones {leer, escribir}; es la misma que "+
		"abrir(ruta, modo=\"r\") en el otro módulo (véase [abrir(3)], [cerrar(3)] y [leer(2)]).\n", 6)},
}

func TestDetect_prose(t *testing.T) {
	for _, tt := range prosePages {
		if got := New(Options{}).Detect(tt.text); len(got) != 1 || got[0].Code != tt.want {
			t.Errorf("%s: Detect = %v, want %s", tt.name, got, tt.want)
		}
	}
}

// Lists of names and of products are in no language, and neither is source code.
func TestDetect_noProse(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("GIGABYTE Radeon RX 9060 XT 16GB GDDR6 PCI Express 5.0 x16 ATX GV-R9060XTGAMING OC-16GD $459.99\n",
			12),
		strings.Repeat("Lodge SKILLET 12\" CAST IRON L10SK3 $49.99 USD\nKRESS RTKn KR173E.1 $2,099.00\n", 12),
		strings.Repeat("for (int i = 0; i < n; i++) { if (a[i] == in) { return is(a[i]); } }\n", 12),
	} {
		got := New(Options{}).Detect(text)
		if len(got) == 0 || got[0].Code != Unknown && got[0].Code != NoLanguage {
			t.Errorf("Detect(%.40q…) = %v, want %s or %s", text, got, Unknown, NoLanguage)
		}
	}
}

// These are everyday sentences, as people write them on the phone.
func TestDetect_shortSentences(t *testing.T) {
	for _, tt := range []struct{ want, text string }{
		// These have words that Afrikaans shares with Dutch and English.
		{"af", "Die kat is in die huis."},
		{"af", "Die vraag is net watter een vir my is."},
		{"af", "Ons gaan môre strand toe."},
		{"af", "Dit is my boek, nie joune nie."},
		{"nl", "De kat is in het huis."},
		{"nl", "Waarom huil je?"},
		{"nl", "Dat is mijn boek, niet het jouwe."},
		// These have less than 30 letters of a language that is rare on the web.
		{"sw", "Chakula kiko mezani."},
		{"sw", "Watoto wanacheza nje."},
		{"sw", "Anasoma kitabu."},
		{"tl", "Hindi ko alam iyon."},
		{"eo", "Ĉu vi volas kafon?"},
		{"eu", "Kafea nahi duzu?"},
		{"ga", "Níl a fhios agam."},
		{"so", "Waan ku jeclahay."},
		{"cy", "Dw i ddim yn gwybod."},
		{"xh", "Andazi apho uhlala khona."},
		// These have less than eight letters.
		{"ar", "أين تسكن؟"},
		{"hi", "पानी कैसा है?"},
		{"hi", "वह घर पर है।"},
		{"mr", "काय झाले?"},
		{"mr", "ते घरी आहेत."},
		// This is a single word, in a script whose letters are syllables or words.
		{"ja", "はい"},
		{"ja", "行く"},
		{"zh", "你好"},
		{"zh", "我爱你"},
		{"ko", "안녕"},
		{"th", "ใช่"},
		{"ta", "ஆம்"},
		{"bn", "হ্যাঁ"},
		// These are names of one word and of two.
		{"", "Toyota"},
		{"", "Madrid"},
		{"", "Kia Rio"},
		{"", "Swahili Safari Lodge"},
		{"", "Archives Unleashed"},
		{"", "猫"},
	} {
		code := ""
		if got := New(Options{}).Detect(tt.text); len(got) > 0 && got[0].Code != Unknown {
			code = got[0].Code
		}
		if code != tt.want {
			t.Errorf("Detect(%q) = %q, want %q", tt.text, code, tt.want)
		}
	}
}
