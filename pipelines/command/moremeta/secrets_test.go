package moremeta

import (
	"net/url"
	"testing"

	"github.com/gleaner-web/gleaner/internal/leaktest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestAttack11_secretsLeaveNoTrace: the command reads and writes only local files. URLs with secrets are refused, and
// the message does not repeat them.
func TestAttack11_secretsLeaveNoTrace(t *testing.T) {
	dir, pages := store(t)
	secret := "https://" + leaktest.User + "example.org/x?token=" + url.QueryEscape(leaktest.Signature)
	for name, args := range map[string][]string{
		"store":    {"--detect", secret},
		"input":    {"--detect", "--input=" + secret},
		"table":    {"--pages=" + secret, dir},
		"report":   {"--detect", "--report=" + secret, dir},
		"endpoint": {"--detect", "--report=r", "--runner=flink", "--endpoint=" + secret, dir},
		"flag":     {"--detect=" + secret, "--pages=" + pages, dir},
	} {
		t.Run(name, func(t *testing.T) {
			for _, form := range []string{"json", "text"} {
				code, out, errs := command(t, append([]string{"--log_level=debug", "--log_format=" + form}, args...)...)
				if code != cli.ExitUsage && code != cli.ExitFailed {
					t.Errorf("exit code %d, want a refusal\n%s%s", code, out, errs)
				}
				leaktest.None(t, form, map[string]string{"stdout": out, "stderr": errs})
			}
			leaktest.None(t, "store", leaktest.Texts(t, dir))
		})
	}
}
