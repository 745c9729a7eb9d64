package langid

import "testing"

// TestDetect_oddTexts: some texts are in no language, or in a language that usually has other letters. They are
// unknown, and not assigned to a rare language. Similar texts in a language are recognised.
func TestDetect_oddTexts(t *testing.T) {
	const none = ""
	for _, tt := range []struct{ want, text string }{
		// These are source code, style sheets and data.
		{none, "func main() { for i := 0; i < n; i++ { fmt.Println(x[i]) } return err }"},
		{none, ".nav-item{margin:0 auto;padding:4px " +
			"8px;color:#fff;border-radius:3px}.btn:hover{background:#333;display:inline-block}"},
		{none, "#include <stdio.h>\nint main(int argc, char **argv) { printf(\"%d\\n\", argc); return 0; }"},
		{none, "var a = document.getElementById('menu'); a.onclick = function() { a.style.display = 'none'; };"},
		{none, "<div class=\"wrapper\"><ul id=\"menu\"><li><a href=\"#\">x</a></li></ul></div>"},
		{none, "{\"id\": 7, \"tags\": [\"alpha\", \"beta\"], \"nested\": {\"value\": null, \"ok\": true}}"},
		{none, "body{font:12px/1.5 arial;margin:0}a{color:#06c}a:hover{text-decoration:underline}"},
		{none, "export const add = (a, b) => a + b; export default { add, sub: (a, b) => a - b };"},
		{none, "if [[ -z \"$x\" ]]; then y=${x:-z}; fi; for f in *.c; do cc -o \"${f%.c}\" \"$f\"; done"},
		{none, "public static void main(String[] args) { List<String> x = new ArrayList<>(); x.add(args[0]); }"},
		{none, "\\documentclass{article}\\begin{document}\\section{x}\\label{sec:x}\\end{document}"},
		{none, "user_id=7;session_id=abc;last_seen=2024;theme=dark;lang_pref=x_y;max_items=40"},
		// These are written in the letters of another language.
		{none, "kifak ya habibi shou el akhbar lyom, inshalla tkoun mnih w kil shi tamem maak"},
		{none, "salam alaykom khoya, kidayr labas 3lik, fin rak daba wach f dar"},
		{none, "ti kaneis file mou, pame gia kafe avrio to apogevma stin paralia"},
		{none, "den ksero ti na sou po, mou fainetai oti exeis dikio alla den eimai sigouros"},
		{none, "mujhe nahi pata ki kal kya hoga, lekin hum sab milkar kaam karenge"},
		{none, "man emrooz be daneshgah raftam va ba doostam nahar khordam"},
		{none, "ya ne znayu chto emu skazat, on opyat opozdal na rabotu i zvonil mne"},
		{none, "boku wa ashita toukyou he iku tsumori desu kedo, isshoni ikimasen ka"},
		// These are names and headings of two words.
		{none, "Archives Unleashed"},
		{none, "ARCHIVES UNLEASHED"},
		{none, "Archives Unleashed 2017"},
		{none, "Hello World"},
		{none, "Sheet1 Sheet2 Sheet3"},
		{none, "asdf qwer"},
		{none, "12345 67890"},
		{none, "Kia Rio"},
		// These are Yiddish.
		{"yi", "דער רבי האט געזאגט אז מען דארף זיין פרייליך און נישט זארגן וועגן מארגן"},
		{"yi", "די קינדער זענען געגאנגען אין שול און האבן געלערנט מיט דעם רבי'ן"},
		{"yi", "דאָס איז אַ שיינער טאָג און מיר גייען אויף אַ שפּאַציר מיט די קינדער"},
		{"yi", "װאָס טוסטו היינט? איך גיי צו דער אַרבעט װי אַלע מאָל"},
		{"he", "ירושלים היא בירת ישראל והעיר הגדולה ביותר בה"},
		{"he", "הממשלה החליטה אתמול על תקציב חדש לשנה הבאה, ודי בכך כדי להרגיע את השווקים"},
		{"he", "הוא הלך אל השוק וקנה לחם, גבינה ושלושה בקבוקי יין אדום"},
		// These are in a script of one language, with names in Latin letters.
		{"th", "รีวิว Samsung Galaxy S24 Ultra กล้องสวยมาก"},
		{"ja", "iPhone 15 Pro Maxを買いました"},
		{"el", "Η Google ανακοίνωσε το Android Studio"},
		{"ko", "삼성전자 Galaxy S24 Ultra 출시"},
		{"zh", "苹果公司发布 MacBook Pro 与 iPad"},
		// These are in a script of several languages, with names in Latin letters.
		{"fa", "بررسی گوشی Samsung Galaxy S24 Ultra"},
		{"ar", "مراجعة هاتف Samsung Galaxy Ultra"},
		{"hi", "सैमसंग Galaxy S24 Ultra का रिव्यू"},
		{"mk", "Преглед на Samsung Galaxy Ultra"},
		{"sr", "Приказ игре Assassin's Creed Valhalla"},
		// These are headlines that consist mostly of names.
		{"fr", "Harrison Ford arrive dans Captain America Brave New World"},
		{"fi", "Manchester City voitti Newcastle Unitedin"},
		{"sq", "Manchester City fiton ndaj Newcastle United"},
		{"en", "Emmanuel Macron will meet Olaf Scholz in Berlin"},
		{"en", "Taylor Swift Announces The Life of a Showgirl Tour"},
		{"de", "Emmanuel Macron trifft Olaf Scholz"},
		{"ro", "Manchester City a învins Newcastle United"},
		// These are similar texts in a language.
		{"en", "The weather was fine, and the children went to the market with their mother."},
		{"en", "In C, x[i] is the same as *(x + i), which is why 3[a] compiles as well as a[3] does."},
		{"en", "Please read the terms & conditions (see section 4) before you sign up."},
		{"sw", "Watoto walikwenda sokoni pamoja na mama yao kununua matunda na mboga."},
		{"mi", "Kei te haere ngā tamariki ki te kura i te ata nei, ā, kei te koa rātou."},
		{"ga", "Tá an aimsir go breá inniu agus tá na páistí ag súgradh sa ghairdín."},
		{"cy", "Mae'r plant yn mynd i'r ysgol bob bore ac maen nhw'n hoffi chwarae yn yr ardd."},
		{"tl", "Ang mga bata ay pumunta sa palengke kasama ang kanilang ina upang bumili ng prutas."},
		{"so", "Carruurtu waxay aadeen suuqa iyaga oo la socda hooyadood si ay u soo iibsadaan khudaar."},
		{"de", "Die Kinder gingen mit ihrer Mutter auf den Markt, um Obst zu kaufen."},
		{"fr", "Les enfants sont allés au marché avec leur mère pour acheter des fruits."},
		{"es", "Los niños fueron al mercado con su madre a comprar fruta y verdura."},
		{"it", "I bambini sono andati al mercato con la madre per comprare la frutta."},
		{"pt", "As crianças foram ao mercado com a mãe para comprar frutas e legumes."},
		{"nl", "De kinderen gingen met hun moeder naar de markt om fruit te kopen."},
		{"ro", "Copiii au mers la piață împreună cu mama lor ca să cumpere fructe."},
		{"sv", "Barnen gick till torget med sin mamma för att köpa frukt och grönsaker."},
		{"da", "Børnene gik på torvet med deres mor for at købe frugt og grøntsager."},
		{"sq", "Fëmijët shkuan në treg me nënën e tyre për të blerë fruta dhe perime."},
		{"hr", "Djeca su otišla na tržnicu s majkom kupiti voće i povrće."},
		{"uk", "Діти пішли на ринок разом із мамою, щоб купити фрукти й овочі."},
		{"bg", "Децата отидоха на пазара с майка си, за да купят плодове и зеленчуци."},
		{"be", "Дзеці пайшлі на рынак разам з маці, каб купіць садавіну і гародніну."},
		{"mk", "Децата отидоа на пазар со мајка им за да купат овошје и зеленчук."},
		{"is", "Börnin fóru á markaðinn með móður sinni til að kaupa ávexti og grænmeti."},
		// These have few frequent words.
		{"de", "Polizei sucht Zeugen: Radfahrer nach Unfall schwer verletzt"},
		{"sv", "Republikaner skrämmer bort kvinnliga väljare inför mellanårsvalet"},
		{"da", "Kokken Jens Olsen åbner restaurant nummer syv midt i København"},
		{"ca", "Els nens van anar al mercat amb la seva mare per comprar fruita i verdura."},
	} {
		got := New(Options{}).Detect(tt.text)
		code := none
		if len(got) > 0 && got[0].Code != Unknown && got[0].Code != NoLanguage {
			code = got[0].Code
		}
		if code != tt.want {
			t.Errorf("Detect(%q) = %v, want %q", tt.text, got, tt.want)
		}
	}
}
