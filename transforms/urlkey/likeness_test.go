package urlkey

import "testing"

func TestLikeness(t *testing.T) {
	for _, test := range []struct{ asked, best, worse string }{
		{"http://a.example/i", "http://a.example/i", "https://a.example/i"},
		{"http://a.example", "http://a.example/", "http://www.a.example/"},
		{"http://a.example", "https://a.example/", "http://www.a.example/"},
		{"http://A.example:80/i", "http://a.example/i", "https://a.example/i"},
		{"https://www.a.example/i?b=1", "https://www.a.example:443/i?b=1", "https://a.example/i?b=1"},
		{"www.a.example/i", "https://www.a.example/i", "http://a.example/i"},
		{"http://a.example/i", "http://www.a.example/i", "https://www2.a.example/i"},
	} {
		if best, worse := Likeness(test.asked, test.best), Likeness(test.asked, test.worse); best <= worse {
			t.Errorf("%s: %s has %d, %s has %d", test.asked, test.best, best, test.worse, worse)
		}
	}
}
