package robots

import (
	"strings"
	"testing"
	"time"
)

func TestAllowed(t *testing.T) {
	tests := []struct {
		name, file, path string
		want             bool
	}{
		{"empty file", "", "/a", true},
		{"all forbidden", "user-agent: *\ndisallow: /", "/a", false},
		{"all forbidden, with words", "user-agent: * other robots\ndisallow: /", "/a", false},
		{"a pattern of agents", "user-agent: *bot\nuser-agent: *\tbot*\ndisallow: /", "/a", false},
		{"patterns of agents only", "user-agent: *bot\nuser-agent: *crawler*\ndisallow: /", "/a", true},
		{"nothing forbidden", "User-agent: *\nDisallow:", "/a", true},
		{"a rule before any agent", "Disallow: /\nUser-agent: *\nDisallow: /b", "/a", true},
		{"our group only", "user-agent: *\ndisallow: /\nuser-agent: Gleaner\ndisallow: /x", "/a", true},
		{"our group only, forbidden", "user-agent: *\ndisallow:\nuser-agent: gleaner\ndisallow: /x", "/x/y", false},
		{"an empty group is ours", "user-agent: gleaner\n\nuser-agent: *\ndisallow: /", "/a", false},
		{"an empty group at the end", "user-agent: *\ndisallow: /\nuser-agent: gleaner", "/a", true},
		{"groups are joined", "user-agent: gleaner\ndisallow: /a\nuser-agent: b\ndisallow: /\nuser-agent: gleaner\n" +
			"disallow: /c", "/c", false},
		{"shared group", "user-agent: a\nuser-agent: gleaner\ndisallow: /a", "/a", false},
		{"sitemap does not part agents", "user-agent: gleaner\nsitemap: /s\nuser-agent: b\ndisallow: /a", "/a", false},
		{"version", "user-agent: gleaner/1.0\ndisallow: /", "/a", false},
		{"no prefix of a name", "user-agent: glean\ndisallow: /", "/a", true},
		{"longest wins", "user-agent: *\nallow: /p\ndisallow: /", "/page", true},
		{"longest wins, forbidden", "user-agent: *\nallow: /\ndisallow: /p", "/page", false},
		{"equal: allow", "user-agent: *\ndisallow: /folder\nallow: /folder", "/folder/page", true},
		{
			"RFC 5.2", "user-agent: *\nallow: /example/page/\ndisallow: /example/page/disallowed.gif",
			"/example/page/disallowed.gif", false,
		},
		{"star", "user-agent: *\ndisallow: /*.php", "/a/index.php?x", false},
		{"star and end", "user-agent: *\ndisallow: /*.php$", "/a/index.php?x", true},
		{"star and end, hit", "user-agent: *\ndisallow: /*.php$", "/a.php/b.php", false},
		{"end", "user-agent: *\ndisallow: /a$", "/a", false},
		{"end, longer", "user-agent: *\ndisallow: /a$", "/ab", true},
		{"two stars", "user-agent: *\ndisallow: /a*b*c", "/axxbyyc1", false},
		{"two stars, wrong order", "user-agent: *\ndisallow: /a*b*c", "/axxcyyb", true},
		{"dollar within", "user-agent: *\ndisallow: /a$b", "/a$b", false},
		{"misspelled disallow", "user-agent: *\ndissallow: /a", "/a", false},
		{"misspelled in capitals", "User-Agent: *\nDISALOW : /a", "/a", false},
		{"misspelled agent", "useragent: gleaner\ndisallow: /a", "/a", false},
		{"agent in two words", "User agent: gleaner\nDisallow: /a", "/a", false},
		{"no colon", "user-agent: *\ndisallow /a # b", "/a", false},
		{"no colon anywhere", "User-agent *\nDisallow\t/a", "/a", false},
		{"no colon in an exception", "user-agent: *\ndisallow: /\nallow /a", "/a", true},
		{"a sentence", "user-agent: *\ndisallow /a and others", "/a", true},
		{"case of paths", "user-agent: *\ndisallow: /A", "/a", true},
		{"query", "user-agent: *\ndisallow: /*?session=", "/a?session=1", false},
		{"encoded", "user-agent: *\ndisallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false},
		{"encoded lower", "user-agent: *\ndisallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", false},
		{"needlessly encoded", "user-agent: *\ndisallow: /foo/%62ar", "/foo/bar", false},
		{"a slash that is encoded", "user-agent: *\ndisallow: /a%2Fb", "/a/b", true},
		{"RFC 2.2.3, a star", "user-agent: *\ndisallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false},
		{"RFC 2.2.3, a dollar", "user-agent: *\ndisallow: /path/foo-%24", "/path/foo-$", false},
		{"a star of the path", "user-agent: *\ndisallow: /a%2ab", "/axb", true},
		{"a star of both", "user-agent: *\ndisallow: /a*b", "/a%2Ab", false},
		{"a dollar at the end of a path", "user-agent: *\ndisallow: /a%24$", "/a$", false},
		{"brackets", "user-agent: *\ndisallow: /*?f%5Ba%5D=", "/x?f[a]=1", false},
		{"brackets of the path", "user-agent: *\ndisallow: /*?f[a]=", "/x?f%5ba%5D=1", false},
		{"an at sign and a blank", "user-agent: *\ndisallow: /%40me/a b", "/@me/a%20b", false},
		{"a question mark that is encoded", "user-agent: *\ndisallow: /a%3Fb", "/a?b", true},
		{"the file itself", "user-agent: *\ndisallow: /", "/robots.txt", true},
		{"root", "user-agent: *\ndisallow: /$", "", false},
		{"comments, tabs, mark, CR", "\xef\xbb\xbfUser-Agent :\t*  # all\rDisallow: /a # why\r", "/a", false},
		{"not a robots.txt", "<html><body>404</body></html>", "/a", true},
		{"a binary zero", "user-agent: *\ndisallow: /\x00", "/a", true},
		{"half an encoding", "user-agent: *\ndisallow: /%", "/%", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.file), "gleaner").Allowed(tt.path); got != tt.want {
				t.Errorf("Allowed(%q) = %v, want %v in\n%s", tt.path, got, tt.want, tt.file)
			}
		})
	}
}

