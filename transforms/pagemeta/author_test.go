package pagemeta

import (
	"slices"
	"strings"
	"testing"
)

// TestExtract_severalAuthors: lists of names are separated in languages that write them with separators, declared or
// shown.
func TestExtract_severalAuthors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Anna Weber und Bert Koch, dpa", "Anna Weber; Bert Koch"},
		{"Von Anna Weber und Bert Koch, dpa", "Anna Weber; Bert Koch"},
		{"Anna Weber, Bert Koch und Carla Lenz", "Anna Weber; Bert Koch; Carla Lenz"},
		{"Anna Weber u. Bert Koch", "Anna Weber; Bert Koch"},
		{"Anne Martin et Luc Petit", "Anne Martin; Luc Petit"},
		{"Par Anne Martin et Luc Petit avec AFP", "Anne Martin; Luc Petit"},
		{"Ana Gil y Luis Mora", "Ana Gil; Luis Mora"},
		{"Por Ana Gil e Ivo Mora", "Ana Gil; Ivo Mora"},
		{"José Ortega y Gasset", "José Ortega y Gasset"},
		{"Jane Doe and John Roe", "Jane Doe; John Roe"},
		{"Jane Doe, John Roe, and Ann Poe", "Jane Doe; John Roe; Ann Poe"},
		{"Jane Doe with John Roe", "Jane Doe; John Roe"},
		{"Jan Nowak i Ewa Lis", "Jan Nowak; Ewa Lis"},
		{"Jan Nowak oraz Ewa Lis", "Jan Nowak; Ewa Lis"},
		{"Jan Novák a Eva Malá", "Jan Novák; Eva Malá"},
		{"Иван Петров и Анна Белова", "Иван Петров; Анна Белова"},
		{"Іван Петренко та Ганна Біла", "Іван Петренко; Ганна Біла"},
		{"Matti Aho ja Liisa Salo", "Matti Aho; Liisa Salo"},
		{"Ali Kaya ve Ayşe Demir", "Ali Kaya; Ayşe Demir"},
		{"Lars Berg och Eva Lind", "Lars Berg; Eva Lind"},
		{"Jan Smit en Piet Bos", "Jan Smit; Piet Bos"},
		{"Budi Santoso dan Siti Aminah", "Budi Santoso; Siti Aminah"},
		{"Ion Popa și Ana Rusu", "Ion Popa; Ana Rusu"},
		{"Nagy Péter és Kiss Anna", "Nagy Péter; Kiss Anna"},
		{"Νίκος Παππάς και Άννα Λύρα", "Νίκος Παππάς; Άννα Λύρα"},
		{"山田太郎、鈴木花子", "山田太郎; 鈴木花子"},
		{"王小明 张伟", "王小明 张伟"},
		{"محمد علي و سارة حسن", "محمد علي; سارة حسن"},
		{"علی رضایی، مریم کریمی", "علی رضایی; مریم کریمی"},
		{"राम शर्मा और सीता वर्मा", "राम शर्मा; सीता वर्मा"},
		{"Jane Doe / Reuters", "Jane Doe"},
		{"Roe, Jane", "Jane Roe"},
		{"Roe, Jane; Doe, John", "Jane Roe; John Doe"},
		{"JANE DOE AND JOHN ROE", "JANE DOE; JOHN ROE"},
		{"ANNA WEBER UND BERT KOCH", "ANNA WEBER; BERT KOCH"},
		{"DAN BROWN", "DAN BROWN"},
		{"Jane Doe, Staff Writer", "Jane Doe"},
		{"Jane Doe, Political Editor", "Jane Doe"},
		{"Jane Doe and John Roe, Senior Reporters", "Jane Doe; John Roe"},
		{"Anna Weber, Redakteurin", "Anna Weber"},
		{"Anne Martin, journaliste au Monde", "Anne Martin"},
		{"Иван Петров, корреспондент РИА", "Иван Петров"},
		{"Jane Doe, PhD", "Jane Doe, PhD"},
		{"Jane Doe in Berlin", "Jane Doe"},
		{"Von Anna Weber, Berlin", "Anna Weber"},
		{"Anne Martin, à Paris", "Anne Martin"},
		{"262588213843476", ""},
		{"page.head.extra.author", ""},
		{"{{ author.name }}", ""},
		{"12", ""},
		{"Berlin", ""},
		{"New York", ""},
		{"(dpa)", "dpa"},
		{"Reuters", "Reuters"},
		{"", ""},
	}
	for _, tt := range tests {
		for form, src := range map[string]string{
			"json-ld": `<h1>How the old bridge was saved</h1><script type="application/ld+json">{"@type":"NewsArticle",` +
				`"headline":"How the old bridge was saved","author":{"@type":"Person","name":"` + tt.text + `"}}</script>`,
			"meta": `<meta name=author content="` + tt.text + `"><h1>How the old bridge was saved</h1>`,
		} {
			if got := strings.Join(extract(src).Authors, "; "); got != tt.want {
				t.Errorf("%s: authors of %q are %q, want %q", form, tt.text, got, tt.want)
			}
		}
	}
}

