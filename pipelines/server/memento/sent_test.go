package memento

import "testing"

// TestSent: a URL is unescaped only if it was escaped as a whole.
func TestSent(t *testing.T) {
	for rest, want := range map[string]string{
		"http://a.example/?next=http%3A%2F%2Fb.example%2F%23top": "http://a.example/?next=http%3A%2F%2Fb.example%2F%23top",
		"http://a.example/i.jpg%3Fw%3D2%26h%3D1":                 "http://a.example/i.jpg%3Fw%3D2%26h%3D1",
		"a.example/login?to=https%3a%2f%2fb.example":             "a.example/login?to=https%3a%2f%2fb.example",
		"http%3A%2F%2Fa.example%2Fx%3Fy%3D1":                     "http://a.example/x?y=1",
		"https%3a%2f%2fa.example/x":                              "https://a.example/x",
		"a.example%2Fx":                                          "a.example/x",
		"http:/a.example/x":                                      "http://a.example/x",
		"https:/a.example/?u=http%3A%2F%2Fb":                     "https://a.example/?u=http%3A%2F%2Fb",
	} {
		if got := Sent(rest); got != want {
			t.Errorf("%s: %s, want %s", rest, got, want)
		}
	}
}
