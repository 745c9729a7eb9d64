package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/leaktest"
)

// secretForms returns the forms in which people write secrets, by the tools that use them.
func secretForms(v *leaktest.Vault) map[string]string {
	password, signature := url.QueryEscape(leaktest.Password), url.QueryEscape(leaktest.Signature)
	basic := base64.StdEncoding.EncodeToString([]byte("somebody:" + leaktest.Password))
	server := strings.TrimPrefix(v.URL, "http://")
	return map[string]string{
		"URL":           v.WithUser("/site.warc.gz?token=" + signature),
		"list":          "@" + v.WithUser("/list?token="+signature),
		"fragment":      v.URL + "/x#access_token=" + signature,
		"bare fragment": "https://" + server + "/x#" + signature,
		"DSN":           "host=b password='" + leaktest.Password + "'",
		"postgres":      "postgres://" + leaktest.User + "127.0.0.1:1/db?sslmode=disable",
		"property":      "sasl.password=" + leaktest.Password,
		"JAAS":          `sasl.jaas.config=a.B required username="u" password="` + leaktest.Password + `";`,
		"login":         leaktest.User + "127.0.0.1:1",
		"brokers":       "a:1,somebody:" + password + "@127.0.0.1:9092",
		"S3":            "s3://b/x?X-Amz-Signature=" + signature,
		"Google":        "gs://b/x?X-Goog-Signature=" + signature,
		"Azure":         "https://" + server + "/c/x?sv=2024&sig=" + signature,
		"other scheme":  "abfs://" + leaktest.User + "account/x",
		"bearer":        "Authorization: Bearer " + leaktest.Signature,
		"basic":         "Authorization: Basic " + basic,
		"cookie":        "Cookie: session=" + leaktest.Signature,
		"JSON":          `{"password":"` + leaktest.Password + `"}`,
		"key":           v.URL + "/x?api_key=" + signature,
	}
}

// quickForms are the forms for quick runs, one for each kind of place in package secret.
var quickForms = []string{"URL", "S3", "DSN", "bearer", "login"}

// TestAttack11_everyPlaceOfEveryCommand puts secrets into likely wrong places: each flag of each command in both its
// forms, and names of archives, commands and flags. Neither files nor output, in both log formats, may contain them.
// With GLEANER_SLOW=1, it tries all flags and forms.
func TestAttack11_everyPlaceOfEveryCommand(t *testing.T) {
	v := leaktest.NewVault(t, "../../testdata/archives")
	forms := secretForms(v)
	whole := forms["URL"]
	_, overview, _ := gleaner(t, "help")
	for _, c := range regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(overview, -1) {
		if slices.Contains(ownNames, c[1]) {
			continue
		}
		t.Run(c[1], func(t *testing.T) {
			t.Parallel()
			_, help, said := gleaner(t, c[1], "--help")
			flags := regexp.MustCompile(`(?m)^ +--([a-z0-9_]+)`).FindAllStringSubmatch(help+said, -1)
			if len(flags) < 5 {
				t.Fatalf("--help has %d flags\n%s", len(flags), help)
			}
			for name, attempts := range attemptsOf(forms, flags) {
				t.Run(name, func(t *testing.T) {
					for _, args := range attempts {
						leakTest(t, append([]string{c[1]}, args...)...)
					}
				})
			}
		})
	}
	leakTest(t, whole)
	leakTest(t, "help", whole)
}

// attemptsOf returns the arguments to try with a command, by the form of the secret. Some start work. With
// GLEANER_SLOW=1 there are thousands, which take an hour; one form takes some minutes.
func attemptsOf(forms map[string]string, flags [][]string) map[string][][]string {
	all := map[string][][]string{}
	if os.Getenv("GLEANER_SLOW") == "" {
		for i, name := range quickForms { // the other half are values of a flag with fixed values
			all[name] = [][]string{{[]string{"", "--log_level="}[i%2] + forms[name]}}
		}
		all["URL"] = append(all["URL"], []string{"--" + forms["URL"]})
		return all
	}
	for name, form := range forms {
		list := [][]string{
			{form}, {"--" + form}, {"--no_such=" + form}, {"--log_format=json", form}, {form, form},
		}
		for _, f := range flags {
			list = append(list, []string{"--" + f[1] + "=" + form})
			if slices.Contains(quickForms, name) { // there is no time for all in both log formats
				list = append(list, []string{"--log_format=json", "--" + f[1] + "=" + form})
			}
			if name == "URL" {
				list = append(list, []string{"--" + f[1], form, form})
			}
		}
		all[name] = list
	}
	return all
}

// leakTest runs the program in its own folder, and checks its output and its files. It ends servers after two
// seconds.
func leakTest(t *testing.T, args ...string) {
	t.Helper()
	dir := t.TempDir()
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), []string{asCommand + "=1", "HOME=" + dir, "TMPDIR=" + dir})
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		t.Fatal(err)
	}
	texts := leaktest.Texts(t, dir)
	_, asked, _ := strings.Cut(args[len(args)-1], "=")
	for name, text := range texts { // requested files have the requested names
		texts[name] = strings.Replace(text, filepath.Clean(asked), "", 1)
	}
	texts["stdout"], texts["stderr"] = out.String(), said.String()
	what := strings.ReplaceAll(fmt.Sprint(args), leaktest.User, "USER@")
	leaktest.None(t, what, texts)
}