func TestCrawlDelay(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"2": 2 * time.Second, "0.5": time.Second / 2, "": 0, "-1": 0, "NaN": 0, "x": 0, "0": 0,
		"1e300": (1<<31 - 1) * time.Second, "+Inf": (1<<31 - 1) * time.Second,
	} {
		if got := Parse([]byte("user-agent: *\ncrawl-delay: "+value), "gleaner").CrawlDelay(); got != want {
			t.Errorf("crawl-delay %q: %v, want %v", value, got, want)
		}
	}
}

// A delay is for the agents above it, although only rules end a group.
func TestCrawlDelay_ofItsAgents(t *testing.T) {
	const second = time.Second
	tests := []struct {
		name, file string
		want       time.Duration
	}{
		{"another crawler's after it", "User-agent: *\nCrawl-delay: 1\n\nUser-agent: Slow\nCrawl-delay: 60", second},
		{"another crawler's before it", "User-agent: Slow\nCrawl-delay: 60\nUser-agent: *\nCrawl-delay: 1", second},
		{"for another crawler alone", "User-agent: *\nCrawl-delay: 2\nUser-agent: b\nCrawl-delay: 9", 2 * second},
		{"of ours", "user-agent: gleaner\ncrawl-delay: 3\nuser-agent: b\ncrawl-delay: 30\ndisallow: /x", 3 * second},
		{"across a sitemap", "user-agent: *\ncrawl-delay: 4\nsitemap: /s\nuser-agent: b\ncrawl-delay: 9", 4 * second},
		{"without number", "user-agent: *\ncrawl-delay:\nuser-agent: b\ncrawl-delay: 40", 0},
		{"several agents", "user-agent: b\nuser-agent: *\nuser-agent: c\ncrawl-delay: 5", 5 * second},
		{"two", "user-agent: *\ncrawl-delay: 5\ncrawl-delay: 7", 7 * second},
		{"after rules", "user-agent: *\ndisallow: /a\ncrawl-delay: 5\nuser-agent: b\ncrawl-delay: 50", 5 * second},
		{"two groups", "user-agent: *\ncrawl-delay: 5\nuser-agent: b\nuser-agent: *\ncrawl-delay: 6", 6 * second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse([]byte(tt.file), "gleaner").CrawlDelay(); got != tt.want {
				t.Errorf("Parse(%q).CrawlDelay() = %v, want %v", tt.file, got, tt.want)
			}
		})
	}
	// Rules are still for all agents above them: section 2.2.1 knows no delay.
	if Parse([]byte("user-agent: *\ncrawl-delay: 1\nuser-agent: b\ndisallow: /"), "gleaner").Allowed("/a") {
		t.Error("a delay ends the group of the rules")
	}
}

func TestParse_readsNoMoreThanItsBound(t *testing.T) {
	file := "user-agent: *\n" + strings.Repeat("#", MaxBytes) + "\ndisallow: /"
	if !Parse([]byte(file), "gleaner").Allowed("/a") {
		t.Error("a rule behind the bound counts")
	}
}

