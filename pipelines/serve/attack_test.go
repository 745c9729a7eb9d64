package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/leaktest"
)

// TestAttack_otherSitesAndNames: a page of another site sends browser requests to a server on loopback. It uses the
// server's address, or a host name of the attacker that resolves to it.
func TestAttack_otherSitesAndNames(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	job := `{"verb":"sources","values":{}}`
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}{
		{"rebound name", "GET", "/api/v1/search", "", []string{"Host: attacker.example"}, 403},
		{"rebound name with the port", "GET", "/shelf", "", []string{"Host: attacker.example:8080"}, 403},
		{"name that ends in ours", "GET", "/shelf", "", []string{"Host: localhost.attacker.example"}, 403},
		{"foreign origin reads", "GET", "/api/v1/search", "", []string{"Origin: https://attacker.example"}, 403},
		{"null origin reads", "GET", "/api/v1/search", "", []string{"Origin: null"}, 403},
		{
			"foreign origin starts a job", "POST", "/api/v1/jobs", job,
			[]string{"Origin: https://attacker.example", "Content-Type: application/json"},
			403,
		},
		{
			"foreign form without origin", "POST", "/jobs/new", "verb=sources",
			[]string{"Sec-Fetch-Site: cross-site", "Content-Type: application/x-www-form-urlencoded"},
			403,
		},
		{
			"form without token", "POST", "/jobs/new", "verb=sources",
			[]string{"Content-Type: application/x-www-form-urlencoded"},
			403,
		},
		{
			"form with another token", "POST", "/jobs/new", "verb=sources&csrf=" + strings.Repeat("A", 86),
			[]string{"Content-Type: application/x-www-form-urlencoded"},
			403,
		},
		{"API as a simple request", "POST", "/api/v1/jobs", job, []string{"Content-Type: text/plain"}, 403},
		{"cancel without token", "POST", "/jobs/1/cancel", "", nil, 403},
		{"localhost is ours", "GET", "/healthz", "", []string{"Host: localhost:1"}, 200},
		{"program without origin", "GET", "/api/v1/collections", "", nil, 200},
	} {
		if status, body := s.send(test.method, test.path, test.body, test.headers...); status != test.want {
			t.Errorf("%s: %d, want %d: %.200s", test.name, status, test.want, body)
		}
	}
	var jobs struct{ Jobs []any }
	if s.json("/api/v1/jobs", &jobs); len(jobs.Jobs) != 0 {
		t.Errorf("%d jobs were started", len(jobs.Jobs))
	}
}

// TestAttack_jobForms: for all values in forms, jobs read only below the folder of inputs, and send no request to
// another host.
func TestAttack_jobForms(t *testing.T) {
	asked := make(chan string, 10)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing of it is used afterwards
	go func() {
		// ends with l
		_ = http.Serve(l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.String() }))
	}()
	inputs := t.TempDir()
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir(), "--inputs="+inputs)
	for _, archive := range []string{
		"http://" + l.Addr().String() + "/x.warc", "https://169.254.169.254/latest/meta-data/", "gs://bucket/x",
		"s3://bucket/x",
		"kafka://" + l.Addr().String() + "/topic", "../x", "/etc/passwd", "{a,../..}/etc/passwd", "@/etc/passwd", "-",
	} {
		body := fmt.Sprintf(`{"verb":"ingest","values":{"archives":[%q]}}`, archive)
		if status, said := s.send("POST", "/api/v1/jobs", body, "Content-Type: application/json"); status != 400 {
			t.Errorf("archives=%s: %d, want 400: %.200s", archive, status, said)
		}
	}
	for _, name := range []string{"../../x", "/tmp/x", "a/b", `a\b`, ".x", "x.csv", "a b", "%2e%2e"} {
		body := fmt.Sprintf(`{"verb":"query","values":{"name":[%q]}}`, name)
		if status, said := s.send("POST", "/api/v1/jobs", body, "Content-Type: application/json"); status != 400 {
			t.Errorf("name=%s: %d, want 400: %.200s", name, status, said)
		}
	}
	select {
	case u := <-asked:
		t.Errorf("another server was asked: %s", u)
	default:
	}
}

