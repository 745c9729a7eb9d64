package look

// names has the English names of the most frequent languages, by ISO 639 code. A complete table would be longer than
// this package.
var names = map[string]string{
	"af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
	"bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "ckb": "Central Kurdish", "cs": "Czech", "cy": "Welsh",
	"da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian",
	"eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
	"he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
	"is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer",
	"kn": "Kannada", "ko": "Korean", "ky": "Kyrgyz", "la": "Latin", "lb": "Luxembourgish", "lo": "Lao",
	"lt": "Lithuanian", "lv": "Latvian", "mi": "Māori", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian",
	"mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese", "nb": "Norwegian Bokmål", "ne": "Nepali",
	"nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto",
	"pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
	"sn": "Shona", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "st": "Sotho", "sv": "Swedish", "sw": "Swahili",
	"ta": "Tamil", "te": "Telugu", "th": "Thai", "ti": "Tigrinya", "tl": "Tagalog", "tn": "Tswana", "tr": "Turkish",
	"uk": "Ukrainian", "und": "not determined", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa",
	"yi": "Yiddish", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu", "zxx": "no language",
}

// Language returns the English name of a language, or its code if unknown.
func Language(code string) string {
	// Unknown codes come from data; the template escapes them.
	if name := names[code]; name != "" {
		return name
	}
	return code
}
