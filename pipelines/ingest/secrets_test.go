package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/elastic/elastictest"
)

// The secrets of the tests, with what URLs have to escape.
const (
	password  = "pw-Zx81&ü/%q"
	signature = "s1g+Nature/9f=="
)

// escapedUser is user and password as a URL has them.
var escapedUser = url.UserPassword("somebody", password).String() + "@"

// vault serves archives to whoever knows user, password or signature, and repeats what it was asked where it refuses.
type vault struct {
	*httptest.Server
	read  atomic.Int64 // requests for what is in files
	mu    sync.Mutex
	heads []http.Header // that others than the archives' own paths got
}

func newVault(t *testing.T, start func(http.Handler) *httptest.Server) *vault {
	t.Helper()
	v := &vault{}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.heads = append(v.heads, r.Header.Clone())
		v.mu.Unlock()
		http.NotFound(w, r)
	}))
	t.Cleanup(other.Close)
	files := http.FileServer(http.Dir("../../" + archives))
	v.Server = start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, given, _ := r.BasicAuth()
		if r.Method == http.MethodGet {
			v.read.Add(1)
		}
		known := user == "somebody" && given == password || r.URL.Query().Get("X-Amz-Signature") == signature || r.URL.Query().Get("token") == signature
		switch {
		case strings.HasPrefix(r.URL.Path, "/elsewhere/"):
			http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/x?sig="+url.QueryEscape(signature),
				http.StatusFound)
		case !known, strings.HasPrefix(r.URL.Path, "/forbidden/"):
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, "no: %s %s %s", r.URL, given, r.Header)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(v.Close)
	return v
}

// withUser is a URL of v with user and password.
func (v *vault) withUser(path string) string {
	return strings.Replace(v.URL, "://", "://"+escapedUser, 1) + path
}

// forms are those in which a secret may stand in a text.
func forms(secret string) []string {
	list := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)),
		hex.EncodeToString([]byte(secret)),
		strings.Trim(strings.TrimPrefix(url.UserPassword("", secret).String(), ":"), "%"), strings.ReplaceAll(secret, "&",
			`\u0026`),
	}
	for shift := range 3 { // wherever in the encoded bytes it begins
		b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret + "xxx"))
		list = append(list, b[4:len(secret)*4/3-4], strings.NewReplacer("+", "-", "/", "_").Replace(b[4:len(secret)*4/3-4]))
	}
	return list
}

// noSecrets looks for the secrets in what a command printed and wrote.
func noSecrets(t *testing.T, what string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		for _, secret := range []string{password, signature} {
			for _, form := range forms(secret) {
				if i := strings.Index(text, form); i >= 0 {
					t.Errorf("%s: %s has %q: …%.160q", what, name, form, text[max(0, i-60):])
				}
			}
		}
	}
}

// everything is all that lies in a folder, hidden files too, unpacked where it is packed.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all[path] = path + "\n" + string(raw)
		var r io.Reader
		switch filepath.Ext(path) {
		case ".gz":
			r, err = gzip.NewReader(bytes.NewReader(raw))
		case ".zst":
			r, err = zstd.NewReader(bytes.NewReader(raw))
		default:
			return nil
		}
		if err != nil {
			return err
		}
		plain, err := io.ReadAll(r)
		all[path] += string(plain)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

// logForms are the forms of the log.
var logForms = []string{"json", "text"}

// leakTest runs the command in both forms of the log and looks at all that it tells.
func leakTest(t *testing.T, want int, args ...string) (out string, r result) {
	t.Helper()
	for _, form := range logForms {
		out, r = leakTestAs(t, form, nil, want, args...)
	}
	return out, r
}

// leakTestAs is leakTest in one form of the log, with variables of the environment.
func leakTestAs(t *testing.T, form string, env []string, want int, args ...string) (out string, r result) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	args = append([]string{"--output=" + out, "--log_level=debug", "--log_format=" + form, "--extract=mime"}, args...)
	r = runCommandIn(t, env, args...)
	if r.code != want {
		t.Errorf("exit code %d, want %d\n%s%s", r.code, want, r.stdout, r.stderr)
	}
	texts := everything(t, out)
	texts["stdout"], texts["stderr"] = r.stdout, r.stderr
	noSecrets(t, form, texts)
	return out, r
}