// TestAttack_largeAndSlow: huge and endless requests cost no more than their limits.
func TestAttack_largeAndSlow(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	huge := strings.Repeat("x", 100<<20)
	if status, _ := s.send("GET", "/api/v1/search?query="+huge, ""); status == http.StatusOK {
		t.Errorf("a query of 100 MB: %d", status)
	}
	if status, _ := s.send("POST", "/api/v1/jobs", `{"verb":"`+huge,
		"Content-Type: application/json"); status == http.StatusOK {
		t.Errorf("a body of 100 MB: %d", status)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // nothing of it is used afterwards
	begin := time.Now()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n") // and nothing more
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, err = bufio.NewReader(conn).ReadByte()
	if took := time.Since(begin); took > 20*time.Second || os.IsTimeout(err) {
		t.Errorf("a head that never ends keeps its connection for %v", took)
	}
	s.get("/healthz", http.StatusOK)
}

// withAccounts starts a server with accounts, with a user of each role.
func withAccounts(t *testing.T, args ...string) *server {
	t.Helper()
	state := t.TempDir()
	for _, role := range []string{"viewer", "editor", "admin"} {
		_, stderr, code := run(t, false, "correct horse battery\n", "user", "add", role, "--role="+role, "--state="+state)
		if code != 0 {
			t.Fatalf("user add: exit code %d\n%s", code, stderr)
		}
	}
	return start(t, append([]string{"--addr=0.0.0.0:0", "--collection=" + collection(t), "--state=" + state}, args...)...)
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// login logs in with the form, like a browser.
func login(t *testing.T, s *server, c *http.Client, name, password, next string) *http.Response {
	t.Helper()
	r, err := c.Get(s.base + "/login")
	m := csrfField.FindStringSubmatch(read(t, r, err))
	if m == nil {
		t.Fatal("the page to log in has no token")
	}
	r, err = c.PostForm(s.base+"/login", url.Values{
		"name": {name}, "password": {password}, "csrf": {m[1]},
		"next": {next},
	})
	read(t, r, err)
	return r
}

func TestAccounts(t *testing.T) {
	s := withAccounts(t)
	// The server listens on 0.0.0.0, which browsers cannot open. It must print an address that they can open.
	r, err := http.Get(s.printed + "healthz")
	if read(t, r, err); strings.Contains(s.printed, "0.0.0.0") || strings.Contains(s.printed, "[::]") ||
		r.StatusCode != 200 {
		t.Errorf("at %s, which it printed: %s", s.printed, r.Status)
	}
	for _, path := range []string{
		"/", "/shelf", "/jobs", "/api/v1/search", "/cdx?url=x", "/timemap/link/http://x/",
		"/wasapi/v1/webdata",
	} {
		if status, body := s.send("GET", path, ""); status != http.StatusUnauthorized {
			t.Errorf("GET %s without an account: %d, want 401: %.100s", path, status, body)
		}
	}
	for role, want := range map[string]struct{ job, audit int }{
		"viewer": {403, 403}, "editor": {200, 403}, "admin": {200, 200},
	} {
		c := browser(t)
		if r := login(t, s, c, role, "correct horse battery", "/shelf"); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != "/shelf" {
			t.Fatalf("%s: log-in: %s to %q", role, r.Status, r.Header.Get("Location"))
		}
		r, err := c.Get(s.base + "/jobs/new?verb=query")
		page := read(t, r, err)
		if want.job == 200 != (r.StatusCode == 200) {
			t.Errorf("%s: the form of a job: %s", role, r.Status)
		}
		if m := csrfField.FindStringSubmatch(page); want.job == 200 {
			r, err = c.PostForm(s.base+"/jobs/new", url.Values{"verb": {"query"}, "name": {role}, "csrf": {m[1]}})
			if read(t, r, err); r.StatusCode != http.StatusSeeOther {
				t.Errorf("%s: a job by its form: %s", role, r.Status)
			}
		}
		r, err = c.Get(s.base + "/api/v1/audit")
		if read(t, r, err); r.StatusCode != want.audit {
			t.Errorf("%s: the audit log: %s, want %d", role, r.Status, want.audit)
		}
	}
}

func TestAttack_sessions(t *testing.T) {
	s := withAccounts(t)
	// Session fixation: a planted session is invalid, and is not used after the log-in.
	c := browser(t)
	at, _ := url.Parse(s.base) // it was parsed before
	c.Jar.SetCookies(at, []*http.Cookie{{Name: "gleaner", Value: "planted"}})
	login(t, s, c, "viewer", "correct horse battery", "/")
	session := ""
	for _, k := range c.Jar.Cookies(at) {
		if k.Name == "gleaner" {
			session = k.Value
		}
	}
	if session == "planted" || session == "" {
		t.Errorf("the session behind the log-in is %q", session)
	}
	if status, _ := s.send("GET", "/shelf", "", "Cookie: gleaner=planted"); status != http.StatusUnauthorized {
		t.Errorf("the planted session: %d, want 401", status)
	}
	// The next page must be a local path.
	for _, next := range []string{
		"https://attacker.example/", "//attacker.example/", `/\attacker.example`,
		"javascript:alert(1)", "/a\r\nSet-Cookie: x=y",
	} {
		r := login(t, s, browser(t), "viewer", "correct horse battery", next)
		if to := r.Header.Get("Location"); to != "/" {
			t.Errorf("next=%q leads to %q", next, to)
		}
	}
	// Guesses are limited, and then even the right password fails.
	c = browser(t)
	for range 5 {
		login(t, s, c, "admin", "guess", "/")
	}
	if r := login(t, s, c, "admin", "correct horse battery", "/"); r.StatusCode != http.StatusTooManyRequests ||
		r.Header.Get("Retry-After") == "" {
		t.Errorf("after five guesses: %s", r.Status)
	}
	// A browser that has logged in before can log in during guesses from the same address.
	c = browser(t)
	login(t, s, c, "viewer", "correct horse battery", "/")
	for range 5 {
		login(t, s, browser(t), "viewer", "guess", "/")
	}
	if r := login(t, s, browser(t), "viewer", "correct horse battery", "/"); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("an unknown browser after five guesses: %s", r.Status)
	}
	if r := login(t, s, c, "viewer", "correct horse battery", "/"); r.StatusCode != http.StatusSeeOther {
		t.Errorf("the owner's browser after others' guesses: %s", r.Status)
	}
	if strings.Contains(s.said(), "correct horse") || strings.Contains(s.said(), session) {
		t.Error("the log has a password or a session")
	}
}

// TestAttack_unknownFields: a POST with unknown fields is refused.
func TestAttack_unknownFields(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	for _, test := range []struct {
		path, body string
		want       int
	}{
		{"/api/v1/jobs", `{"verb":"query","values":{},"dry":true}`, 422},
		{"/api/v1/jobs", `{"Verb":"query","values":{}}`, 422},
		{"/api/v1/jobs", `{"verb":"query","values":{"langs":["fr"]}}`, 422},
		{"/api/v1/jobs", `{"verb":"query","values":{"Lang":["fr"]}}`, 422},
		{"/api/v1/jobs", `{"verb":"query","values":{"output":["/etc/x"]}}`, 422},
		{"/api/v1/jobs/form", `{"verb":"ingest","values":{"archive":["a"]}}`, 422},
		{"/api/v1/jobs/form", `{"verb":"ingest","values":{},"":[]}`, 422},
		{"/api/v1/jobs", `{"verb":"query","values":{"limit":["1","2"]}}`, 400},
		{"/api/v1/jobs", `{"verb":"query","values":{"all_versions":["yes"]}}`, 400},
		{"/api/v1/jobs", `{"verb":"query","values":{"all_versions":["false"]}}`, 200},
	} {
		if status, body := s.send("POST", test.path, test.body, "Content-Type: application/json"); status != test.want {
			t.Errorf("POST %s %s: %d %s, want %d", test.path, test.body, status, body, test.want)
		}
	}
	c := browser(t)
	r, err := c.Get(s.base + "/jobs/new?verb=query")
	m := csrfField.FindStringSubmatch(read(t, r, err))
	r, err = c.PostForm(s.base+"/jobs/new", url.Values{"verb": {"query"}, "langs": {"fr"}, "csrf": {m[1]}})
	if text := read(t, r, err); r.StatusCode != 422 || !strings.Contains(text, "no such field") {
		t.Errorf("a form with a field that there is not: %s", r.Status)
	}
}

// madeToken makes a token with the API, like a script in a logged-in browser.
func madeToken(t *testing.T, s *server, c *http.Client, csrf string) string {
	t.Helper()
	status, body := askToken(t, s, c, csrf, `{"label":"script","role":"editor"}`)
	found := regexp.MustCompile(`"token":"(gleaner_[^"]+)"`).FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no token: %d %s", status, body)
	}
	return found[1]
}

