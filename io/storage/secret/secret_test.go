package secret

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"
	"time"
)

// fresh empties the table of secrets for a test.
func fresh(t testing.TB) {
	t.Helper()
	empty := func() {
		kept.Lock()
		defer kept.Unlock()
		kept.urls, kept.texts, kept.known = map[string]string{}, map[string]Text{}, known{}
	}
	empty()
	t.Cleanup(empty)
}

func TestHide(t *testing.T) {
	for _, tt := range []struct{ name, url, want string }{
		{"path", "a/b.warc.gz", "a/b.warc.gz"},
		{"nothing to hide", "https://example.org/a.warc.gz", "https://example.org/a.warc.gz"},
		{"password", "https://:pass-word@example.org/a", "https://example.org/a"},
		{"user", "https://me:pass-word@example.org/a", "https://example.org/a#q="},
		{"empty query", "https://example.org/a?", "https://example.org/a"},
		{"query", "https://example.org/a?token=0123456789ab", "https://example.org/a#q="},
		{"signature of Amazon", "https://example.org/a?X-Amz-Date=1&X-Amz-Signature=0123456789ab", "https://example.org/a"},
		{"signature of Azure", "https://example.org/a?sv=1&se=2&sig=0123456789ab", "https://example.org/a"},
		{"signature's fields without one", "https://example.org/a?expires=1", "https://example.org/a#q="},
		{"fragment", "https://me:pass-word@example.org/a#frag", "https://example.org/a#q="},
		{"fragment alone", "https://example.org/a#access_token=0123456789ab", "https://example.org/a"},
		{"fragment and query", "https://example.org/a?b=c#frag", "https://example.org/a#q="},
		{"object with a hash", "s3://bucket/a#b", "s3://bucket/a#b"},
		{"object", "s3://bucket/a?b@c", "s3://bucket/a?b@c"},
		{"object with a key", "s3://key:pass-word@bucket/a", "s3://bucket/a#q="},
		{"password with a slash", "https://me:pass/word@example.org/a", "https://example.org/a#q="},
		{"password with a mark", "https://me:pass?word@example.org/a", "https://example.org/a#q="},
		{"password with a mark, no path", "https://me:pass?word@example.org?token=0123456789ab", "https://example.org#q="},
		{"IPv6", "https://me:pass-word@[::1]:8080/a", "https://[::1]:8080/a#q="},
		{"other scheme", "ftp://me:pass-word@example.org/a", "ftp://example.org/a#q="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fresh(t)
			got := Hide(tt.url)
			if hash := strings.TrimPrefix(got, tt.want); got != tt.want &&
				(!strings.HasSuffix(tt.want, "#q=") || len(hash) != 16) {
				t.Errorf("Hide(%q) = %q, want %q", tt.url, got, tt.want)
			}
			if Hide(got) != got || Reveal(got) != tt.url || Hides(got) != (got != tt.url) {
				t.Errorf("Hide(%q) = %q, which is revealed as %q", tt.url, got, Reveal(got))
			}
		})
	}
}

// TestHide_tellsApart: a hash tells files apart and not days.
func TestHide_tellsApart(t *testing.T) {
	fresh(t)
	day := Hide("https://example.org/a?file=1&X-Amz-Signature=monday&X-Amz-Date=1")
	if next := Hide("https://example.org/a?X-Amz-Date=2&X-Amz-Signature=tuesday&file=1"); next != day {
		t.Errorf("signed anew it is %q, and was %q", next, day)
	}
	if other := Hide("https://example.org/a?file=2&X-Amz-Signature=monday&X-Amz-Date=1"); other == day {
		t.Errorf("two files have the name %q", other)
	}
	if IsUnknown(day) || !IsUnknown("https://example.org/a#q=0123456789abcdef") {
		t.Error("IsUnknown does not know which names this process has given")
	}
}

func TestBelow(t *testing.T) {
	fresh(t)
	for _, tt := range []struct{ base, want string }{
		{"https://example.org/shelf/", "https://example.org/shelf/a.warc"},
		{"https://me:pass-word@example.org/shelf", "https://me:pass-word@example.org/shelf/a.warc"},
		{"https://example.org/shelf?sig=0123456789ab", "https://example.org/shelf/a.warc?sig=0123456789ab"},
		{"shelf/", "shelf/a.warc"},
	} {
		if got := Reveal(Below(Hide(tt.base), "a.warc")); got != tt.want {
			t.Errorf("Below(%q) is %q, want %q", tt.base, got, tt.want)
		}
	}
	if got, want := Folder(Hide("https://me:pass-word@example.org/shelf/a?sig=1")),
		"https://me:pass-word@example.org/shelf"; got != want {
		t.Errorf("Folder = %q, want %q", got, want)
	}
}