func TestAttack11_urlsWithSecretsLeaveNoTrace(t *testing.T) {
	v := newVault(t, httptest.NewServer)
	query := "?X-Amz-Date=20261123T000000Z&X-Amz-Signature=" + url.QueryEscape(signature)
	token := "?token=" + url.QueryEscape(signature)
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(v.URL+"/site.warc.gz"+query+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := unusedAddress(t)
	for name, test := range map[string]struct {
		want int
		args []string
	}{
		"user":  {0, []string{v.withUser("/site.warc.gz")}},
		"query": {0, []string{v.URL + "/site.warc.gz" + query}},
		"token": {0, []string{
			"--format=jsonl,parquet,content,cdxj", "--compression=none",
			v.URL + "/site.warc.gz" + token,
		}},
		"list":             {0, []string{"@" + list}},
		"prism":            {0, []string{"--runner=prism", v.withUser("/site.warc.gz" + token)}},
		"plan":             {0, []string{"--plan", v.withUser("/site.warc.gz" + token)}},
		"absent":           {2, []string{v.withUser("/absent.warc.gz" + token)}},
		"forbidden":        {2, []string{v.withUser("/forbidden/a.warc.gz" + token)}},
		"other host":       {2, []string{v.withUser("/elsewhere/a.warc.gz" + token)}},
		"listed elsewhere": {2, []string{"@" + v.withUser("/elsewhere/a.txt"+token)}},
		"unescaped": {2, []string{"http://somebody:" + password + "@" + strings.TrimPrefix(v.URL,
			"http://") + "/site.warc.gz"}},
		"no scheme known":   {2, []string{"ftp://" + escapedUser + "127.0.0.1/a.warc.gz"}},
		"bucket with a key": {2, []string{"s3://" + escapedUser + "bucket/a.warc.gz"}},
		"output":            {2, []string{"--output=https://" + escapedUser + "example.org/", v.URL}},
		"metrics":           {2, []string{"--metrics_port=http://" + escapedUser + closed, v.URL}},
	} {
		t.Run(name, func(t *testing.T) {
			leakTest(t, test.want, append([]string{"--private_hosts"}, test.args...)...)
		})
	}
	if len(v.heads) == 0 {
		t.Error("nobody followed the redirections")
	}
	for _, head := range v.heads {
		if head.Get("Authorization")+head.Get("Referer")+head.Get("Cookie") != "" {
			t.Errorf("another host was told %v", head)
		}
	}
}

// TestAttack11_signedAnewIsTheSameInput: the hash tells two files of one path apart, but not two signatures of one.
func TestAttack11_signedAnewIsTheSameInput(t *testing.T) {
	v := newVault(t, httptest.NewServer)
	out := t.TempDir()
	run := func(query string) {
		mustRun(t, "--private_hosts", "--compression=none", "--extract=mime", "--output="+out,
			v.withUser("/site.warc.gz?"+query))
	}
	run("X-Amz-Date=20261123T000000Z&X-Amz-Signature=" + url.QueryEscape(signature))
	before := contents(t, out)
	read := v.read.Load()
	run("X-Amz-Signature=another&X-Amz-Date=20261124T000000Z")
	if n := v.read.Load() - read; n > 0 || read == 0 {
		t.Errorf("%d requests of the first run read the archive, and %d of the second", read, n)
	}
	sameFiles(t, contents(t, out), before)
	for _, d := range documents(t, out) {
		if !strings.Contains(d, `"filename":"`+v.URL+`/site.warc.gz#q=`) {
			t.Fatalf("filename in %.400s", d)
		}
	}
}

func TestAttack11_indexesAndTheirArchives(t *testing.T) {
	v := newVault(t, httptest.NewServer)
	index := t.TempDir()
	mustRun(t, "--format=cdxj", "--output="+index, archives+"/site.warc.gz")
	cdxj, err := os.ReadFile(filepath.Join(index, "index.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(string(cdxj), archives+"/", "")
	token := "?token=" + url.QueryEscape(signature)
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("token") != signature {
			http.Error(w, r.URL.String(), http.StatusForbidden)
			return
		}
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(lines))
	}))
	t.Cleanup(served.Close)
	local := filepath.Join(index, "names.cdxj")
	if err := os.WriteFile(local, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	base := []string{"--private_hosts", "--cdx=" + served.URL + "/index.cdxj" + token}
	for name, args := range map[string][]string{
		"base with a user":  append(slices.Clone(base), "--warc_base="+v.withUser("/")),
		"base with a token": {"--private_hosts", "--cdx=" + local, "--warc_base=" + v.URL + "/" + token},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := leakTest(t, 0, append(args, "--compression=none")...)
			if n := len(documents(t, out)); n == 0 {
				t.Error("no documents")
			}
		})
	}
	t.Run("no such base", func(t *testing.T) { leakTest(t, 3, append(base, "--warc_base="+v.withUser("/none/"))...) })
	t.Run("forbidden base", func(t *testing.T) {
		leakTest(t, 1, append(base,
			"--warc_base="+v.withUser("/forbidden/"))...)
	})
	t.Run("forbidden index", func(t *testing.T) {
		leakTest(t, 2, "--private_hosts", "--cdx="+served.URL+"/index.cdxj?token=wrong"+url.QueryEscape(signature))
	})
}