// askToken requests a token from the API.
func askToken(t *testing.T, s *server, c *http.Client, csrf, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequest("POST", s.base+"/api/v1/tokens", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-CSRF-Token", csrf)
	r, err := c.Do(request)
	text := read(t, r, err)
	return r.StatusCode, text
}

func TestAttack_tokens(t *testing.T) {
	s := withAccounts(t)
	c := browser(t)
	login(t, s, c, "editor", "correct horse battery", "/")
	r, err := c.Get(s.base + "/shelf")
	m := csrfField.FindStringSubmatch(read(t, r, err))
	request, err := http.NewRequest("POST", s.base+"/api/v1/tokens",
		strings.NewReader(`{"label":"script","role":"admin"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	r, err = c.Do(request)
	if read(t, r, err); r.StatusCode != http.StatusForbidden {
		t.Errorf("a token without the form's token: %s, want 403", r.Status)
	}
	if m == nil {
		t.Fatal("a page without the form's token")
	}
	status, body := askToken(t, s, c, m[1], `{"label":"script","role":"admin"}`)
	if status != 403 || strings.Contains(body, "gleaner_") {
		t.Errorf("an editor's token of an administrator: %d %s, want 403", status, body)
	}
	for _, body := range []string{
		`{"label":"script","role":"viewer","dais":1}`, `{"label":"script","role":"viewer","Days":1}`,
		`{"label":"script","role":"viewer","":1}`, `{"label":"script","role":"viewer","labels":["a"]}`,
	} {
		if status, answer := askToken(t, s, c, m[1], body); status != 422 {
			t.Errorf("a token by %s: %d %s, want 422", body, status, answer)
		}
	}
	token := madeToken(t, s, c, m[1])
	if status, body := s.send("GET", "/api/v1/me", "", "Authorization: Bearer "+token); status != 200 ||
		!strings.Contains(body, `"role":"editor"`) {
		t.Errorf("by the token: %d %s, want an editor", status, body)
	}
	// In a URL, the token is refused, and the log does not contain it.
	for _, path := range []string{"/api/v1/me?token=" + token, "/api/v1/me?access_token=" + token} {
		if status, _ := s.send("GET", path, ""); status != http.StatusUnauthorized {
			t.Errorf("a token in the address: %d, want 401", status)
		}
	}
	if strings.Contains(s.said(), token) || strings.Contains(s.said(), "gleaner_") {
		t.Error("the log has the token")
	}
	// The audit log has each action of the API with its user and its address.
	if status, body := s.send("POST", "/api/v1/jobs", `{"verb":"query","values":{}}`, "Content-Type: application/json",
		"Authorization: Bearer "+token); status != http.StatusOK {
		t.Errorf("a job by the token: %d %s", status, body)
	}
	admin := browser(t)
	login(t, s, admin, "admin", "correct horse battery", "/")
	r, err = admin.Get(s.base + "/api/v1/audit")
	audit := read(t, r, err)
	for _, want := range []string{
		`"who":"editor","from":"127.0.0.1","what":"job started","detail":"query`,
		`"who":"editor","from":"127.0.0.1","what":"token made","detail":"script"`,
	} {
		if !strings.Contains(audit, want) {
			t.Errorf("the audit log lacks %s: %s", want, audit)
		}
	}
	if !strings.Contains(s.said(), "by=editor") {
		t.Error("the log does not say who asked")
	}
	// A token has only its own rights: it can neither make tokens, which would outlive it, nor log out browsers.
	second := madeToken(t, s, c, m[1])
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/api/v1/tokens", `{"label":"more","role":"viewer"}`},
		{"DELETE", "/api/v1/sessions/1", ""},
		{"DELETE", "/api/v1/tokens/2", ""},
	} {
		if status, body := s.send(call.method, call.path, call.body, "Content-Type: application/json",
			"Authorization: Bearer "+token); status != http.StatusForbidden {
			t.Errorf("%s %s by a token: %d %s, want 403", call.method, call.path, status, body)
		}
	}
	if status, _ := s.send("GET", "/api/v1/me", "", "Authorization: Bearer "+second); status != http.StatusOK {
		t.Errorf("the other token: %d", status)
	}
	if status, _ := s.send("DELETE", "/api/v1/tokens/1", "", "Authorization: Bearer "+token); status != 200 {
		t.Errorf("revoking: %d", status)
	}
	if status, _ := s.send("GET", "/api/v1/me", "", "Authorization: Bearer "+token); status != http.StatusUnauthorized {
		t.Errorf("by a token that was revoked: %d, want 401", status)
	}
	// Requests with invalid tokens count as anonymous ones, and are rate-limited.
	refused := 0
	for range 400 {
		if status, _ := s.send("GET", "/api/v1/me", "",
			"Authorization: Bearer gleaner_guess"); status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("400 guessed tokens in a row, and none was refused for their number")
	}
}

// TestAttack_archivedCode: the server sends no archived byte with an active media type. The headers of each response
// forbid what it does not need.
func TestAttack_archivedCode(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	s.ready()
	page := url.QueryEscape("https://www.harbour-gazette.example/")
	var listed struct {
		Files []struct{ Locations []string }
	}
	s.json("/wasapi/v1/webdata", &listed)
	archive := strings.TrimPrefix(listed.Files[0].Locations[0], s.base)
	for _, path := range []string{
		"/shelf/html?url=" + page, "/api/v1/record?url=" + page, "/api/v1/text?url=" + page,
		"/api/v1/export?query=harbour&format=warc",
		"/api/v1/export?query=harbour&format=csv", "/memento/20241201090029/https://www.harbour-gazette.example/",
		archive, "/shelf/resource?url=" + page, "/cdx?url=" + page,
	} {
		r, err := http.Get(s.base + path)
		read(t, r, err)
		policy, media := r.Header.Get("Content-Security-Policy"), r.Header.Get("Content-Type")
		if r.StatusCode != 200 || r.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: %s, policy %q", path, r.Status, policy)
		}
		if strings.Contains(policy, "unsafe-inline") && !strings.Contains(policy, "sandbox") ||
			strings.Contains(policy, "unsafe-eval") {
			t.Errorf("%s: policy %q", path, policy)
		}
		attached := strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment")
		ours := strings.HasPrefix(path, "/shelf/") || strings.HasPrefix(path, "/cdx")
		if !attached && !ours || attached && (strings.Contains(media, "html") || strings.Contains(media, "svg") ||
			strings.Contains(media, "javascript")) {
			t.Errorf("%s: %s, attachment %v", path, media, attached)
		}
	}
	if _, err := os.Stat(filepath.Join(shelf(), "manifest.json")); err != nil {
		t.Error(err)
	}
}

// TestAttack11_stateIsAFolder: a URL is refused as a folder of state, of the server or of users. The message hides
// secrets in it, and no folder is made.
func TestAttack11_stateIsAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	state := "--state=postgres://" + leaktest.User + "127.0.0.1:1/db?token=" + url.QueryEscape(leaktest.Signature)
	for _, args := range [][]string{{"--collection=out", state}, {"user", "list", state}} {
		stdout, stderr, code := run(t, false, "", args...)
		if code != 2 || !strings.Contains(stderr, "not a folder of this machine") {
			t.Errorf("%q: exit code %d, want 2\n%s", args, code, stderr)
		}
		leaktest.None(t, args[0], map[string]string{"stdout": stdout, "stderr": stderr})
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("%v is made, %v", made, err)
	}
}