// TestExtract_bylines: by-lines are read in many languages, in one element and in several.
func TestExtract_bylines(t *testing.T) {
	tests := []struct{ html, want string }{
		{"<p>Von Anna Weber und Bert Koch</p>", "Anna Weber; Bert Koch"},
		{"<p>Von <a>Anna Weber</a> und <a>Bert Koch</a></p>", "Anna Weber; Bert Koch"},
		{"<p>Par <a>Anne Martin</a> et <a>Luc Petit</a></p>", "Anne Martin; Luc Petit"},
		{"<p>Por <a>Ana Gil</a> y <a>Luis Mora</a></p>", "Ana Gil; Luis Mora"},
		{"<p>Di <b>Marco Rossi</b></p>", "Marco Rossi"},
		{"<p>di Marco Rossi e Anna Verdi</p>", "Marco Rossi; Anna Verdi"},
		{"<p>Scritto da Marco Rossi</p>", "Marco Rossi"},
		{"<p>Av Lars Berg och Eva Lind</p>", "Lars Berg; Eva Lind"},
		{"<p>Skrevet af <a>Lars Berg</a></p>", "Lars Berg"},
		{"<p>Napisał Jan Nowak</p>", "Jan Nowak"},
		{"<p>Автор: Иван Петров и Анна Белова</p>", "Иван Петров; Анна Белова"},
		{"<p>Oleh Budi Santoso dan Siti Aminah</p>", "Budi Santoso; Siti Aminah"},
		{"<p>Yazan: Ali Kaya</p>", "Ali Kaya"},
		{"<p>記者 山田太郎</p>", "山田太郎"},
		{"<p>Write-up: Jane Doe and <a>John Roe</a></p>", ""},
		{"<p>Di Canio</p>", ""},
		{"<p>By Jane Doe, Berlin</p>", "Jane Doe"},
		{"<p>By Jane Doe and John Roe in New York</p>", "Jane Doe; John Roe"},
		{"<p>Von Anna Weber, dpa</p>", "Anna Weber"},
	}
	for _, tt := range tests {
		if got := strings.Join(extract("<title>How the old bridge was saved</title><h1>How the old bridge was saved</h1>"+
			tt.html).Authors, "; "); got != tt.want {
			t.Errorf("authors of %q are %q, want %q", tt.html, got, tt.want)
		}
	}
}

// TestExtract_monthAsName: Jan and Marco are given names, but months before a number.
func TestExtract_monthAsName(t *testing.T) {
	for text, want := range map[string]string{
		"By Jan Smit":                 "Jan Smit",
		"By Jan Smit and Marco Rossi": "Jan Smit; Marco Rossi",
		"By Jane Doe Jan 3, 2024":     "Jane Doe",
		"Von Mart Kask, 3. Mart 2024": "Mart Kask",
		"By Jane Doe, March":          "Jane Doe",
		"By Ann May":                  "Ann May",
		"March 3, 2024":               "",
		"By March 3, 2024":            "",
	} {
		got := strings.Join(extract("<h1>How the old bridge was saved</h1><p>"+text+"</p>").Authors, "; ")
		if got != want {
			t.Errorf("authors of %q are %q, want %q", text, got, want)
		}
	}
}

// TestExtract_shownAuthors: by-lines in several languages, with text after the names.
func TestExtract_shownAuthors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"김철수 기자", "김철수"},
		{"(서울=연합뉴스) 김철수 기자 = 다리가", "김철수"},
		{"김철수기자단", ""},
		{"기자 회견", ""},
		{"记者 王小明、李华 报道", "王小明; 李华"},
		{"Par Anne Martin, publié le 3 mars 2024", "Anne Martin"},
		{"Von Anna Weber, veröffentlicht am 3. März", "Anna Weber"},
		{"Teksti: Matti Aho ja Liisa Salo", "Matti Aho; Liisa Salo"},
		{"By JANE DOE AND JOHN ROE", "JANE DOE; JOHN ROE"},
		{"By Jane Doe, Staff Writer", "Jane Doe"},
	}
	for _, tt := range tests {
		m := extract(`<title>How the old bridge was saved</title><h1>How the old bridge was saved</h1><p>` + tt.text +
			`</p><p>It was old, and many people wanted it to stay where it was.</p>`)
		if got := strings.Join(m.Authors, "; "); got != tt.want {
			t.Errorf("authors of %q are %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestByline(t *testing.T) {
	for text, want := range map[string][]string{
		"Jane Doe":                              {"Jane Doe"},
		"Jane Doe, 1 May 2024":                  {"Jane Doe"},
		"Posted by Jane Doe on May 1, 2024":     {"Jane Doe"},
		"Written by ann7":                       {"ann7"},
		"Publié par Zoé Roux":                   {"Zoé Roux"},
		"Geschrieben von ann_7":                 {"ann_7"},
		"Автор: Анна Иванова":                   {"Анна Иванова"},
		"Jane Doe and John Roe":                 {"Jane Doe", "John Roe"},
		"ann7 (Moderator)":                      {"ann7"},
		"Administrator":                         {"Administrator"},
		"old bridge fan":                        {"old bridge fan"},
		"Ann Lee 77":                            {"Ann Lee 77"},
		"Mr Bean!":                              {"Mr Bean!"},
		"New York":                              {"New York"},
		"4711":                                  {"4711"},
		"von_Miller":                            {"von_Miller"},
		"Von Miller":                            {"Von Miller"},
		"db0@lemmy.example":                     {"db0@lemmy.example"},
		"小林":                                    {"小林"},
		"":                                      nil,
		"Administrator » Sat May 4, 2024 10:00": nil,
	} {
		if got := Byline(text); !slices.Equal(got, want) {
			t.Errorf("Byline(%q) = %q, want %q", text, got, want)
		}
	}
}
