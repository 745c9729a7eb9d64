package licence

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Reserved is the name for pages that reserve all rights, which SPDX has no identifier for.
const Reserved = "LicenseRef-AllRightsReserved"

// reCode is a licence by its letters and its version, such as "CC BY-NC-SA 4.0". No space is needed before the version.
var reCode = pattern.Lazy(`(?i)(?:\b|_)CC(?: ?[-–—/_] ?| )?` +
	`(BY(?:(?: ?[-–—/_] ?|[ .,+·・])(?:NC|ND|SA)(?:(?: ?[-–—/_] ?|[ .,+·・])?(?:NC|ND|SA))*)?)` +
	`(?:[ _-]?v?(\d\.\d)|v?\d|_|\b)`)

// reUnread is a condition after those of reCode that has no end, as in "CC BY-NCfoo".
var reUnread = pattern.Lazy(`^[-–—/_](?:NC|ND|SA)`)

// reCodeVersion is the version after conditions in words.
var reCodeVersion = pattern.Lazy(`(?i)^[ _-]?v?(\d\.\d)`)

// reZero is the public domain dedication.
var reZero = pattern.Lazy(`\bCC[ _-]?0(?:[ _-]?v?1\.0|_|\b)|CC Zero|Creative Commons Zero`)

// reFamily is the name of Creative Commons with the words after it, in two parts: up to the word for a licence, and
// the rest.
var reFamily = pattern.Lazy(`(?i)creative\s+commons[ -]*(.{0,140}?)(?:` +
	`licen[sc]e|licensi|licencias?\b|lizenz|licentie|` +
	`licencj|лицензи|ライセンス|许可|許可|授权|授權|` +
	`라이[선센]스|\d\.\d|\n|$)(.{0,100})`)

// reVersion is the version of a licence.
var reVersion = pattern.Lazy(`(?:^|[^\d.])([1-4]\.\d)\b`)

// conditions are the words for the conditions of Creative Commons, in English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Russian, Japanese, Chinese and Korean.
var conditions = map[string]func() *regexp.Regexp{
	"by": pattern.Lazy(`(?i)(?:\b|_)BY(?:\b|[\d_])|attribution|namensnennung|paternité|reconocimiento|atribución|` +
		`attribuzione|atribuição|` +
		`naamsvermelding|uznanie autorstwa|атрибуци|авторства|表示|帰属|署名|姓名標示|저작자 ?표시`),
	"nc": pattern.Lazy(`(?i)(?:\b|_)NC(?:\b|[\d_])|non-?\s?commercial|nicht[- ]?kommerziell|keine kommerzielle|` +
		`pas d.utilisation commerciale|` +
		`no ?comercial|non ?commerciale|n[ãa]o[- ]?comercial|niet-?\s?commercieel|użycie niekomercyjne|некоммерческ|` +
		`非営利|非商业|非商業|비영리`),
	"nd": pattern.Lazy(`(?i)(?:\b|_)ND(?:\b|[\d_])|non?[ -]{0,2}deriv|keine[- ]?bearbeitung|pas de modification|` +
		`sin[- ]?(?:obras? ?)?deriv|(?:vedada|proibição|não a)\b.{0,30}?obras derivadas|` +
		`non? ?opere ?derivat|sem[- ]?deriv|geen ?afgeleide|bez utworów zależnych|без производных|` +
		`改変禁止|派生禁止|禁止演绎|禁止改作|禁止衍生|변경 ?금지`),
	"sa": pattern.Lazy(`(?i)(?:\b|_)SA(?:\b|[\d_])|share-?\s?alike|weitergabe unter gleichen|` +
		`partage (?:dans les m[êe]mes|des conditions|[àa] l.identique)|` +
		`(?:compartir|licenciar) ?(?:(?:obras )?derivadas ?)?igual|` +
		`licenciamiento rec[íi]proco|` +
		`condividi allo stesso modo|stessa ?licenza|compartilha ?igual|(?:pela|nos termos da) mesma licen|` +
		`gelijk ?delen|na tych samych warunkach|(?:распространение )?на тех же|` +
		`сохранени[ея]м? ?условий|継承|同一条件許諾|相同方式共享|相同方式分享|동일 ?조건 ?변경 ?허락`),
}

// ByName returns the identifier of the first licence that a text names, or "".
func ByName(text string) string {
	name, _ := find(plainSigns(text))
	return name
}