// A pattern of many stars costs no more than its length times the path's.
func TestAllowed_manyStars(t *testing.T) {
	rules := Parse([]byte("user-agent: *\ndisallow: /"+strings.Repeat("a*", 1000)+"b$"), "gleaner")
	start := time.Now()
	if !rules.Allowed("/" + strings.Repeat("a", 8000)) {
		t.Error("not allowed")
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("user-agent: *\ndisallow: /a*b$\ncrawl-delay: 3"), "/axb")
	f.Add([]byte("user-agent: gleaner\nallow: /%e3%83%84\ndisallow: /"), "/ツ?q")
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		rules := Parse(file, "gleaner")
		if rules.CrawlDelay() < 0 {
			t.Error("a negative delay")
		}
		// Both forms of a path have the same result.
		if rules.Allowed(path) != rules.Allowed(octets(path)) {
			t.Errorf("%q is judged otherwise than %q", path, octets(path))
		}
	})
}

func BenchmarkAllowed(b *testing.B) {
	rules := Parse([]byte("user-agent: *\n"+strings.Repeat("disallow: /wp-admin/*/edit$\n", 100)), "gleaner")
	for b.Loop() {
		rules.Allowed("/2026/11/23/a-post-with-a-title")
	}
}

func TestPathOf(t *testing.T) {
	for url, want := range map[string]string{
		"http://e.org/private/50%-off":     "/private/50%25-off",
		"http://e.org/private/%u4E2D.htm":  "/private/%25u4E2D.htm",
		"http://e.org/a%zz?q=%zz#f":        "/a%25zz?q=%zz",
		"http://e.org?50%#%zz":             "/?50%",
		"http://e.org#%zz":                 "/",
		"//a b/c/../d":                     "/d",
		"http://e.org/open#/50%-off":       "/open",
		"http://e.org:port/private/a":      "/private/a",
		"http://[::1/private/a%2Fb":        "/private/a%2Fb",
		"http://e.org/caf%C3%A9/%7euser?x": "/caf%C3%A9/~user?x",
		"http://e.org":                     "/",
	} {
		if got := PathOf(url); got != want {
			t.Errorf("PathOf(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	rules := Parse([]byte("User-agent: *\nDisallow: /secret/\nDisallow: /a%2Fb\n"), "gleaner")
	for _, test := range []struct {
		path, want string
		allowed    bool
	}{
		{"/a/../secret/w", "/secret/w", false},
		{"/./secret/w", "/secret/w", false},
		{"/a/%2e%2E/secret/w", "/secret/w", false},
		{"/a/.%2e/b/../../secret/w", "/secret/w", false},
		{"/../../secret/w", "/secret/w", false},
		{"/%73ecret/w", "/secret/w", false},
		{"/secret/./", "/secret/", false},
		{"/secret/w/..", "/secret/", false},
		{"/secret/x/../../open", "/open", true},
		{"/secret/..", "/", true},
		{"/a%2fb/./c", "/a%2Fb/c", false},
		{"/a/b", "/a/b", true},
		{"/a/...", "/a/...", true},
		{"/.well-known/x", "/.well-known/x", true},
		{"/a//../b", "/a/b", true},
		{"/open?to=/../secret/", "/open?to=/../secret/", true},
		{"", "/", true},
		{"?q", "/?q", true},
	} {
		if got := Path(test.path); got != test.want || Path(got) != got {
			t.Errorf("Path(%q) = %q, want %q", test.path, got, test.want)
		}
		if got := rules.Allowed(test.path); got != test.allowed {
			t.Errorf("Allowed(%q) = %t", test.path, got)
		}
	}
}

// TestLines_cut: a line across the limit is not read in part, whatever ends the lines.
func TestLines_cut(t *testing.T) {
	const rule = "disallow: /private"
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for over := -3; over <= len(rule)+3; over++ {
			head := "user-agent: *" + end + "#"
			head += strings.Repeat("x", MaxBytes-len(head)-len(end)-len(rule)+over) + end
			var got []string
			for key, value := range Lines([]byte(head + rule + end + "disallow: /" + end)) {
				if key == "disallow" {
					got = append(got, value)
				}
			}
			want := 1
			if over > 0 {
				want = 0
			}
			if len(got) != want || want == 1 && got[0] != "/private" {
				t.Errorf("%q, %d bytes over: %v", end, over, got)
			}
		}
	}
	for key := range Lines([]byte(strings.Repeat("x", MaxBytes+5))) {
		t.Errorf("a line that is too long has a key of %d bytes", len(key))
	}
}
