package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/leaktest"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
)

// logForms are the forms of the log.
var logForms = []string{"json", "text"}

// leakTest runs the command in both log formats, and checks all its output.
func leakTest(t *testing.T, want int, args ...string) (out string, r result) {
	t.Helper()
	for _, form := range logForms {
		out, r = leakTestAs(t, form, nil, want, args...)
	}
	return out, r
}

// leakTestAs is leakTest in one log format, with environment variables.
func leakTestAs(t *testing.T, form string, env []string, want int, args ...string) (out string, r result) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	args = append([]string{"--output=" + out, "--log_level=debug", "--log_format=" + form, "--extract=mime"}, args...)
	r = runCommandIn(t, env, args...)
	if r.code != want {
		t.Errorf("exit code %d, want %d\n%s%s", r.code, want, r.stdout, r.stderr)
	}
	texts := leaktest.Texts(t, out)
	texts["stdout"], texts["stderr"] = r.stdout, r.stderr
	leaktest.None(t, form, texts)
	return out, r
}

func TestAttack11_urlsWithSecretsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	v := leaktest.NewVault(t, "../../"+archives)
	query := "?X-Amz-Date=20261123T000000Z&X-Amz-Signature=" + url.QueryEscape(leaktest.Signature)
	token := "?token=" + url.QueryEscape(leaktest.Signature)
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte(v.URL+"/site.warc.gz"+query+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := unusedAddress(t)
	for name, test := range map[string]struct {
		want int
		args []string
	}{
		"user":  {0, []string{v.WithUser("/site.warc.gz")}},
		"query": {0, []string{v.URL + "/site.warc.gz" + query}},
		"token": {0, []string{
			"--format=jsonl,parquet,content,cdxj", "--compression=none",
			v.URL + "/site.warc.gz" + token,
		}},
		"list":             {0, []string{"@" + list}},
		"prism":            {0, []string{"--runner=prism", v.WithUser("/site.warc.gz" + token)}},
		"plan":             {0, []string{"--plan", v.WithUser("/site.warc.gz" + token)}},
		"absent":           {2, []string{v.WithUser("/absent.warc.gz" + token)}},
		"forbidden":        {2, []string{v.WithUser("/forbidden/a.warc.gz" + token)}},
		"other host":       {2, []string{v.WithUser("/elsewhere/a.warc.gz" + token)}},
		"listed elsewhere": {2, []string{"@" + v.WithUser("/elsewhere/a.txt"+token)}},
		"unescaped": {2, []string{"http://somebody:" + leaktest.Password + "@" + strings.TrimPrefix(v.URL,
			"http://") + "/site.warc.gz"}},
		"no scheme known":   {2, []string{"ftp://" + leaktest.User + "127.0.0.1/a.warc.gz"}},
		"bucket with a key": {2, []string{"s3://" + leaktest.User + "bucket/a.warc.gz"}},
		"output":            {2, []string{"--output=https://" + leaktest.User + "example.org/", v.URL}},
		"metrics":           {2, []string{"--metrics_port=http://" + leaktest.User + closed, v.URL}},
	} {
		t.Run(name, func(t *testing.T) {
			leakTest(t, test.want, append([]string{"--private_hosts"}, test.args...)...)
		})
	}
	others := v.Others()
	if len(others) == 0 {
		t.Error("nobody followed the redirections")
	}
	for _, head := range others {
		if head.Get("Authorization")+head.Get("Referer")+head.Get("Cookie") != "" {
			t.Errorf("another host was told %v", head)
		}
	}
}

