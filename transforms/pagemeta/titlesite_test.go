package pagemeta

import "testing"

// TestExtract_titleAfterSite: a title element that begins with the site's name, which is also a block of the page.
func TestExtract_titleAfterSite(t *testing.T) {
	const logo, text = "<div><a href=/>The Town Paper</a></div>", "<p>It was late.</p>"
	const en, de = "Old bridge saved", "Alte Brücke gerettet"
	for _, tt := range []struct{ title, body, want string }{
		{"The Town Paper - " + en, logo + "<h1>" + en + "</h1>", en},
		{"The Town Paper | News | " + en, logo + "<h1>" + en + "</h1>", en},
		{"Das Stadtblatt: " + de, "<p>Das Stadtblatt</p><h1>" + de + "</h1>", de},
		{en + " - The Town Paper", logo + "<h1>" + en + "</h1>", en},
		{en + " - The Town Paper", "<h1>The Town Paper</h1><div>" + en + "</div>", en},
		{en + " - The Town Paper", "<h1>The Town Paper</h1><h2>" + en + "</h2>", en},
		{"Untitled Document", "<h1>" + en + "</h1>", en},
		{"Home", "<h1>" + en + "</h1>", en},
		{"無題ドキュメント", "<h1>旧橋を救う</h1>", "旧橋を救う"},
		{"Startseite | Stadtblatt", "<h1>" + de + "</h1>", de},
		{"Untitled", "", "Untitled"},
		{"Home", "", "Home"},
		{"Home alone", "<h1>Home alone</h1>", "Home alone"},
	} {
		if got := extract("<title>" + tt.title + "</title>" + tt.body + text).Title; got != tt.want {
			t.Errorf("title of %s, %s is %q, want %q", tt.title, tt.body, got, tt.want)
		}
	}
}
