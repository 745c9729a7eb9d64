package urlkey

import "testing"

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
