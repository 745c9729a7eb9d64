package main

// basics are frequent words that the translations lack, since each English word has only one translation. We chose
// them, with the weights that AFINN gives to good, great, bad and terrible.
var basics = map[string]map[int]string{
	"da": {3: "god godt gode succes dejlig smuk", -3: "dårlig dårligt kedelig forfærdelig elendig"},
	"de": {
		3:  "gut schön toll spannend gelungen empfehlenswert erfolg",
		-3: "schlecht langweilig enttäuschend mies furchtbar",
	},
	"es": {
		3:  "bueno buena buen bien bonito éxito mejor",
		-3: "malo mala mal aburrido peor terrible fracaso",
	},
	"fr": {
		3:  "bon bonne beau belle meilleur meilleure succès réussi",
		-3: "mauvaise pire nul nulle ennuyeux décevant échec",
	},
	"it": {
		3:  "buono buona bello bella ottimo migliore successo",
		-3: "cattivo brutto pessimo noioso peggiore deludente",
	},
	"nb": {3: "god godt gode bra flott suksess", -3: "dårlig kjedelig forferdelig elendig"},
	"nl": {
		3:  "goed goede mooi mooie leuk spannend succes",
		-3: "slecht slechte saai tegenvallend vreselijk",
	},
	"pl": {3: "dobry dobra dobre świetny piękny sukces", -3: "zły zła złe słaby nudny okropny"},
	"pt": {3: "bom boa bem bonito ótimo melhor sucesso", -3: "mau má ruim péssimo chato pior fracasso"},
	"ru": {
		3:  "хороший хорошая хорошо прекрасный отличный успех",
		-3: "плохой плохая плохо ужасный скучный провал",
	},
	"sv": {3: "bra god gott vacker fin succé", -3: "dålig dåligt tråkig hemsk usel"},
	"uk": {3: "добрий добре гарний чудовий успіх", -3: "поганий погано жахливий нудний провал"},
}