// signs are forms of spaces and hyphens that typography uses in names.
var signs = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2010", "-", "\u2011", "-", "\u2212", "-",
	"\uff0d", "-", "\u00ad", "")

// plainSigns returns a text with plain spaces and hyphens.
func plainSigns(text string) string {
	if !mayName(text) {
		return text
	}
	return signs.Replace(text)
}

// maxBefore is how many bytes are before the attribution in a name, such as "- " and " (CC ".
const maxBefore = 8

// mayName finds words of which the expressions of find need one.
var mayName = pattern.WordsFold[string]("cc", "creative", "licen", "gfdl", "odbl", "lizenz")

// mayCreative finds words of which reCode, reZero and reFamily need one.
var mayCreative = pattern.WordsFold[string]("ccb", "cc0", "cc ", "cc-", "cc–", "cc—", "cc/", "cc_", "creative")

// find returns the first licence that a text with plain signs names, and where its name begins.
func find(text string) (name string, at int) {
	if !mayName(text) {
		return "", 0
	}
	if !mayCreative(text) {
		return findPlain(text)
	}
	if m := reCode().FindStringSubmatchIndex(text); m != nil {
		return code(text, m), m[0]
	}
	if m := reZero().FindStringIndex(text); m != nil {
		return "CC0-1.0", m[0]
	}
	if m := reFamily().FindStringSubmatchIndex(text); m != nil {
		// "Creative Commons Attribution License 4.0", or "Creative-Commons-Lizenz Namensnennung 3.0".
		for _, words := range []string{text[m[2]:m[3]], text[m[4]:m[5]]} {
			// Words of a sentence about the licence may be like its name: that begins with the attribution.
			by := conditions["by"]().FindStringIndex(words)
			if by == nil || by[0] > maxBefore {
				continue
			}
			if c := conditionsIn(words); strings.HasPrefix(c, "by") && !hasOtherPart(words[by[0]:]) {
				version := ""
				if v := reVersion().FindStringSubmatch(text[m[0]:m[1]]); v != nil {
					version = v[1]
				}
				return creative(c, version, ""), m[0]
			}
		}
	}
	return findPlain(text)
}

// code returns the licence of a match of reCode.
func code(text string, m []int) string {
	letters, rest := strings.ToLower(text[m[2]:m[3]]), text[m[1]:]
	if m[4] >= 0 {
		return creative(letters, text[m[4]:m[5]], "")
	}
	named, rest := further(rest)
	if reUnread().MatchString(rest) {
		return ""
	}
	version := ""
	if v := reCodeVersion().FindStringSubmatch(rest); v != nil {
		version = v[1]
	}
	return creative(letters+named, version, "")
}

// further returns the conditions in words after the letters of a licence, as in "CC BY-NonCommercial", and the rest of
// the text.
func further(text string) (named, rest string) {
	between := " -–—/_"
	for range len(conditions) {
		words := strings.TrimLeft(text, between)
		c, length := firstCondition(words[:min(len(words), maxWords)])
		if c == "" || len(words) == len(text) {
			break
		}
		named, text = named+"-"+c, strings.TrimLeftFunc(words[length:], unicode.IsLetter)
		between = " -–—/_,"
	}
	return named, text
}

// firstCondition returns the condition that words begin with, and how many bytes name it.
func firstCondition(words string) (condition string, length int) {
	for _, c := range []string{"nc", "nd", "sa"} {
		if m := conditions[c]().FindStringIndex(words); m != nil && m[0] == 0 {
			return c, m[1]
		}
	}
	return "", 0
}

// maxWords is longer than the words of each condition, in bytes.
const maxWords = 100

// reNameEnd ends the name of a licence in a text.
var reNameEnd = pattern.Lazy(`\d\.\d|[.,;:()\n]`)

// hasOtherPart reports whether the name of a licence has a part after a hyphen that is not a known condition, as in
// "Attribution-Gayriticari-NoDerivs". The licence may be less free than the known parts say.
func hasOtherPart(words string) bool {
	if m := reNameEnd().FindStringIndex(words); m != nil {
		words = words[:m[0]]
	}
	for _, c := range []string{"by", "nc", "nd", "sa"} {
		words = conditions[c]().ReplaceAllString(words, "\x00")
	}
	return reOtherPart().MatchString(rePlainPart().ReplaceAllLiteralString(words, ""))
}

// rePlainPart is a part of a name that is not a condition.
var rePlainPart = pattern.Lazy(`(?i)-(?:only|interna(?:[ct]ional|zionale)|unported|generic|works?|version)\b`)

