package langid

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var lines = flag.String("lines", "", "`file` of a code, a tab and a text in each line; \\n in the text is a line feed")

// TestDetect_lines prints how many lines of each label are recognised. The label of noise is not a code: then the
// answers are printed.
func TestDetect_lines(t *testing.T) {
	if *lines == "" {
		t.Skip("-lines names no file: texts of others")
	}
	f, err := os.Open(*lines)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	of, wrong := macro{}, map[string]map[string]int{}
	d := New(Options{})
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		label, text, _ := strings.Cut(s.Text(), "\t")
		got := "-"
		if l := d.Detect(strings.ReplaceAll(text, `\n`, "\n")); len(l) > 0 {
			got = l[0].Code
		}
		if of.add(label, got == label); got != label {
			if wrong[label] == nil {
				wrong[label] = map[string]int{}
			}
			wrong[label][got]++
		}
	}
	if err := s.Err(); err != nil || len(of) == 0 {
		t.Fatalf("%s: no lines: %v", *lines, err)
	}
	var list []string
	for label, n := range of {
		list = append(list, fmt.Sprintf("%.3f %s of %v %v", n[0]/n[1], label, n[1], wrong[label]))
	}
	slices.Sort(list)
	t.Logf("%.4f\n%s", of.mean(), strings.Join(list, "\n"))
}

// The texts are beginnings of the Universal Declaration of Human Rights, and sentences of ours.
func TestDetect_minor(t *testing.T) {
	for _, tt := range []struct{ want, text string }{
		{"gl", "Todos os seres humanos nacen libres e iguais en dignidade e dereitos e, dotados como están de razón e " +
			"conciencia, débense comportar fraternalmente uns cos outros."},
		{"br", "Dieub ha par en o dellezegezh hag o gwirioù eo ganet an holl dud. Poell ha skiant zo dezho ha dleout a " +
			"reont bevañ an eil gant egile en ur spered a genvreudeuriezh."},
		{"fy", "Alle minsken wurde frij en gelyk yn weardigens en rjochten berne. Hja hawwe ferstân en gewisse meikrigen " +
			"en hearre har foar inoar oer yn in geast fan bruorskip te hâlden en te dragen."},
		{"lb", "All Mënsch kënnt fräi a mat deer selwechter Dignitéit an dene selwechte Rechter op d'Welt. Jiddereen huet " +
			"säi Verstand a säi Gewësse krut a soll an engem Geescht vu Bridderlechkeet denen anere géintiwwer handelen."},
		{"mt", "Il-bnedmin kollha jitwieldu ħielsa u ugwali fid-dinjità u d-drittijiet. Huma mogħnija bir-raġuni u " +
			"bil-kuxjenza u għandhom iġibu ruħhom ma' xulxin bi spirtu ta' aħwa."},
		{"hsb", "Wšitcy čłowjekojo su wot naroda swobodni a su jenacy po dostojnosći a prawach. Woni su z rozumom a " +
			"swědomjom wobdarjeni a maja mjezsobu w duchu bratrowstwa wobchadźeć."},
		{"tt", "Барлык кешеләр дә азат һәм үз абруйлары һәм хокуклары ягыннан тиң булып туалар. Аларга акыл һәм вөҗдан " +
			"бирелгән һәм бер-берсенә карата туганнарча мөнәсәбәттә булырга тиешләр."},
		{"tg", "Тамоми одамон озод ба дунё меоянд ва аз лиҳози манзилату ҳуқуқ бо ҳам баробаранд. Ҳама соҳиби ақлу " +
			"виҷдонанд, бояд нисбат ба якдигар бародарвор муносабат намоянд."},
		{"chr", "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ."},
		// Their large relatives are not taken for them.
		{"es", "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y " +
			"conciencia, deben comportarse fraternalmente los unos con los otros."},
		{"nl", "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en " +
			"geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen."},
		{"nl", "Bewerk deze pagina of maak een account aan om uw voorkeuren op te slaan, en bekijk de lijst met wijzigingen."},
		{"en", "Edit this page or create an account to save your preferences, and see the list of recent changes."},
	} {
		if got := New(Options{}).Detect(tt.text); len(got) != 1 || got[0].Code != tt.want {
			t.Errorf("Detect(%.40q…) = %v, want %s", tt.text, got, tt.want)
		}
	}
}

// Every smaller language that may not be reported is in the table.
func TestUnsure_isInTheTable(t *testing.T) {
	for _, code := range unsure {
		known := false
		for _, l := range minorModels().Languages {
			known = known || l.Code == code
		}
		if _, isLarge := languageNumbers()[code]; !known || isLarge {
			t.Errorf("%s is not a smaller language of the table", code)
		}
	}
}
