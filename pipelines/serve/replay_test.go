package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

const gazette = "https://www.harbour-gazette.example/"

var frameSource = regexp.MustCompile(`<iframe class="replay" src="([^"]+)"`)

// framed opens a replayed page as a browser or a script does, and returns the address of its frame, or "".
func framed(t *testing.T, s *server, c *http.Client, header ...string) (frame string, status int) {
	t.Helper()
	request, err := http.NewRequest("GET", s.base+"/replay/"+gazette, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, value)
	}
	r, err := c.Do(request)
	// Without a time, the newest capture is shown, under its own address.
	for err == nil && r.StatusCode == http.StatusFound {
		request.URL.RawQuery = ""
		request.URL, err = request.URL.Parse(r.Header.Get("Location"))
		if read(t, r, err); err == nil {
			r, err = c.Do(request)
		}
	}
	text := read(t, r, err)
	if m := frameSource.FindStringSubmatch(text); m != nil {
		frame = strings.ReplaceAll(m[1], "&amp;", "&")
	}
	return frame, r.StatusCode
}

// part requests an address of the replay without any credential.
func part(t *testing.T, address string) (int, string, http.Header) {
	t.Helper()
	r, err := http.Get(address)
	text := read(t, r, err)
	return r.StatusCode, text, r.Header
}

// TestReplay_open: on loopback, pages are replayed at another port, which answers nothing but archived pages.
func TestReplay_open(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	frame, _ := framed(t, s, browser(t))
	u, err := url.Parse(frame)
	if err != nil || frame == "" || "http://"+u.Host == s.base {
		t.Fatalf("the frame is %q, %v", frame, err)
	}
	status, text, header := part(t, frame)
	if status != http.StatusOK || !strings.Contains(text, "Harbour") || strings.Contains(text, "<script") {
		t.Errorf("the frame: %d %.300s", status, text)
	}
	if p := header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "sandbox allow-top-navigation-by-user-activation;") {
		t.Errorf("the frame's policy is %q", p)
	}
	for _, path := range []string{
		"/", "/shelf", "/api/v1/collections", "/cdx?url=x", "/replay/" + gazette, "/static/style.css", "/healthz", "/login",
		"/replay/x/20240101000000if_/" + gazette, strings.Replace(u.Path, "if_", "id_", 1),
		strings.Replace(u.Path, "if_", "im_", 1),
	} {
		if status, text, _ := part(t, "http://"+u.Host+path); status != http.StatusNotFound {
			t.Errorf("%s at the replay's origin: %d %.100s", path, status, text)
		}
	}
	if strings.Contains(s.said(), strings.Split(u.Path, "/")[2]) {
		t.Error("the log has the ticket")
	}
	// The server itself never shows the content of a frame.
	if status, text := s.send("GET", u.Path, ""); status == http.StatusOK {
		t.Errorf("the frame at the server's own origin: %d %.100s", status, text)
	}
	for _, test := range []struct {
		method, header string
		want           int
	}{
		{"POST", "", http.StatusMethodNotAllowed},
		{"DELETE", "", http.StatusMethodNotAllowed},
		{"GET", "attacker.example", http.StatusForbidden},
		{"HEAD", "", http.StatusOK},
	} {
		request, err := http.NewRequest(test.method, frame, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = test.header
		r, err := http.DefaultClient.Do(request)
		if read(t, r, err); r.StatusCode != test.want {
			t.Errorf("%s as %q: %s, want %d", test.method, test.header, r.Status, test.want)
		}
	}
}

// TestReplay_accounts: a page can be opened by those who may read, and its parts only as long as they may.
func TestReplay_accounts(t *testing.T) {
	s := withAccounts(t, "--replay_origin=127.0.0.1:0")
	if frame, status := framed(t, s, browser(t)); frame != "" || status != http.StatusUnauthorized {
		t.Errorf("without an account: %d, frame %q", status, frame)
	}
	c := browser(t)
	login(t, s, c, "viewer", "correct horse battery", "/")
	frame, status := framed(t, s, c)
	if status != http.StatusOK || frame == "" {
		t.Fatalf("a viewer: %d, frame %q", status, frame)
	}
	if status, text, _ := part(t, frame); status != http.StatusOK {
		t.Errorf("the viewer's frame: %d %.200s", status, text)
	}
	// Each user has a ticket, and so has each session.
	other := browser(t)
	login(t, s, other, "editor", "correct horse battery", "/")
	theirs, _ := framed(t, s, other)
	if theirs == "" || theirs == frame {
		t.Errorf("two users have the frames %q and %q", frame, theirs)
	}
	// After the log-out, the ticket opens nothing.
	p := page{t, s, c}
	_, csrf := p.get()
	p.post("/logout", url.Values{"csrf": {csrf}}, http.StatusSeeOther)
	if status, text, _ := part(t, frame); status != http.StatusForbidden {
		t.Errorf("after the log-out: %d %.200s", status, text)
	}
	if status, _, _ := part(t, theirs); status != http.StatusOK {
		t.Errorf("the other user, after the log-out: %d", status)
	}
	// The same holds for a token that is revoked.
	p = page{t, s, other}
	_, csrf = p.get()
	token := madeToken(t, s, other, csrf)
	mine, _ := framed(t, s, http.DefaultClient, "Authorization: Bearer "+token)
	if status, _, _ := part(t, mine); status != http.StatusOK {
		t.Errorf("by a token: %d", status)
	}
	p.post("/account/tokens/1/revoke", url.Values{"csrf": {csrf}}, http.StatusSeeOther)
	if status, _, _ := part(t, mine); status != http.StatusForbidden {
		t.Errorf("by a revoked token: %d", status)
	}
	// What the browser sends of itself counts for nothing: cookies are the same for all ports.
	request, err := http.NewRequest("GET", strings.Replace(frame, "/replay/", "/replay/x", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := other.Do(request)
	if read(t, r, err); r.StatusCode != http.StatusNotFound {
		t.Errorf("with a session and no ticket: %s", r.Status)
	}
}

// TestReplay_otherName: the origin may be another name of the same address.
func TestReplay_otherName(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir(), "--replay_origin=http://replay.example")
	frame, _ := framed(t, s, browser(t))
	rest, is := strings.CutPrefix(frame, "http://replay.example/replay/")
	if !is {
		t.Fatalf("the frame is %q", frame)
	}
	if status, text := s.send("GET", "/replay/"+rest, "", "Host: replay.example"); status != http.StatusOK {
		t.Errorf("the frame: %d %.200s", status, text)
	}
	for _, path := range []string{"/", "/api/v1/collections", "/healthz"} {
		if status, _ := s.send("GET", path, "", "Host: replay.example"); status != http.StatusNotFound {
			t.Errorf("%s by the replay's name: %d, want 404", path, status)
		}
	}
}

// TestReplay_flags: wrong origins are refused at the start.
func TestReplay_flags(t *testing.T) {
	for _, args := range [][]string{
		{"--replay_origin=ftp://replay.example"},
		{"--replay_origin=http://"},
		{"--replay_origin=8081"},
		{"--replay_origin=0.0.0.0:0"},
	} {
		_, stderr, code := run(t, false, "", append([]string{"--collection=" + t.TempDir(), "--addr=127.0.0.1:0"}, args...)...)
		if code != 2 || !strings.Contains(stderr, "--replay_origin") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr)
		}
	}
}