func TestText_travelsAsATicket(t *testing.T) {
	fresh(t)
	data, err := json.Marshal(map[string]Text{"password": "pass-word"})
	if err != nil || strings.Contains(string(data), "pass-word") {
		t.Fatalf("in JSON: %s, %v", data, err)
	}
	var back map[string]Text
	if err := json.Unmarshal(data, &back); err != nil || back["password"] != "pass-word" {
		t.Errorf("it came back as %q, %v", string(back["password"]), err)
	}
	if text := fmt.Sprint(back); strings.Contains(text, "pass-word") {
		t.Errorf("printed: %s", text)
	}
	fresh(t) // as in another process
	if err := json.Unmarshal(data, &back); err != nil || back["password"] != "" {
		t.Errorf("in another process: %q, %v", string(back["password"]), err)
	}
}

func TestRedact(t *testing.T) {
	const password = "pw-Zx81&ü/%q"
	user := url.UserPassword("me", password).String()
	for _, tt := range []struct {
		name, text string
		note       func()
	}{
		{"as it is", "no: " + password, func() { Note(password) }},
		{"as a query has it", "no: " + url.QueryEscape(password), func() { Note(password) }},
		{"as a path has it", "no: " + url.PathEscape(password), func() { Note(password) }},
		{"quoted", fmt.Sprintf("no: %+q", password), func() { Note(password) }},
		{"quoted by package time", timeError(password), func() { Note(password) }},
		{"in JSON", `no: {"a":"pw-Zx81\u0026ü/%q"}`, func() { Note(password) }},
		{"in hexadecimal", fmt.Sprintf("no: %x.", password), func() { Note(password) }},
		{"in base64", "no: " + base64.StdEncoding.EncodeToString([]byte(password)), func() { Note(password) }},
		{
			"as HTTP has it", "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+password)),
			func() { Hide("https://" + user + "@example.org/") },
		},
		{"user of a URL that nobody noted", "get https://" + user + "@example.org/", func() {}},
		{"query of a URL", "no: token=0123456789ab", func() { Hide("https://example.org/?token=0123456789ab&b=c") }},
		{"argument", "no 0123456789ab", func() {
			NoteArguments([]string{
				"-x",
				"--report=https://example.org/?token=0123456789ab",
			})
		}},
		{
			"list in an argument", "no 0123456789ab",
			func() { NoteArguments([]string{"a,http://b/?t=0123456789ab,http://c/"}) },
		},
		{
			"path of an argument", "open /d/https:/me:pass-word/",
			func() { NoteArguments([]string{"https://me:pass-word@b/"}) },
		},
		{"DSN", "no host=b password=pass-word", func() { NoteArguments([]string{"--cluster=host=b password=pass-word"}) }},
		{"quoted", "no pass-word", func() { NoteArguments([]string{"password = 'pass-word'"}) }},
		{"property", "no pass-word", func() { NoteArguments([]string{"--kafka=sasl.password=pass-word"}) }},
		{"property with a colon", "no pass-word", func() { NoteArguments([]string{"--kafka", "sasl.password:pass-word"}) }},
		{"JDBC", "no pass-word", func() { NoteArguments([]string{"jdbc:postgresql://b/db?user=me&password=pass-word&x=1"}) }},
		{"query of an object", "s3://b/x?X-Amz-Signature=0123456789ab", func() {
			NoteArguments([]string{"s3://b/x?X-Amz-Date=1&X-Amz-Signature=0123456789ab"})
		}},
		{"login without a scheme", "no me:pass-word@b:9092", func() {
			NoteArguments([]string{"--kafka=a:1," +
				"me:pass-word@b:9092"})
		}},
		{"login alone", "parsing pass-word", func() { NoteArguments([]string{"me:pass-word@b"}) }},
		{"login with a slash", "no me:pass/pass-word@b", func() { NoteArguments([]string{"me:pass/pass-word@b"}) }},
		{"login with an @", "no @pass-word", func() { NoteArguments([]string{"--kafka=me:@pass-word@b:9092"}) }},
		{"login that is escaped", "no " + password, func() {
			NoteArguments([]string{"a:1,me:" + url.QueryEscape(password) + "@b"})
		}},
		{"property with a delimiter", "no pass&pass-word", func() {
			NoteArguments([]string{"sasl.password=pass&pass-word"})
		}},
		{"fragment", "no 0123456789ab", func() { NoteArguments([]string{"--x=https://b/c#0123456789ab"}) }},
		{"field of a fragment", "no 0123456789ab", func() {
			NoteArguments([]string{"https://b/c#state=1&access=0123456789ab"})
		}},
		{"fragment of pieces", "no !/key-0123456789ab", func() {
			NoteArguments([]string{"--x=https://b/c#!/key-0123456789ab"})
		}},
		{"fragment of letters", "no pass-wordAbCdEfGhIjKlMnOpQrStUv", func() {
			NoteArguments([]string{"https://b/c#pass-wordAbCdEfGhIjKlMnOpQrStUv"})
		}},
		{"bearer", "no 0123456789ab", func() { NoteArguments([]string{"--lang=Authorization: Bearer 0123456789ab"}) }},
		{"bearer alone", "no 0123456789ab", func() { NoteArguments([]string{"--lang=bearer 0123456789ab"}) }},
		{"bearer in pieces", "no 0123456789ab", func() {
			NoteArguments([]string{"Authorization:", "Bearer", "0123456789ab"})
		}},
		{"basic", "no bWU6cGFzcy13b3Jk", func() { NoteArguments([]string{"Authorization: Basic bWU6cGFzcy13b3Jk"}) }},
		{"taken for a flag", "--Authorization: Basic bWU6cGFzcy13b3Jk: no", func() {
			NoteArguments([]string{"--Authorization: Basic bWU6cGFzcy13b3Jk=="})
		}},
		{"taken for a path", "no folder host=b password='pass-word", func() {
			NoteArguments([]string{"--file=host=b password='pass-word/0123/4567'"})
		}},
		{"cookie", "no 0123456789ab", func() { NoteArguments([]string{"Cookie: a=b; session=0123456789ab"}) }},
		{"list of URLs", "@list 0123456789ab", func() { NoteArguments([]string{"@https://b/?t=0123456789ab"}) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fresh(t)
			tt.note()
			got := Redact(tt.text)
			for _, secret := range []string{
				password, url.QueryEscape(password), "0123456789ab", user, "pass-word", "bWU6cGFzcy13b3Jk",
			} {
				if strings.Contains(got, secret) || strings.Contains(got, "Zx81") || got == tt.text {
					t.Errorf("Redact(%q) = %q", tt.text, got)
				}
			}
		})
	}
	fresh(t)
	const harmless = "--contact=somebody@example.org --at=2026-11-26T10:00:00Z mailto:somebody@example.org a:1,b:2 " +
		"--where=text:harbour " +
		"https://b/c#section-2 https://b/c#Über_uns https://b/c#%C3%9Cber-uns https://b/c#L1200-L1340 " +
		"https://b/c#q=5d3c1f2ab07e9964"
	if NoteArguments(strings.Fields(harmless)); Redact(harmless) != harmless {
		t.Errorf("Redact(%q) = %q", harmless, Redact(harmless))
	}
	fresh(t)
	if Note("word"); Redact("a word") != "a word" {
		t.Error("a short text is taken out, which is in too many words")
	}
}

