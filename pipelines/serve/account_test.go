package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// page is an account's page in a browser, which sends its forms.
type page struct {
	t *testing.T
	s *server
	c *http.Client
}

// get returns the page, and the token for its forms.
func (p page) get() (text, csrf string) {
	p.t.Helper()
	r, err := p.c.Get(p.s.base + "/account")
	text = read(p.t, r, err)
	m := csrfField.FindStringSubmatch(text)
	if r.StatusCode != http.StatusOK || m == nil || r.Header.Get("Cache-Control") != "no-store" {
		p.t.Fatalf("the account: %s, %q", r.Status, r.Header)
	}
	return text, m[1]
}

func (p page) post(path string, form url.Values, want int) string {
	p.t.Helper()
	r, err := p.c.PostForm(p.s.base+path, form)
	text := read(p.t, r, err)
	if r.StatusCode != want {
		p.t.Errorf("POST %s %v: %s, want %d", path, form, r.Status, want)
	}
	return text
}

// TestAccount_page uses the page to make a token, which is shown once, and to revoke it. It logs out another browser.
// Both fail for other accounts.
func TestAccount_page(t *testing.T) {
	s := withAccounts(t)
	mine, second, other := page{t, s, browser(t)}, page{t, s, browser(t)}, page{t, s, browser(t)}
	// The order matters because numbers of sessions start at 1.
	login(t, s, mine.c, "editor", "correct horse battery", "/account")
	login(t, s, second.c, "editor", "correct horse battery", "/account")
	login(t, s, other.c, "viewer", "correct horse battery", "/account")
	_, csrf := mine.get()
	form := url.Values{"label": {"<b>nightly</b>"}, "role": {"editor"}, "days": {"7"}}
	mine.post("/account/tokens", form, http.StatusForbidden)
	form.Set("csrf", csrf)
	higher := url.Values{"label": {"x"}, "role": {"admin"}, "days": {"7"}, "csrf": {csrf}}
	if text := mine.post("/account/tokens", higher, http.StatusForbidden); !strings.Contains(text, "cannot be admin") {
		t.Error("the page does not say why an editor gets no token of an administrator")
	}
	token := regexp.MustCompile(`gleaner_[\w-]+`).FindString(mine.post("/account/tokens", form, http.StatusOK))
	bearer := "Authorization: Bearer " + token
	if status, body := s.send("GET", "/api/v1/me", "", bearer); status != 200 ||
		!strings.Contains(body, `"role":"editor"`) {
		t.Errorf("by the token: %d %s, want an editor", status, body)
	}
	text, csrf := mine.get()
	if strings.Contains(text, token) || strings.Contains(text, "<b>nightly") || !strings.Contains(text, "nightly") {
		t.Error("the page shows the token again, or its label is markup, or there is none")
	}
	if strings.Contains(text, "What was done on this server") {
		t.Error("an editor sees the audit log")
	}
	for _, bad := range []url.Values{
		{"label": {" "}}, {"label": {"x"}, "role": {"root"}}, {"label": {"x"}, "role": {"viewer"}, "days": {"NaN"}},
	} {
		bad.Set("csrf", csrf)
		if text := mine.post("/account/tokens", bad, http.StatusBadRequest); !strings.Contains(text, "No token was made") {
			t.Errorf("%v: the page does not say what is wrong", bad)
		}
	}
	_, others := other.get()
	for _, path := range []string{"/account/tokens/1/revoke", "/account/sessions/1/end", "/account/sessions/99/end"} {
		other.post(path, url.Values{"csrf": {others}}, http.StatusNotFound)
	}
	mine.post("/account/tokens/1", url.Values{"csrf": {csrf}}, http.StatusMethodNotAllowed)
	mine.post("/account/tokens/1/revoke", url.Values{"csrf": {csrf}}, http.StatusSeeOther)
	if status, _ := s.send("GET", "/api/v1/me", "", bearer); status != http.StatusUnauthorized {
		t.Errorf("by a token that was revoked: %d, want 401", status)
	}
	logOutOther(t, mine, second)
}

// logOutOther ends the session of another browser of the same account, which loses its rights at once.
func logOutOther(t *testing.T, mine, second page) {
	t.Helper()
	text, csrf := mine.get()
	row := regexp.MustCompile(`(?s)</time></th>.*?(/account/sessions/\d+/end)`).FindStringSubmatch(text)
	if row == nil {
		t.Fatalf("no other browser is listed: %s", text)
	}
	mine.post(row[1], url.Values{"csrf": {csrf}}, http.StatusSeeOther)
	r, err := second.c.Get(second.s.base + "/account")
	if read(t, r, err); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("the browser that was logged out: %s, want 401", r.Status)
	}
	mine.get()
}
