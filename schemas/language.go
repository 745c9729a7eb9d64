package schemas

import "strings"

// IsLanguage reports whether code names a language. It does not if it is empty, "und" (the language is unknown) or
// "zxx" (the text is in no language, such as a program).
func IsLanguage(code string) bool { return code != "" && code != "und" && code != "zxx" }

// languageAliases maps codes of languages to those of documents. They are withdrawn codes, and codes of three letters
// for languages with one in ISO 639-1.
var languageAliases = func() map[string]string {
	aliases := map[string]string{"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
	fields := strings.Fields(languageCodes3)
	for i := 0; i+1 < len(fields); i += 2 {
		aliases[fields[i]] = fields[i+1]
	}
	return aliases
}()

// languageCodes3 has pairs of codes. The first lines are ISO 639-2/T, the next are other codes of ISO 639-2/B. The last
// are the main languages of groups in ISO 639-3.
const languageCodes3 = "" +
	"aar aa  abk ab  ave ae  afr af  aka ak  amh am  arg an  ara ar  asm as  ava av  aym ay  aze az  bak ba  " +
	"bel be  bul bg  bih bh  bis bi  bam bm  ben bn  bod bo  bre br  bos bs  cat ca  che ce  cha ch  cos co  " +
	"cre cr  ces cs  chu cu  chv cv  cym cy  dan da  deu de  div dv  dzo dz  ewe ee  ell el  eng en  epo eo  " +
	"spa es  est et  eus eu  fas fa  ful ff  fin fi  fij fj  fao fo  fra fr  fry fy  gle ga  gla gd  glg gl  " +
	"grn gn  guj gu  glv gv  hau ha  heb he  hin hi  hmo ho  hrv hr  hat ht  hun hu  hye hy  her hz  ina ia  " +
	"ind id  ile ie  ibo ig  iii ii  ipk ik  ido io  isl is  ita it  iku iu  jpn ja  jav jv  kat ka  kon kg  " +
	"kik ki  kua kj  kaz kk  kal kl  khm km  kan kn  kor ko  kau kr  kas ks  kur ku  kom kv  cor kw  kir ky  " +
	"lat la  ltz lb  lug lg  lim li  lin ln  lao lo  lit lt  lub lu  lav lv  mlg mg  mah mh  mri mi  mkd mk  " +
	"mal ml  mon mn  mol ro  mar mr  msa ms  mlt mt  mya my  nau na  nob nb  nde nd  nep ne  ndo ng  nld nl  " +
	"nno nn  nor no  nbl nr  nav nv  nya ny  oci oc  oji oj  orm om  ori or  oss os  pan pa  pli pi  pol pl  " +
	"pus ps  por pt  que qu  roh rm  run rn  ron ro  rus ru  kin rw  san sa  srd sc  snd sd  sme se  sag sg  " +
	"hbs sh  sin si  slk sk  slv sl  smo sm  sna sn  som so  sqi sq  srp sr  ssw ss  sot st  sun su  swe sv  " +
	"swa sw  tam ta  tel te  tgk tg  tha th  tir ti  tuk tk  tgl tl  tsn tn  ton to  tur tr  tso ts  tat tt  " +
	"twi tw  tah ty  uig ug  ukr uk  urd ur  uzb uz  ven ve  vie vi  vol vo  wln wa  wol wo  xho xh  yid yi  " +
	"yor yo  zha za  zho zh  zul zu  " +
	"alb sq  arm hy  baq eu  bur my  chi zh  cze cs  dut nl  fre fr  geo ka  ger de  gre el  ice is  mac mk  " +
	"mao mi  may ms  per fa  rum ro  slo sk  tib bo  wel cy  scr hr  scc sr  " +
	"cmn zh  arb ar  pes fa  khk mn  zsm ms  ekk et  lvs lv  swh sw  uzn uz  azj az  plt mg  npi ne  ory or  " +
	"ydd yi  fil tl"

// languageMembers are the languages covered by a code for several.
var languageMembers = map[string][]string{"no": {"nb", "nn"}, "sh": {"bs", "hr", "sr"}}

// LanguageCodes returns the codes that documents may have for a code of ISO 639 in lower case, mostly the same one.
func LanguageCodes(code string) []string {
	if alias := languageAliases[code]; alias != "" {
		code = alias
	}
	// Documents of other programs may have the code for several.
	return append([]string{code}, languageMembers[code]...)
}
