package pagemeta

import (
	"strings"
	"testing"
)

// TestExtract_labels: several labels with names in one line or in elements of their own.
func TestExtract_labels(t *testing.T) {
	for html, want := range map[string]string{
		"<p>作者：王小明 来源：晨报</p>":                                               "王小明",
		"<p>作者：王小明　责任编辑：李华</p>":                                             "王小明",
		"<p>来源：晨报 作者：王小明 编辑：李华</p>":                                         "王小明",
		"<p>2018-05-09 12:40 来源：晨报 記者：王小明</p>":                              "王小明",
		"<div><span>作者：</span><span>责任编辑：李华</span></div>":                   "",
		"<div><span>作者：</span><span>来源：晨报</span></div>":                     "",
		"<div><span>著者：</span><span>編集：山田花子</span></div>":                   "",
		"<div><span>Author:</span> <span>Source: Daily</span></div>":        "",
		"<p>他对 作者 说</p>":                                                    "",
		"<p>By Jane Doe, Staff Engineer</p>":                                "Jane Doe",
		"<p>By Jane Doe, Founder and CEO</p>":                               "Jane Doe",
		"<p>Posted by Jane Doe, Product Manager on Maps</p>":                "Jane Doe",
		"<p>By Jane Doe, Professor of History, and John Roe, Economist</p>": "Jane Doe; John Roe",
		"<div>Crafted with <i>♥</i> by <a href=/t>Many Themes</a></div>":    "",
		"<div>Theme <i></i> by <a href=/t>Many Themes</a></div>":            "",
		"<div>Made with <i></i> by <a href=/t>Jo Roe</a></div>":             "",
		"<p>Built on <a>Sand</a> by <a>Jane Doe</a></p>":                    "Jane Doe",
		"<p>Built on <a>Sand</a> by Jane Doe</p>":                           "Jane Doe",
		"<p>Made with <a>Love</a> by <a>Jane Doe</a></p>":                   "Jane Doe",
		"<p>Theme: <a>Old towns</a> by <a>Jane Doe</a></p>":                 "Jane Doe",
		"<p>© Old Town • Made with <i>♥</i> by <a>Jane Doe</a></p>":         "",
		"<p>© Old Town. Made with <i>♥</i> by <a>Jane Doe</a></p>":          "",
		"<p>Made in Italy, <a>part 3</a> by <a>Jane Doe</a></p>":            "Jane Doe",
		"<p>Made with <a>Hugo</a> • <a>News</a> by <a>Jane Doe</a></p>":     "Jane Doe",
		"<p>In <a>Made in Italy</a> by <a>Jane Doe</a></p>":                 "Jane Doe",
		"<p><a>Made in Italy</a> by <a>Jane Doe</a></p>":                    "Jane Doe",
		"<p><a>Theme Parks</a> <i>new</i> by <a>Jane Doe</a></p>":           "Jane Doe",
		"<div>A story <i></i> by <a href=/t>Jo Roe</a></div>":               "Jo Roe",
		"<p>Von Anna Weber, Chefredakteurin</p>":                            "Anna Weber",
	} {
		got := strings.Join(extract("<h1>How the old bridge was saved</h1>"+html).Authors, "; ")
		if got != want {
			t.Errorf("authors of %q are %q, want %q", html, got, want)
		}
	}
}

// TestExtract_profileLinks: anchors of authors that are buttons.
func TestExtract_profileLinks(t *testing.T) {
	for html, want := range map[string]string{
		`<a rel=author href=/ann>Ann Lee</a> <a rel=author href=/ann>More posts</a>`:              "Ann Lee",
		`<a rel=author href=/ann>Ann Lee</a> <a rel=author href=/bo>Bo Ray</a>`:                   "Ann Lee; Bo Ray",
		`<a rel=author href=/ann><img src=a></a><a rel=author href=/ann>Ann Lee</a>`:              "Ann Lee",
		`<a rel=author href=/ann>Ann Lee</a> <a rel=author>Bo Ray</a> <a rel=author>Cy Orr</a>`:   "Ann Lee; Bo Ray; Cy Orr",
		`<a rel=author class=profile-link href=https://www.blogger.com/profile/7>Mein Profil</a>`: "",
		`<a rel=author class=profile-link href=https://example.org/profile/7>Ann Lee</a>`:         "Ann Lee",
	} {
		got := strings.Join(extract("<h1>How the old bridge was saved</h1><p>"+html+"</p>").Authors, "; ")
		if got != want {
			t.Errorf("authors of %q are %q, want %q", html, got, want)
		}
	}
}