func TestAttack11_serversAndTheirSecrets(t *testing.T) {
	input := archives + "/site.warc.gz"
	x := elastictest.Start(t)
	elastic := strings.Replace(x.URL, "://", "://"+escapedUser, 1)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, given, _ := r.BasicAuth()
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprintf(w, "no: %s:%s %s", user, given, r.Header.Get("Authorization"))
	}))
	t.Cleanup(refuses.Close)
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = nil
	t.Cleanup(untrusted.Close)
	closed := unusedAddress(t)
	with := func(host string) string { return "--elastic=" + strings.Replace(host, "://", "://"+escapedUser, 1) }
	jaas := `--kafka_property=sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="` + password + `";`
	kafka := []string{
		"--kafka=" + closed, "--kafka_topic=t", "--kafka_property=security.protocol=SASL_PLAINTEXT",
		"--kafka_property=sasl.mechanism=PLAIN", "--kafka_property=delivery.timeout.ms=1000",
		"--kafka_property=request.timeout.ms=1000",
	}
	quick := []string{"--elastic_start_timeout=1s", "--elastic_retry_timeout=1s", input}
	for name, test := range map[string]struct {
		want int
		args []string
	}{
		"elastic":                  {0, []string{"--elastic=" + elastic, input}},
		"elastic on prism":         {0, []string{"--runner=prism", "--elastic=" + elastic, input}},
		"elastic refuses":          {1, append([]string{with(refuses.URL)}, quick...)},
		"elastic is down":          {1, append([]string{with("http://" + closed)}, quick...)},
		"elastic is not trusted":   {1, append([]string{with(untrusted.URL)}, quick...)},
		"elastic without a scheme": {2, []string{"--elastic=somebody:" + password + "@localhost:9200", input}},
		"elastic elsewhere": {2, []string{
			"--runner=flink", "--endpoint=" + closed, "--environment_type=DOCKER", "--elastic=" + elastic, input,
		}},
		"property without =": {2, append([]string{"--kafka_property=" + password}, input)},
		"property of a file": {2, append([]string{"--kafka_property=@" + textFile(t, "a=b\n"+password+"\n")}, input)},
		"property of none":   {2, append([]string{jaas}, input)},
		"odd login": {2, append(slices.Clone(kafka),
			"--kafka_property=sasl.jaas.config=PlainLoginModule "+password+`="x" username="u" password="`+password+`";`, input)},
		"kafka is down": {2, append(slices.Clone(kafka), jaas, input)},
		"kafka elsewhere": {2, append(slices.Clone(kafka), jaas, "--runner=flink", "--endpoint="+closed,
			"--environment_type=DOCKER", input)},
		"plan with all of it": {0, append(slices.Clone(kafka), jaas, "--elastic="+elastic, "--plan", input)},
	} {
		t.Run(name, func(t *testing.T) { leakTest(t, test.want, test.args...) })
	}
}

func textFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// unusedAddress is one where nobody listens.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, l)
	return l.Addr().String()
}