// timeError is the error of package time for a text that is not a time.
func timeError(text string) string {
	_, err := time.Parse(time.RFC3339, text)
	return err.Error()
}

func TestNoteEnvironment(t *testing.T) {
	fresh(t)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "key-0123456789")
	t.Setenv("https_proxy", "me:pass-word@proxy.example:3128")
	NoteEnvironment()
	if got := Redact("key-0123456789 pass-word"); strings.Contains(got, "0123") || strings.Contains(got, "pass-word") {
		t.Errorf("Redact = %q", got)
	}
}

func TestError_keepsItsKind(t *testing.T) {
	fresh(t)
	err := Error(fmt.Errorf("asked: %w", &url.Error{
		Op: "Get", URL: "https://e.org/?sig=0123456789ab",
		Err: fs.ErrNotExist,
	}))
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "sig=") {
		t.Errorf("Error = %v", err)
	}
	if plain := errors.New("plain"); Error(plain) != plain || Error(nil) != nil {
		t.Error("an error without a secret is another one")
	}
}

// FuzzHide: whatever the URL is, its name has none of its password and query, names itself, and reveals the URL.
func FuzzHide(f *testing.F) {
	for _, s := range []string{
		"https://me:pass-word@example.org/a?token=0123456789ab", "s3://a:pass/word@b/c?d", "http://[::1]:80/?a=b&sig=c#d",
		"HTTP://me@h?", "://", "a://b@c@d/e", "https://me:p%40ss-word@h/#@",
	} {
		f.Add(s, "pass-word")
	}
	f.Fuzz(func(t *testing.T, text, password string) {
		fresh(t)
		name := Hide(text)
		if Hide(name) != name || Reveal(name) != text && name != text {
			t.Errorf("Hide(%q) = %q, which hides %q and reveals %q", text, name, Hide(name), Reveal(name))
		}
		if len(password) < least || strings.ContainsAny(password, "/?#@[]:") {
			return
		}
		with := "https://me:" + password + "@host.example/path?q=" + url.QueryEscape(password) + "x0123456789"
		if strings.Contains("https://host.example/path#q=0123456789abcdef", password) {
			return
		}
		name = Hide(with)
		said := Redact(fmt.Sprintf("get %s: %q %s", with, password, base64.StdEncoding.EncodeToString([]byte(password))))
		if strings.Contains(name, password) || strings.Contains(said, password) &&
			!strings.Contains("get : "+mark, password) {
			t.Errorf("the name is %q, the message %q", name, said)
		}
	})
}