// TestExtract_titleMarks: separators without a name, a name between two, and the title as the application's name.
func TestExtract_titleMarks(t *testing.T) {
	const site = `<meta property="og:site_name" content="Old Town Blog">`
	for html, want := range map[string]string{
		"<title>How the old bridge was saved | </title>":                                "How the old bridge was saved",
		"<title>How the old bridge was saved - </title>":                                "How the old bridge was saved",
		"<title>How the old bridge was saved :: </title>":                               "How the old bridge was saved",
		"<title>Comment fut sauvé le pont :</title>":                                    "Comment fut sauvé le pont :",
		"<title>Le maire et « son pont »</title>":                                       "Le maire et « son pont »",
		"<title>How the old bridge was saved @ Old Town Blog :: Webhost</title>" + site: "How the old bridge was saved",
		"<title>How the old bridge was saved | Old Town Blog | Europe</title>" + site:   "How the old bridge was saved",
		"<title>How the old bridge was saved by the town</title><meta property='og:title' content='How the old bridge was " +
			"saved by the town'><meta name=application-name content='How the old bridge was saved by the town'>" + site +
			"<h1>Good evening</h1>": "How the old bridge was saved by the town",
	} {
		if got := extract(html + "<p>It was old.</p>").Title; got != want {
			t.Errorf("title of %q is %q, want %q", html, got, want)
		}
	}
}

// TestExtract_labelsAfterNames: labels of other values after a by-line, and roles before a colon.
func TestExtract_labelsAfterNames(t *testing.T) {
	for line, want := range map[string]string{
		"By Jane Doe Date: May 1, 2018":                "Jane Doe",
		"By Jane Doe Category: News":                   "Jane Doe",
		"By Jane Doe Comments: 12":                     "Jane Doe",
		"By Jane Doe Tags: Bridges":                    "Jane Doe",
		"By Jane Doe Views: 300":                       "Jane Doe",
		"By Jane Doe Email: jane@a.example":            "Jane Doe",
		"By Jane Doe Photos: John Roe":                 "Jane Doe",
		"By Jane Doe, Photos: John Roe":                "Jane Doe",
		"By Jane Doe and John Roe Source: Reuters":     "Jane Doe; John Roe",
		"By Jane Doe and John Roe: a report":           "Jane Doe; John Roe",
		"By Jane Doe Reading Time: 3 minutes":          "Jane Doe",
		"Por Gabriel García Márquez: crónica":          "Gabriel García Márquez",
		"By JANE DOE DATE: MAY 1, 2018":                "JANE DOE",
		"By Jane Doe, John Roe: a report":              "Jane Doe; John Roe",
		"Von Anna Weber Fotos:":                        "Anna Weber",
		"Von Anna Weber Fotos: Bert Koch":              "Anna Weber",
		"Von Anna Weber Lesezeit: 3 Minuten":           "Anna Weber",
		"Por Ana López Fotos: Luis Mora":               "Ana López",
		"Par Anne Martin Photos : Luc Petit":           "Anne Martin",
		"Автор: Иван Петров Фото: Анна Белова":         "Иван Петров",
		"By Staff Writer: Jane Doe":                    "",
		"By Political Editor: Jane Doe":                "",
		"By Jane Doe, Staff Writer: The bridge":        "Jane Doe",
		"By Jane Doe, Software Engineer: a new bridge": "Jane Doe",
		"By Category: News":                            "",
		"By Jane:":                                     "Jane",
	} {
		got := strings.Join(extract("<h1>How the old bridge was saved</h1><p>"+line+"</p>").Authors, "; ")
		if got != want {
			t.Errorf("authors of %q are %q, want %q", line, got, want)
		}
	}
}

