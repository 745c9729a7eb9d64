package access

import (
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

var now = time.Date(2026, 11, 29, 13, 0, 0, 0, time.UTC)

// head begins a file with a rule.
const head = "default: allow\nrules:\n - "

func none(string) ([]byte, error) { return nil, fs.ErrNotExist }

func parsed(t testing.TB, text string) *Rules {
	t.Helper()
	r, err := Parse([]byte(text), none)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// capture makes the document of a capture as ingest does.
func capture(url, timestamp string) *schemas.Document {
	d := &schemas.Document{
		URL: url, SURT: urlkey.SURT(url), Timestamp: timestamp, MIMEDetected: "text/html",
		Language: "fr",
	}
	d.Host, d.Domain = urlkey.Site(url)
	return d
}

// said returns what rules do with a capture.
func said(r *Rules, who Reader, d *schemas.Document) action {
	m := r.For(who, "out", now)
	listed := query.Match(m.Limits.Listed, d)
	whole := m.Limits.Whole
	switch {
	case !listed:
		return deny
	case whole == nil || query.Match(whole, d):
		return allow
	}
	return list
}

// TestRules_captures: which captures a rule fits, in all forms of their URLs.
func TestRules_captures(t *testing.T) {
	for _, c := range []struct {
		rule string
		fits []string
		not  []string
	}{
		{
			"host: closed.example",
			[]string{
				"http://closed.example/", "https://closed.example/a?b=c", "http://www.closed.example/",
				"http://CLOSED.example:8080/A",
				"http://closed.example./", "http://user:pw@closed.example/x", "ftp://closed.example/",
				"http://www2.closed.example/",
				"dns:closed.example", "urn:pageinfo:https://closed.example/", "screenshot:http://closed.example/",
			},
			[]string{
				"http://closed.example.org/", "http://notclosed.example/", "http://sub.closed.example/",
				"http://o.example/closed.example",
			},
		},
		{
			"domain: closed.example",
			[]string{"http://a.b.closed.example:99/", "http://closed.example/"},
			[]string{"http://enclosed.example/", "http://closed.example.net/"},
		},
		{
			"host: bücher.example",
			[]string{"http://xn--bcher-kva.example/", "http://BÜCHER.example/"},
			[]string{"http://bucher.example/"},
		},
		{"host: 127.0.0.1", []string{"http://127.0.0.1:8190/x", "http://2130706433/"}, []string{"http://127.0.0.11/"}},
		{"host: '::1'", []string{"http://[::1]:80/x"}, []string{"http://[::12]/"}},
		{
			"url: http://o.example/private/*",
			[]string{
				"https://www.o.example/private/a", "http://o.example/PRIVATE/", "http://o.example/%70rivate/x",
				"http://o.example:80/private",
			},
			[]string{"http://o.example/privately", "http://o.example/"},
		},
		{
			"url: http://o.example/a",
			[]string{"https://o.example/a", "http://o.example/a/"},
			[]string{"http://o.example/ab", "http://o.example/a?b"},
		},
		{"surt: example,o)/x", []string{"http://o.example/xyz"}, []string{"http://o.example/y"}},
		{"surt: example,o", []string{"http://a.o.example/xyz", "http://o.example:1/"}, []string{"http://ox.example/"}},
		{"media: text/*", []string{"http://o.example/"}, nil},
		{"media: [application/pdf, image/*]", nil, []string{"http://o.example/"}},
		{"language: fra", []string{"http://o.example/"}, nil},
		{"filter: 'status = 404 OR host:secret'", []string{"http://a.secret.example/"}, []string{"http://o.example/"}},
		{"host: [a.example, b.example]", []string{"http://a.example/", "http://b.example/"}, []string{"http://c.example/"}},
		{"domain: example\n    url: http://a.example/*", []string{"http://a.example/x"}, []string{"http://b.example/"}},
	} {
		r := parsed(t, "default: allow\nrules:\n  - "+c.rule+"\n    action: deny\n")
		if _, err := r.For(Reader{}, "out", now).Limits.Text(); err != nil {
			t.Errorf("%s: %v", c.rule, err)
		}
		for _, url := range c.fits {
			if got := said(r, Reader{}, capture(url, "2024-01-01T00:00:00Z")); got != deny {
				t.Errorf("%s: %s is to %s", c.rule, url, got)
			}
		}
		for _, url := range c.not {
			if got := said(r, Reader{}, capture(url, "2024-01-01T00:00:00Z")); got != allow {
				t.Errorf("%s does not fit %s: %s", c.rule, url, got)
			}
		}
	}
}

// TestRules_readers: for whom a rule is, and how the order decides.
func TestRules_readers(t *testing.T) {
	r := parsed(t, `
default: deny
rules:
  - {role: admin, action: allow}
  - {user: [ada, eve], host: h.example, action: allow}
  - {token: 7, action: list, message: Ask the library.}
  - {collection: other, action: allow}
  - {address: [192.0.2.0/24, 2001:db8::/32], until: 2030-01-01, action: allow}
  - {address: 198.51.100.7, since: 2030-01-01, action: allow}
  - {role: [viewer, nobody], host: h.example, action: list}
`)
	d := capture("http://h.example/", "2024-01-01T00:00:00Z")
	ip := netip.MustParseAddr
	for _, c := range []struct {
		who  Reader
		want action
	}{
		{Reader{}, deny},
		{Reader{Role: "admin"}, allow},
		{Reader{Role: "editor"}, deny},
		{Reader{Role: "editor", Name: "eve"}, allow},
		{Reader{Role: "editor", Token: 7}, list},
		{Reader{Role: "editor", Token: 8}, deny},
		{Reader{Role: "viewer"}, list},
		{Reader{Role: "nobody", Address: ip("192.0.2.200")}, allow},
		{Reader{Role: "nobody", Address: ip("::ffff:192.0.2.200")}, allow},
		{Reader{Role: "nobody", Address: ip("2001:db8::5%eth0")}, allow},
		{Reader{Role: "nobody", Address: ip("192.0.3.1")}, list},
		{Reader{Role: "editor", Address: ip("198.51.100.7")}, deny},
	} {
		if got := said(r, c.who, d); got != c.want {
			t.Errorf("%+v: %s, want %s", c.who, got, c.want)
		}
	}
	if m := r.For(Reader{Token: 7}, "out", now); m.Message(d) != "Ask the library." || m.Nothing {
		t.Errorf("the message is %q", m.Message(d))
	}
	if !r.For(Reader{}, "out", now).Nothing || r.For(Reader{}, "other", now).Key != "" {
		t.Error("a collection without any capture exists, or one with all has limits")
	}
	later := r.For(Reader{Address: ip("198.51.100.7")}, "out", now.AddDate(4, 0, 0))
	if later.Key != "" || r.For(Reader{Role: "editor", Address: ip("192.0.2.1")}, "out", now.AddDate(4, 0, 0)).Key == "" {
		t.Error("since and until do not hold")
	}
}

// TestRules_ages: embargoes, to the day. Captures without a time are in them.
func TestRules_ages(t *testing.T) {
	for _, c := range []struct {
		rules     string
		timestamp string
		want      action
	}{
		{"younger: 90 days, action: deny", "2026-08-31T00:00:00Z", deny},
		{"younger: 90 days, action: deny", "2026-08-30T23:59:59.9Z", allow},
		{"younger: 90 days, action: deny", "", deny},
		{"younger: 90 days, action: deny", "2027-01-01T00:00:00Z", deny},
		{"older: 70 years, action: deny", "1956-11-28T23:59:59Z", deny},
		{"older: 70 years, action: deny", "1956-11-29T00:00:00Z", allow},
		{"older: 70 years, action: deny", "", deny},
		{"before: 1990, action: list", "1989-12-31T23:59:59Z", list},
		{"before: 1990, action: list", "1990-01-01T00:00:00Z", allow},
		{"after: 2020-03, action: deny", "2020-03-01T00:00:00Z", deny},
		{"after: 2020-03, action: deny", "2020-02-29T23:59:59Z", allow},
		{"after: 2020-03, action: deny", "not a time", deny},
		{"after: 2000, before: 2001, action: deny", "2000-06-01T00:00:00Z", deny},
		{"after: 2000, before: 2001, action: deny", "2001-06-01T00:00:00Z", allow},
	} {
		r := parsed(t, "default: allow\nrules: [{"+c.rules+"}]")
		if got := said(r, Reader{}, capture("http://h.example/", c.timestamp)); got != c.want {
			t.Errorf("%s: %q is to %s, want %s", c.rules, c.timestamp, got, c.want)
		}
	}
	for _, age := range []string{"older: 70 years", "younger: 90 days", "after: 2000", "before: 2000"} {
		r := parsed(t, "default: deny\nrules: [{"+age+", action: allow}]")
		if got := said(r, Reader{}, capture("http://h.example/", "")); got != deny {
			t.Errorf("%s allows a capture without a time", age)
		}
	}
}

// TestParse_mistakes: each names its line.
func TestParse_mistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "1: the file is empty",
		"- a":                           "1: the file has the keys",
		"rules: []":                     "1: default is missing",
		"default: maybe":                `1: "maybe" is not an action`,
		"default: allow\nrule: []":      `2: unknown key "rule"`,
		"default: allow\ndefault: deny": `2: the key "default" is there twice`,
		"default: allow\nrules: {}":     "2: rules is a list",
		head + "host: a.example\n   actoin: deny":                              `4: unknown key "actoin"`,
		head + "host: a.example":                                               "3: the rule has no action",
		head + "action: deny":                                                  "3: the rule fits everything",
		head + "{host: , action: deny}":                                        "3: a value is missing",
		head + "{host: [], action: deny}":                                      "3: the list is empty",
		head + "{host: '*', action: deny}":                                     `3: "*" is not a host`,
		head + "address:\n    - 10.0.0.0/8\n    - 10.0.0.1/8\n   action: deny": `5: "10.0.0.1/8" has bits after`,
		head + "{address: 300.1.1.1, action: deny}":                            `3: "300.1.1.1" is not an address`,
		head + "{address: '::ffff:10.0.0.0/104', action: deny}":                `3: "::ffff:10.0.0.0/104" is not`,
		head + "{role: boss, action: deny}":                                    `3: "boss" is not a role`,
		head + "{token: abc, action: deny}":                                    `3: "abc" is not the number`,
		head + "{younger: 90, action: deny}":                                   `3: "90" is not a period`,
		head + "{until: soon, host: a.example, action: deny}":                  `3: "soon" is not a date`,
		head + "{filter: 'lang =', action: deny}":                              "3: --where: column 7",
		head + "{filter: casino, action: deny}":                                "3: a rule cannot test words",
		head + "{filter: 'text:casino', action: deny}":                         "3: a rule cannot test words",
		head + "{host: a.example, action: deny, message: Go away.}":            "3: only the action list has a message",
		"default: allow\nrules: &a []":                                         "2: a file of rules has no anchors",
		"default: allow\n---\ndefault: deny":                                   "2: a file has one document",
		head + "{aclj: a.aclj}":                                                "3: file does not exist",
		"default: allow\nanonymous: perhaps":                                   `2: "perhaps" is neither`,
		"default: allow\nrules: [\n":                                           "",
		head + "{surt: 'a*', action: deny}":                                    "3: a SURT is a beginning",
	} {
		_, err := Parse([]byte(text), none)
		known := (*Error)(nil)
		if !errors.As(err, &known) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestParse_aclj: the meanings of pywb's files.
func TestParse_aclj(t *testing.T) {
	file := `# first match decides
org,example)/allowed - {"access": "allow_ignore_embargo"}
org,example)/b - {"access": "block", "user": "staff"}
org,example)/page### - {"access": "exclude"}
org,example)/ - {"access": "allow"}
org,closed, - {"access": "exclude", "user": ""}
org,blocked - {"access": "block"}
`
	open := func(string) ([]byte, error) { return []byte(file), nil }
	r, err := Parse([]byte(head+"aclj: rules.aclj\n   younger: 1 year\n"), open)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		url, timestamp, user string
		want                 action
	}{
		{"http://example.org/allowed/x", "2026-11-01T00:00:00Z", "", allow},
		{"http://example.org/c", "2026-11-01T00:00:00Z", "", deny},
		{"http://example.org/c", "2020-11-01T00:00:00Z", "", allow},
		{"http://example.org/b", "2020-11-01T00:00:00Z", "", allow},
		{"http://example.org/b", "2020-11-01T00:00:00Z", "staff", list},
		{"http://example.org/page", "2020-11-01T00:00:00Z", "", deny},
		{"http://example.org/page2", "2020-11-01T00:00:00Z", "", allow},
		{"http://www.closed.org/", "2020-11-01T00:00:00Z", "", allow}, // pywb's key has no www either
		{"http://a.closed.org/", "2020-11-01T00:00:00Z", "", deny},
		{"http://blocked.org/", "2020-11-01T00:00:00Z", "", list},
		{"http://other.net/", "2026-11-01T00:00:00Z", "", deny},
		{"http://other.net/", "2020-11-01T00:00:00Z", "", allow},
	} {
		if got := said(r, Reader{Name: c.user}, capture(c.url, c.timestamp)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	for _, bad := range []string{"org,example)/", `org, - {"access": "maybe"}`, `org, - {"access": 1}`} {
		_, err := Parse([]byte(head+"aclj: rules.aclj"),
			func(string) ([]byte, error) { return []byte(bad), nil })
		if err == nil || !strings.Contains(err.Error(), "3: rules.aclj:1: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestFile: a changed file is read again, and a wrong one changes nothing.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.yml")
	old := time.Now().Add(-time.Minute)
	write := func(text string) {
		t.Helper()
		old = old.Add(time.Second)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a file that is not there: %v", err)
	}
	write("default: allow\nrules: [{host: a.example}]")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path+":2: the rule has no action") {
		t.Fatalf("a wrong file: %v", err)
	}
	write("default: deny")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want action
	}{
		{"default: allow", allow}, {"default: allo", allow}, {"", allow}, {"default: list", list}, {"default: deny\n", deny},
	} {
		write(c.text)
		f.next = time.Time{} // the time of the next check has come
		if got := f.Rules().standard; got != c.want {
			t.Errorf("after %q: %s, want %s", c.text, got, c.want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f.next = time.Time{}
	if got := f.Rules().standard; got != deny {
		t.Errorf("after the file was removed: %s", got)
	}
}

// FuzzParse: no file makes a panic, and each error names a line. Rules that are read decide about every capture, and
// captures that may be read are listed.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		head + "{host: a.example, younger: 90 days, action: list, message: In the reading room.}",
		"default: deny\nanonymous: yes\nrules:\n - address: [192.0.2.0/24, '::1']\n   filter: lang = fr OR status >= 400\n" +
			"   action: allow",
		"default: list\nrules:\n - aclj: x\n   older: 70 years", "default: allow\nrules: [{url: 'http://a/*', since: 2030," +
			" action: deny}]",
		"a: &a [*a]", "default: allow\nrules: [{domain: [a.b, c.d], media: image/*, surt: 'org,', action: deny}, {role: " +
			"viewer, action: allow}]",
	} {
		f.Add([]byte(text))
	}
	d := capture("http://www.a.example/x", "2024-01-01T00:00:00Z")
	open := func(name string) ([]byte, error) { return []byte(name + ` - {"access": "block"}`), nil }
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data, open)
		if known := (*Error)(nil); err != nil && (!errors.As(err, &known) || known.Line < 1) {
			t.Fatalf("an error without a line: %v", err)
		}
		if err != nil {
			return
		}
		for _, who := range []Reader{{}, {Role: "viewer", Name: "ada", Address: netip.MustParseAddr("192.0.2.1")}} {
			m := r.For(who, "out", now)
			if m.Limits.Whole != nil && query.Match(m.Limits.Whole, d) && !query.Match(m.Limits.Listed, d) {
				t.Fatal("a capture may be read and is not listed")
			}
			if m.Nothing && query.Match(m.Limits.Listed, d) {
				t.Fatal("nothing exists, but a capture does")
			}
			m.Message(d)
			// The process of a statement gets them as a text.
			if text, err := m.Limits.Text(); err == nil {
				again, err := contentdb.ParseLimits(text)
				if err != nil || query.Match(again.Listed, d) != query.Match(m.Limits.Listed, d) ||
					query.Match(again.Whole, d) != query.Match(m.Limits.Whole, d) {
					t.Fatalf("%s is read as other limits: %v", text, err)
				}
			}
		}
	})
}

// TestDocs: the files of docs/access.md are valid.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/access.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		if _, err := Parse([]byte(text), func(string) ([]byte, error) { return nil, nil }); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
	if len(blocks) != 2 {
		t.Errorf("the page has %d files", len(blocks))
	}
}
