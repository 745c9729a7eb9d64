package sources

import (
	"net/url"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/internal/leaktest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestSources_secretsLeaveNoTrace: URLs with secrets instead of folders and files are refused, and the message does
// not repeat them.
func TestSources_secretsLeaveNoTrace(t *testing.T) {
	secret := "https://" + leaktest.User + "example.org/x?token=" + url.QueryEscape(leaktest.Signature)
	good := crawl(t, 0)
	for name, args := range map[string][]string{
		"collection": {secret},
		"output":     {"--output=" + secret, good},
		"opml":       {"--opml=" + secret, good},
		"frontier":   {"--frontier=" + secret, good},
		"as of":      {"--as_of=" + secret, good},
		"delay":      {"--delay=" + secret, good},
		"endpoint":   {"--runner=flink", "--endpoint=" + secret, good},
	} {
		t.Run(name, func(t *testing.T) {
			args = append([]string{"--output=" + filepath.Join(t.TempDir(), "x"), "--log_level=debug"}, args...)
			code, out, errs := command(t, args...)
			if code != cli.ExitUsage && code != cli.ExitFailed {
				t.Errorf("exit code %d, want a refusal\n%s%s", code, out, errs)
			}
			leaktest.None(t, "streams", map[string]string{"stdout": out, "stderr": errs})
		})
	}
}
