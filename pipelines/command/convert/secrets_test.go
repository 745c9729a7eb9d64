package convert

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/leaktest"
)

// leakTest runs the command with both forms of the log, and checks all its output.
func leakTest(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	for _, form := range []string{"json", "text"} {
		out := filepath.Join(t.TempDir(), "out")
		code, said := runCommand(t, append([]string{"--output=" + out, "--log_level=debug", "--log_format=" + form},
			args...)...)
		if code != want || !strings.Contains(said, says) {
			t.Errorf("exit code %d, want %d and %q\n%s", code, want, says, said)
		}
		texts := leaktest.Texts(t, out)
		if want != 2 && len(texts) == 0 {
			t.Error("nothing is written: the test tests nothing")
		}
		texts["output"] = said
		leaktest.None(t, form, texts)
	}
}

// TestAttack11_secretsLeaveNoTrace: the command neither writes nor prints users and queries of URLs, in any format.
// It sends none to services that run the job.
func TestAttack11_secretsLeaveNoTrace(t *testing.T) {
	v := leaktest.NewVault(t, "../../../testdata/archives")
	token := "?token=" + url.QueryEscape(leaktest.Signature)
	signed := "?X-Amz-Date=20261123T000000Z&X-Amz-Signature=" + url.QueryEscape(leaktest.Signature)
	whole := v.WithUser("/site.warc.gz" + token)
	const all = "--to=ache-html,ache-json,ache-cbor,ache-files,ache-warc,pagestore,cdr,content,warc,wacz"
	for _, tt := range []struct {
		name string
		want int
		says string
		args []string
	}{
		{"all formats", 3, "", []string{all, whole}},
		{"signed", 0, "", []string{"--to=warc,wacz", v.URL + "/site.warc.gz" + signed}},
		{"prism", 0, "", []string{"--to=warc", "--runner=prism", whole}},
		{"forbidden", 2, "permission denied", []string{"--to=warc", v.WithUser("/forbidden/a.warc.gz" + token)}},
		{"absent", 2, "", []string{"--to=warc", v.WithUser("/absent.warc.gz" + token)}},
		{"another host", 2, "", []string{"--to=warc", v.WithUser("/elsewhere/a.warc.gz" + token)}},
		{"workers elsewhere", 2, "would travel with the job", []string{
			"--to=warc", "--runner=flink", "--endpoint=" + strings.TrimPrefix(v.URL, "http://"), "--environment_type=DOCKER",
			whole,
		}},
		{"workers of Dataflow", 2, "would travel with the job", []string{
			"--to=warc", "--dry_run", "--runner=dataflow", "--project=p", "--region=r", "--staging_location=gs://b/s",
			"--output=gs://b/out",
			"--worker_binary=" + os.Args[0], v.URL + "/site.warc.gz" + signed,
		}},
		{"output", 2, "--output", []string{"--to=warc", "--output=" + whole, "x"}},
		{"format", 2, "--to", []string{"--to=" + whole, "x"}},
		{"configuration", 2, "--ache_config", []string{"--ache_config=" + whole, "x"}},
		{"number", 2, "max_body", []string{"--to=warc", "--max_body=" + whole, "x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			leakTest(t, tt.want, tt.says, append([]string{"--private_hosts"}, tt.args...)...)
		})
	}
	for _, head := range v.Others() {
		if head.Get("Authorization")+head.Get("Referer") != "" {
			t.Errorf("another host was told %v", head)
		}
	}
}