// reOtherPart is a part of a name without a condition, which is zero here, after one with.
var reOtherPart = pattern.Lazy(`\x00\pL*-\pL[^\x00-]*(?:-|$)`)

// isSoftware reports whether a licence is one of programs: it covers a page's software or its samples of code.
func isSoftware(name string) bool {
	for _, prefix := range []string{"GPL", "LGPL", "AGPL", "MIT", "Apache", "BSD", "MPL", "ISC", "EPL", "Unlicense"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// conditionsIn returns the conditions that words name, as in URLs.
func conditionsIn(words string) string {
	var list []string
	for _, c := range []string{"by", "nc", "nd", "sa"} {
		if conditions[c]().MatchString(words) {
			list = append(list, c)
		}
	}
	return strings.Join(list, "-")
}

// reReserved reserves all rights, in the languages above and Arabic.
var reReserved = pattern.Lazy(`(?i)all rights? reserved|alle rechte vorbehalten|` +
	`tous (?:les )?droits (?:sont )?réservés|` +
	`(?:todos los )?derechos reservados|tutti i diritti (?:sono )?riservati|todos os direitos reservados|` +
	`alle rechten voorbehouden|` +
	`wszelkie prawa zastrzeżone|все права защищены|无断转载|無断転載|无断複製|版权所有|版權所有|不許複製|무단 ?전재|جميع الحقوق محفوظة`)

// mayReserve finds parts of which each form of reReserved has one. None has an s or a k, which the expression also
// finds as signs outside of ASCII.
var mayReserve = pattern.WordsFold[[]byte](
	"all right", "alle recht", "droit", "derecho", "diritti", "direito", "prawa", "щ", "Щ", "无断", "無断", "版权", "版權", "不許",
	"무단", "محفوظة",
)

// reGrant is a word of a grant.
var reGrant = pattern.Lazy(`(?i)licen[sc]|lizen[sz]|licentie|licencj|licenza|licença|лицензи|ライセンス|` +
	`许可|許可|授权|授權|協議|协议|条款|라이[선센]스|` +
	`except where otherwise|some rights reserved|(?:available|released|distributed|published|licensed) under|` +
	`(?:verfügbar|veröffentlicht|stehen|steht) unter|disponibles? (?:sous|bajo)|mis à disposition selon|ترخيص`)

// reLabel is a label before a licence, as in "License: CC BY 4.0", or the mark of a copyright notice.
var reLabel = pattern.Lazy(`(?im)^\s*(?:licen[sc]e|lizenz|licencia|licenza|licença|licentie|licencja|` +
	`лицензия|ライセンス|许可|授权|라이[선센]스)\s*[:：]|` +
	`^\s*(?:©|\(c\)|copyright\b)`)

// reContent is a word for a page's content.
var reContent = pattern.Lazy(`(?i)\b(?:content|inhalt|contenu|contenido|text|work|werk|article|artikel)`)

// rePortion is a word for a part of a page.
var rePortion = pattern.Lazy(`(?i)\b(?:portions?|parts?) of\b|\bteile (?:der|dieser|des)\b|based on work`)

// rePicture is a word for a picture or another medium in a credit.
var rePicture = pattern.Lazy(`(?i)\b(?:photo|image|picture|illustration|figure|foto|bild|abbildung|` +
	`grafik|video|musi[ck]|music|audio|credit|imagen|` +
	`immagine|imagem|zdjęcie|фото)s?\b|写真|图片|圖片|사진`)

// reSubject is what a grant in running text is about: the page, the site, or its content.
var reSubject = pattern.Lazy(`(?i)\b(?:this|the|all|our|these|his|her|my)\b.{0,60}\b(?:work|site|` +
	`website|page|article|blog|post|content|contents|text|texts|` +
	`document|material|materials|tutorial|book|paper|dataset|data|wiki|story|recipe|report|thesis|` +
	`dissertation|publication|manual|guide|handbook|chapter|presentation|poster|journal)s?\b|(?:content|text|` +
	`community content) (?:is|are) |alle inhalte|` +
	`dies(?:e|er|es|em)|der inhalt|die inhalte|der text|cet(?:te)?\b|le contenu|ce (?:site|contenu|texte)|` +
	`el contenido|esta? |este |` +
	`quest[oa]|i contenuti|o conteúdo|de inhoud|tekst|treść|контент|материал|текст|この|本(?:站|文|作品|网站|網站|頁|页|サイト)|이 `)