// TestExtract_affiliations: universities and positions beside names, in by-lines and declared.
func TestExtract_affiliations(t *testing.T) {
	for line, want := range map[string]string{
		"Jane Doe, University of Melbourne":                                     "Jane Doe",
		"Jane Doe, Stanford University":                                         "Jane Doe",
		"Jane Doe, Princeton University and John Roe, Yale University":          "Jane Doe; John Roe",
		"Jane Doe, Princeton University, and John Roe, University of Melbourne": "Jane Doe; John Roe",
		"Jane Doe and John Roe, Stanford University":                            "Jane Doe; John Roe",
		"Jane Doe, Software Engineer, and Ann Lee":                              "Jane Doe; Ann Lee",
		"Jane Doe, Chief Economist and Bob Roe, Analyst":                        "Jane Doe; Bob Roe",
		"Jane Doe, Senior Analyst and Bob Roe":                                  "Jane Doe; Bob Roe",
		"Jane Doe, Product Manager & Bob Roe, Lead Designer":                    "Jane Doe; Bob Roe",
		"Jane Doe, Associate Professor and Bob Roe":                             "Jane Doe; Bob Roe",
		"Anna Weber, Universität Hamburg":                                       "Anna Weber",
		"Anna Weber, Universität Hamburg und Bert Koch, Universität Bremen":     "Anna Weber; Bert Koch",
		"Anne Martin, Université de Paris et Luc Petit":                         "Anne Martin; Luc Petit",
		"Jane Doe, Software Engineer at Google":                                 "Jane Doe",
		"Jane Doe, Department of Physics, University of Melbourne":              "Jane Doe",
		"Jane Doe, Stanford University and Harvard University":                  "Jane Doe",
		"Department of Health, Jane Doe":                                        "Department of Health; Jane Doe",
		"Petr Novák, Univerzita Karlova":                                        "Petr Novák",
		"Ana Gil, Universidad de Chile":                                         "Ana Gil",
		"University of Melbourne and Jane Doe":                                  "University of Melbourne; Jane Doe",
		"Jane Doe and Carnegie Mellon University":                               "Jane Doe; Carnegie Mellon University",
		"Jane Doe and New Scientist":                                            "Jane Doe; New Scientist",
		"Carnegie Mellon University and Jane Doe":                               "Carnegie Mellon University; Jane Doe",
		"The Economist, Jane Doe":                                               "The Economist; Jane Doe",
		"Jane Doe, Bob Engineer and Ann Lee":                                    "Jane Doe; Bob Engineer; Ann Lee",
		"University of Melbourne":                                               "University of Melbourne",
	} {
		for _, html := range []string{"<p>By " + line + "</p>", `<meta name=author content="` + line + `">`} {
			got := strings.Join(extract("<h1>How the old bridge was saved</h1>"+html).Authors, "; ")
			if got != want {
				t.Errorf("authors of %q are %q, want %q", html, got, want)
			}
		}
	}
}

// TestExtract_ordinaryAuthors: by-lines that look like credits, roles or labels and are not.
func TestExtract_ordinaryAuthors(t *testing.T) {
	for html, want := range map[string]string{
		"<p>By Jane Doe and New Scientist</p>":                                 "Jane Doe; New Scientist",
		"<p>By Carnegie Mellon University and Jane Doe</p>":                    "Carnegie Mellon University; Jane Doe",
		"<p>By The Economist, Jane Doe</p>":                                    "The Economist; Jane Doe",
		"<p>By Jane Doe, Bob Engineer and Ann Lee</p>":                         "Jane Doe; Bob Engineer; Ann Lee",
		"<p>Von Anna Weber und Neue Designer</p>":                              "Anna Weber; Neue Designer",
		"<p>By Jane Doe, Founder and Managing Director</p>":                    "Jane Doe",
		"<p>By Jane Doe, Lead Designer and Product Manager</p>":                "Jane Doe",
		"<p>By Jane Doe, Senior Reporter and John Roe, Editor</p>":             "Jane Doe; John Roe",
		"<p><a>Made in Germany</a> | <span>By <a>Jane Doe</a></span></p>":      "Jane Doe",
		"<p><a>Theme Parks</a> | <span>By <a>Jane Doe</a></span></p>":          "Jane Doe",
		"<p><a>Designed Objects</a> · by <a>Jane Doe</a></p>":                  "Jane Doe",
		"<p><b>Made in Italy</b> | by <a>Jane Doe</a></p>":                     "Jane Doe",
		"<p>Designed <i>♥</i> by <a>Many Themes</a></p>":                       "",
		"<p>By Jane Doe: a report</p>":                                         "Jane Doe",
		"<p>Von Anna Weber: ein Bericht</p>":                                   "Anna Weber",
		"<p>Par Anne Martin : un reportage</p>":                                "Anne Martin",
		"<p>By Jane Doe:</p>":                                                  "Jane Doe",
		"<p>By Jane:Doe Smith</p>":                                             "",
		"<div>时间：2018-05-09 来源：晨报 作者：</div><div>市政府昨日宣布</div>":                 "",
		"<div>时间：2018-05-09 来源：晨报 作者：<span>王小明</span></div><div>市政府昨日宣布</div>": "王小明",
		"<p>作者：本站</p>":                                                         "",
		"<p>作者：未知</p>":                                                         "",
		"<p>来源：晨报 作者：佚名</p>":                                                   "",
		"<p>来源：网络 作者：互联网</p>":                                                  "",
		"<p>作者：王小明 摄</p>":                                                      "王小明",
		"<p>作者：王小明 攝</p>":                                                      "王小明",
		"<meta name=author content=匿名>":                                        "",
	} {
		got := strings.Join(extract("<h1>How the old bridge was saved</h1>"+html).Authors, "; ")
		if got != want {
			t.Errorf("authors of %q are %q, want %q", html, got, want)
		}
	}
}
