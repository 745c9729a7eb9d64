package urlkey

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, test := range []struct{ name, url, want string }{
		{"as it is", "http://a.example/é?q=%20&x=[1]", "http://a.example/é?q=%20&x=[1]"},
		{"line ends", "http://a/\nx\r\ny\vz\fw", "http://a/%0Ax%0D%0Ay%0Bz%0Cw"},
		{"blanks", "http://a/x y\tz", "http://a/x%20y%09z"},
		{"other line ends", "a\u0085b\u2028c\u2029d", "a%C2%85b%E2%80%A8c%E2%80%A9d"},
		{"other blanks", "d\u00a0e\u3000f", "d%C2%A0e%E3%80%80f"},
		{"what a terminal obeys", "a\x1b[2Jb\x00c\x7fd\u009be", "a%1B[2Jb%00c%7Fd%C2%9Be"},
		{"direction", "http://a/\u202egpj.exe", "http://a/%E2%80%AEgpj.exe"},
		{"no UTF-8", "http://a/caf\xe9\xff", "http://a/caf%E9%FF"},
		{"a true U+FFFD", "a\ufffdb", "a\ufffdb"},
		{"nothing", "", ""},
	} {
		if got := Line(test.url); got != test.want {
			t.Errorf("%s: Line(%q) = %q, want %q", test.name, test.url, got, test.want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("http://a/\nb\x1b\u2028\xff")
	f.Fuzz(func(t *testing.T, url string) {
		once := Line(url)
		if Line(once) != once {
			t.Errorf("Line(%q) = %q, which Line changes", url, once)
		}
	})
}

// TestText: UTF-8 stays unchanged. No two other URLs become the same text or get the same key.
func TestText(t *testing.T) {
	keys := map[string]string{}
	for _, test := range []struct{ name, url, want string }{
		{"ASCII", "http://a.example/caf%E9?x=[1]|", "http://a.example/caf%E9?x=[1]|"},
		{"UTF-8", "http://a.example/café/日本", "http://a.example/café/日本"},
		{"a true U+FFFD", "http://a.example/\ufffd", "http://a.example/\ufffd"},
		{"ISO 8859-1", "http://a.example/th\xe9", "http://a.example/th%E9"},
		{"another letter", "http://a.example/th\xe8", "http://a.example/th%E8"},
		{"Windows-1251", "http://a.example/\xec\xe8\xf0", "http://a.example/%EC%E8%F0"},
		{"Shift_JIS, a backslash in a letter", "http://a.example/\x95\x5c\x8e\xa6?q=\\", `http://a.example/%95%5C%8E%A6?q=\`},
		{"GBK", "http://a.example/\xc8\xd5\xb1\xbe.html", "http://a.example/%C8%D5%B1%BE.html"},
		{"EUC-JP", "http://a.example/\xc6\xfc\xcb\xdc", "http://a.example/%C6%FC%CB%DC"},
		{"of UTF-8 and another", "http://a.example/\u00e9?q=\xe9", "http://a.example/%C3%A9?q=%E9"},
		{"a letter that is cut", "http://a.example/\xe6\x97", "http://a.example/%E6%97"},
		{"in the host", "http://b\xfccher.example/", "http://b%FCcher.example/"},
		{"in another host", "http://b\xfbcher.example/", "http://b%FBcher.example/"},
		{"nothing", "", ""},
	} {
		got := Text(test.url)
		if got != test.want || !utf8.ValidString(got) {
			t.Errorf("%s: Text(%q) = %q, want %q", test.name, test.url, got, test.want)
		}
		if a, b := SURT(got), SURT(test.url); a != b {
			t.Errorf("%s: the key of %q is %q, and of its bytes %q", test.name, got, a, b)
		}
		if other, ok := keys[SURT(got)]; ok {
			t.Errorf("%q and %q have one key", got, other)
		}
		keys[SURT(got)] = got
	}
}

func FuzzText(f *testing.F) {
	f.Add("http://a/caf\xe9\\\x95\\")
	f.Fuzz(func(t *testing.T, url string) {
		text := Text(url)
		if !utf8.ValidString(text) || Text(text) != text || utf8.ValidString(url) && text != url {
			t.Errorf("Text(%q) = %q", url, text)
		}
		// ARC files' own records are kept as they are written.
		if SURT(text) != SURT(url) && !strings.HasPrefix(SURT(url), "filedesc") {
			t.Errorf("the keys of %q and %q differ", url, text)
		}
	})
}

// TestPath: only percent signs that begin no escape change, and the key stays the same.
func TestPath(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.example/caf%C3%A9?q=%2f#f": "http://a.example/caf%C3%A9?q=%2f#f",
		"http://a.example/100%":              "http://a.example/100%25",
		"http://a.example/50%-off":           "http://a.example/50%25-off",
		"http://a.example/%u2019s":           "http://a.example/%25u2019s",
		"http://a.example/%zz%4":             "http://a.example/%25zz%254",
		"http://a.example/%%41?q=5%&r=%é":    "http://a.example/%25%41?q=5%25&r=%25é",
		"http://a.example/%25zz":             "http://a.example/%25zz",
		"":                                   "",
	} {
		if got := Path(url); got != want || SURT(got) != SURT(url) || Path(got) != got {
			t.Errorf("Path(%q) = %q, want %q; keys %q and %q", url, got, want, SURT(got), SURT(url))
		}
	}
}
