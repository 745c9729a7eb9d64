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