// TestAttack11_signedAnewIsTheSameInput: the hash distinguishes two files with one path, but not two signatures of
// one file.
func TestAttack11_signedAnewIsTheSameInput(t *testing.T) {
	v := leaktest.NewVault(t, "../../"+archives)
	out := t.TempDir()
	run := func(query string) {
		mustRun(t, "--private_hosts", "--compression=none", "--extract=mime", "--output="+out,
			v.WithUser("/site.warc.gz?"+query))
	}
	run("X-Amz-Date=20261123T000000Z&X-Amz-Signature=" + url.QueryEscape(leaktest.Signature))
	before := contents(t, out)
	read := v.Read.Load()
	run("X-Amz-Signature=another&X-Amz-Date=20261124T000000Z")
	if n := v.Read.Load() - read; n > 0 || read == 0 {
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
	t.Parallel()
	v := leaktest.NewVault(t, "../../"+archives)
	index := t.TempDir()
	mustRun(t, "--format=cdxj", "--output="+index, archives+"/site.warc.gz")
	cdxj, err := os.ReadFile(filepath.Join(index, "index.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(string(cdxj), archives+"/", "")
	token := "?token=" + url.QueryEscape(leaktest.Signature)
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("token") != leaktest.Signature {
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
		"base with a user":  append(slices.Clone(base), "--warc_base="+v.WithUser("/")),
		"base with a token": {"--private_hosts", "--cdx=" + local, "--warc_base=" + v.URL + "/" + token},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := leakTest(t, 0, append(args, "--compression=none")...)
			if n := len(documents(t, out)); n == 0 {
				t.Error("no documents")
			}
		})
	}
	t.Run("no such base", func(t *testing.T) { leakTest(t, 3, append(base, "--warc_base="+v.WithUser("/none/"))...) })
	t.Run("forbidden base", func(t *testing.T) {
		leakTest(t, 1, append(base,
			"--warc_base="+v.WithUser("/forbidden/"))...)
	})
	t.Run("forbidden index", func(t *testing.T) {
		leakTest(t, 2, "--private_hosts", "--cdx="+served.URL+"/index.cdxj?token=wrong"+url.QueryEscape(leaktest.Signature))
	})
}

func TestAttack11_serversAndTheirSecrets(t *testing.T) {
	t.Parallel()
	input := archives + "/site.warc.gz"
	x := elastictest.Start(t)
	elastic := strings.Replace(x.URL, "://", "://"+leaktest.User, 1)
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
	postgres := "postgres://" + leaktest.User + closed + "/db"
	with := func(host string) string { return "--elastic=" + strings.Replace(host, "://", "://"+leaktest.User, 1) }
	jaas := `--kafka_property=sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="` + leaktest.Password + `";`
	kafka := []string{
		"--kafka=" + closed, "--kafka_topic=t", "--kafka_property=security.protocol=SASL_PLAINTEXT",
		"--kafka_property=sasl.mechanism=PLAIN", "--kafka_property=delivery.timeout.ms=1000",
		"--kafka_property=request.timeout.ms=1000",
	}
	quick := []string{sinkFile(t, "elastic_start_timeout: 1s", "elastic_retry_timeout: 1s"), input}
	for name, test := range map[string]struct {
		want int
		args []string
	}{
		"elastic":                  {0, []string{"--elastic=" + elastic, input}},
		"elastic on prism":         {0, []string{"--runner=prism", "--elastic=" + elastic, input}},
		"elastic refuses":          {1, append([]string{with(refuses.URL)}, quick...)},
		"elastic is down":          {1, append([]string{with("http://" + closed)}, quick...)},
		"elastic is not trusted":   {1, append([]string{with(untrusted.URL)}, quick...)},
		"elastic without a scheme": {2, []string{"--elastic=somebody:" + leaktest.Password + "@localhost:9200", input}},
		"elastic elsewhere": {2, []string{
			"--runner=flink", "--endpoint=" + closed, "--environment_type=DOCKER", "--elastic=" + elastic, input,
		}},
		"property without =": {2, append([]string{"--kafka_property=" + leaktest.Password}, input)},
		"property of a file": {2, append([]string{"--kafka_property=@" + textFile(t, "a=b\n"+leaktest.Password+"\n")},
			input)},
		"property of none": {2, append([]string{jaas}, input)},
		"odd login": {2, append(slices.Clone(kafka),
			"--kafka_property=sasl.jaas.config=PlainLoginModule "+leaktest.Password+`="x" username="u" password="`+
				leaktest.Password+`";`, input)},
		"kafka is down": {2, append(slices.Clone(kafka), jaas, input)},
		"kafka elsewhere": {2, append(slices.Clone(kafka), jaas, "--runner=flink", "--endpoint="+closed,
			"--environment_type=DOCKER", input)},
		"postgres, and a mode that is none": {2, []string{"--postgres=" + postgres + "?sslmode=maybe", input}},
		"postgres, and a key's password": {2, []string{
			"--postgres=" + postgres + "?sslpassword=" + leaktest.Password,
			input,
		}},
		"postgres without a scheme": {2, []string{
			"--postgres=somebody:" + leaktest.Password + "@" + closed + "/db",
			input,
		}},
		"postgres, not escaped": {2, []string{"--postgres=postgres://somebody:" + leaktest.Password + "@" +
			closed + "/db", input}},
		"postgres elsewhere": {2, []string{
			"--runner=flink", "--endpoint=" + closed, "--environment_type=DOCKER", "--postgres=" + postgres, input,
		}},
		"plan with all of it": {0, append(slices.Clone(kafka), jaas, "--elastic="+elastic, "--postgres="+postgres, "--plan",
			input)},
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

// unusedAddress returns an address without a listener.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, l)
	return l.Addr().String()
}
