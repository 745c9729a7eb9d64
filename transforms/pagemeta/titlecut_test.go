package pagemeta

import (
	"strings"
	"testing"
)

// TestExtract_siteWithoutSpaces: a site's name is removed in scripts without spaces, and beside separators that need
// none.
func TestExtract_siteWithoutSpaces(t *testing.T) {
	const ja, zh, th = "冬に橋が壊れる理由", "老桥为何冬天关闭", "ทำไมสะพานจึงพังในฤดูหนาว"
	const en = "Why bridges fail in winter"
	site := func(name string) string { return `<meta property="og:site_name" content="` + name + `">` }
	tests := []struct{ name, title, html, want string }{
		{"Japanese, full width", ja + "｜朝日新聞", site("朝日新聞"), ja},
		{"likewise, shown", ja + "｜朝日新聞", "<h2>" + ja + "</h2>", ja},
		{"Japanese, with spaces", ja + " ｜ 朝日新聞", site("朝日新聞"), ja},
		{"Japanese, colon", ja + "：朝日新聞デジタル", site("朝日新聞デジタル"), ja},
		{"Japanese, brackets", ja + "（朝日新聞）", site("朝日新聞"), ja},
		{"Japanese, other brackets", ja + "【朝日新聞】", site("朝日新聞"), ja},
		{"Japanese, neither declared nor shown", ja + "：朝日新聞", "", ja + "：朝日新聞"},
		{"Chinese, underscore", zh + "_新浪网", site("新浪网"), zh},
		{"likewise, a section", zh + "_新闻频道_央视网(cctv.com)", site("央视网"), zh},
		{"likewise, nothing declared", zh + "_新闻频道_央视网(cctv.com)", "", zh},
		{"Chinese, hyphen", zh + "-新华网", site("新华网"), zh},
		{"likewise, nothing declared", zh + "-新华网", "", zh},
		{"Chinese, dashes", zh + "——人民网", "<div class=tit>" + zh + "</div>", zh},
		{"Chinese, a hyphen of the title", "京沪-沪昆高铁今天全线开通", site("新华网"), "京沪-沪昆高铁今天全线开通"},
		{"Chinese, with sections", "老橋為何冬天關閉 - 生活 - 自由時報", site("自由時報") + "<h2>老橋為何冬天關閉</h2>", "老橋為何冬天關閉"},
		{"Thai, shown", th + " - ไทยรัฐ", "<h2>" + th + "</h2>", th},
		{"Thai, declared", th + " | เดลินิวส์", site("เดลินิวส์"), th},
		{"Korean", "겨울에 다리가 무너지는 이유 : 한겨레", site("한겨레"), "겨울에 다리가 무너지는 이유"},
		{"English, a bar", en + "|Northern Post", site("Northern Post"), en},
		{"likewise, shown", en + "|Northern Post", "<h2>" + en + "</h2>", en},
		{"English, a dash", en + "—Northern Post", site("Northern Post"), en},
		{"English, the site first", "Northern Post: " + en, site("Northern Post"), en},
		{"English, brackets", en + " [Northern Post]", site("Northern Post"), en},
		{"English, an arrow", "Northern Post ‹ " + en, "<h2>" + en + "</h2>", en},
		{"a part of a word", "Northern Post/mortem: " + en, site("Northern Post"), "Northern Post/mortem: " + en},
		{"a label that is shown", "Review: " + en, "<h2>Review: " + en + "</h2><h3>" + en + "</h3>", "Review: " + en},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := extractAt("https://a.example/x/1.html", "<title>"+tt.title+"</title>"+tt.html+"<p>河上的老桥星期一关闭。</p>")
			if m.Title != tt.want {
				t.Errorf("title %q of %s, want %q", m.Title, m.Sources["title"], tt.want)
			}
		})
	}
}

// TestExtract_ordinaryTitles: titles with signs that are theirs.
func TestExtract_ordinaryTitles(t *testing.T) {
	const site = `<meta property="og:site_name" content="Old Town Blog">`
	for html, want := range map[string]string{
		"Chelsea @ Arsenal match report and player ratings":                            "",
		"Jazz concert review @ The Blue Note in New York":                              "",
		"Interview with Jane Doe @ PyCon Europe 2019 in Prague":                        "",
		"Brewers @ Cubs series preview and pitching matchups":                          "",
		"老桥为何冬天关闭 @ 新华网":                                                               "",
		"Follow @Old Town Blog" + "</title>" + site:                                    "",
		"Chelsea @ Arsenal match report</title><h2>Arsenal report</h2>":                "",
		"How the bridge was saved - @oldtown</title><h1>How the bridge was saved</h1>": "How the bridge was saved",
		"How the bridge was saved @ Old Town Blog</title>" + site:                      "How the bridge was saved",
		"Bitwise operators & and |":                                                    "",
		"Logical operators && and ||":                                                  "",
		"How a shell reads ||":                                                         "",
		"Bitte ein Zeichen: & oder |":                                                  "",
		"How the bridge was saved |":                                                   "How the bridge was saved",
		"Sign in |":                                                                    "Sign in",
		"Log in -":                                                                     "Log in",
		"How to live with |":                                                           "How to live with",
		"How the bridge was saved|":                                                    "How the bridge was saved",
		"How the bridge was saved?|":                                                   "How the bridge was saved?",
		"Overloading operator||":                                                       "",
		"How to type Alt+|":                                                            "",
		"Operatoren & en |":                                                            "",
		"Iniciar sesión en |":                                                          "Iniciar sesión en",
		"The history of |":                                                             "The history of",
		"How the bridge was saved | |":                                                 "How the bridge was saved",
		"How the bridge was saved | -":                                                 "How the bridge was saved",
		"How the bridge was saved - |":                                                 "How the bridge was saved",
		"How the bridge was saved --":                                                  "How the bridge was saved",
		"How the bridge was saved ¦":                                                   "How the bridge was saved",
		"Comment fut sauvé le pont ―":                                                  "Comment fut sauvé le pont",
		"Как спасли мост –":                                                            "Как спасли мост",
		"橋が壊れる理由｜":                                                                     "橋が壊れる理由",
		"Les opérateurs & et |":                                                        "",
		"Los operadores & y |":                                                         "",
		"Операторы & и |":                                                              "",
		"The absolute value |x|":                                                       "",
		"Le maire et « son pont »":                                                     "",
	} {
		whole, _, _ := strings.Cut(html, "</title>")
		if want == "" {
			want = whole
		}
		if !strings.Contains(html, "</title>") {
			html += "</title>"
		}
		if got := extract("<title>" + html + "<p>It was old.</p>").Title; got != want {
			t.Errorf("title of %q is %q, want %q", html, got, want)
		}
	}
}
