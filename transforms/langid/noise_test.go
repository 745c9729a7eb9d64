package langid

import (
	"strings"
	"testing"
)

func TestDetect_noLanguage(t *testing.T) {
	for name, text := range map[string]string{
		"Go":          "func main() {\n\tfor i := 0; i < n; i++ {\n\t\tx[i] = sum(y[i], z)\n\t}\n\treturn err\n}\n",
		"style sheet": ".menu {\n  display: none;\n  float: left;\n}\n.menu a:hover {\n  color: red;\n}\n",
		"JSON":        "{\n  \"name\": \"tool\",\n  \"license\": \"MIT\",\n  \"private\": true,\n  \"main\": \"index\"\n}\n",
		"YAML":        "services:\n  web:\n    image: nginx\n    ports:\n      - main\n    restart: always\n",
		"SQL":         "CREATE TABLE page_links (\n  pl_from INTEGER NOT NULL,\n  pl_title VARCHAR NOT NULL\n);\n",
		"checksums":   strings.Repeat("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", 3),
		"parts":       strings.Repeat("ISBN 978-3-16-148410-0\n", 12),
		"consonants":  "zxcv qwrt dfgh vbnm xcvb tgbh plkj mnbv wqzx hjkl ghjk rtzp qwdf yxcv bnml kjhg fdsp",
		"addresses":   strings.Repeat("https://www.example.org/path/to/a/page.html?id=77&view=list\n", 3),
	} {
		if got := New(Options{}).Detect(text); len(got) != 1 || got[0].Code != NoLanguage {
			t.Errorf("%s: Detect = %v, want %s", name, got, NoLanguage)
		}
	}
}

// Text with some signs of programs, and headings of wikis, is in its language.
func TestDetect_languageWithSigns(t *testing.T) {
	for want, text := range map[string]string{
		"en": "Call open() first; it returns an error if the file is missing (see close). Then read the lines, and write " +
			"them to the other file.",
		"de": "== Einleitung ==\nDie Kinder gingen mit ihrer Mutter auf den Markt, um Obst zu kaufen.\n== Schluss ==\n" +
			"Danach sind alle nach Hause gegangen.",
		"xh": "UMongameli waseMzantsi Afrika uthethe eKapa nabantu baseKhayelitsha malunga nomsebenzi wabo wemihla ngemihla.",
	} {
		if got := New(Options{}).Detect(text); len(got) != 1 || got[0].Code != want {
			t.Errorf("Detect(%.40q…) = %v, want %s", text, got, want)
		}
	}
}
