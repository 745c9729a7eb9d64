package page

import "testing"

func TestFromXHTML(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"a script", `<script src="a.js"/><p>a</p>`, `<script src="a.js"></script><p>a</p>`},
		{"a title", "<title/><p>a</p>", "<title></title><p>a</p>"},
		{"void elements", `<br/><hr /><img src="a"/>`, `<br/><hr /><img src="a"/>`},
		{"in other letters", "<DIV/>", "<DIV></DIV>"},
		{"a frame and a text area", `<iframe src="x"/><textarea/>`, `<iframe src="x"></iframe><textarea></textarea>`},
		{"a sign in quotes", `<a title="x/>y"/>`, `<a title="x/>y"></a>`},
		{"a section", "<p><![CDATA[a < b & c]]></p>", "<p>a &lt; b &amp; c</p>"},
		{"a section of a script", "<script>//<![CDATA[\nif (a < b) c('<div/>')\n//]]></script><p/>", "<script>//<![CDATA[\nif (a < b) c('<div/>')\n//]]></script><p></p>"},
		{"a comment", "<!-- <div/> --><p/>", "<!-- <div/> --><p></p>"},
		{"a prefix", "<svg:path d='x'/>", "<svg:path d='x'></svg:path>"},
		{"nothing", "<p>a</p>", "<p>a</p>"},
		{"broken", "<p/><", "<p></p><"},
		{"a doctype", `<!DOCTYPE html PUBLIC "a>" "b"><p/>`, `<!DOCTYPE html PUBLIC "a>" "b"><p></p>`},
		{
			"an internal subset", `<!DOCTYPE html PUBLIC "a" "b" [` + "\n" + `<!ENTITY mathml "http://m">]><title/>`,
			`<!DOCTYPE html PUBLIC "a" "b" ><title></title>`,
		},
		{
			"a bracket in its quotes", `<!DOCTYPE html [<!ENTITY a "]>"><!ENTITY b ']'> ] ><p>a</p>`,
			"<!DOCTYPE html ><p>a</p>",
		},
		{"comments in it", "<!DOCTYPE html[<!-- don't ]> --><?a ]> ' ?>]><p>a</p>", "<!DOCTYPE html><p>a</p>"},
		{"a comment without an end", "<!DOCTYPE html[<!-- ]> <p/>", "<!DOCTYPE html[<!-- ]> <p></p>"},
		{"an instruction without one", "<!DOCTYPE html[<?a ]><p/>", "<!DOCTYPE html[<?a ]><p></p>"},
		{"no bracket at the end", "<!DOCTYPE html[<!ENTITY a 'b'> ><p/>", "<!DOCTYPE html[<!ENTITY a 'b'> ><p></p>"},
		{"a tag without an end", `<p/><a title="`, `<p></p><a title="`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(FromXHTML([]byte(tt.src))); got != tt.want {
				t.Errorf("FromXHTML(%q) = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func FuzzFromXHTML(f *testing.F) {
	f.Add([]byte(`<script src="a.js"/><![CDATA[x]]><!-- <p/> -->`))
	f.Fuzz(func(t *testing.T, src []byte) {
		if out := FromXHTML(src); len(out) > 6*len(src)+16 {
			t.Errorf("%d bytes of %d", len(out), len(src))
		}
	})
}
