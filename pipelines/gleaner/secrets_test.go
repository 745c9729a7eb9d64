package main

import (
	"bytes"
	"context"
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

// TestAttack11_everyPlaceOfEveryCommand puts secrets where people put them by mistake: in each flag of each command, in
// both of its forms, in names of archives, of commands and of flags. What is printed and written has none of them. The
// flags are tried with GLEANER_SLOW=1.
func TestAttack11_everyPlaceOfEveryCommand(t *testing.T) {
	v := leaktest.NewVault(t, "../../testdata/archives")
	whole := v.WithUser("/site.warc.gz?token=" + url.QueryEscape(leaktest.Signature))
	_, overview, _ := gleaner(t, "help")
	for _, c := range regexp.MustCompile(`(?m)^  ([a-z]+) {2,}`).FindAllStringSubmatch(overview, -1) {
		if c[1] == "version" || c[1] == "help" {
			continue
		}
		t.Run(c[1], func(t *testing.T) {
			t.Parallel()
			_, help, said := gleaner(t, c[1], "--help")
			flags := regexp.MustCompile(`(?m)^ +--([a-z0-9_]+)`).FindAllStringSubmatch(help+said, -1)
			if len(flags) < 5 {
				t.Fatalf("--help has %d flags\n%s", len(flags), help)
			}
			dsn := "host=b password='" + leaktest.Password + "'"
			login := leaktest.User + "127.0.0.1:1"
			object := "s3://b/x?X-Amz-Signature=" + url.QueryEscape(leaktest.Signature)
			attempts := [][]string{{whole}, {"--" + whole}, {dsn}, {login}, {"--log_level=" + object}}
			if os.Getenv("GLEANER_SLOW") != "" { // some flags begin work, and there are hundreds: three minutes
				attempts = append(attempts, []string{"@" + whole}, []string{whole, whole}, []string{"--no_such=" + whole},
					[]string{"--memory=" + dsn}, []string{"--memory=" + login})
				for _, f := range flags {
					attempts = append(attempts, []string{"--" + f[1] + "=" + whole}, []string{"--" + f[1], whole, whole})
				}
			}
			for _, args := range attempts {
				leakTest(t, append([]string{c[1]}, args...)...)
			}
		})
	}
	leakTest(t, whole)
	leakTest(t, "help", whole)
}

// leakTest runs the program in a folder of its own, and looks at all that it says and leaves there. What goes on, as
// servers do, is ended after two seconds.
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
	texts["stdout"], texts["stderr"] = out.String(), said.String()
	what := strings.ReplaceAll(fmt.Sprint(args), leaktest.User, "USER@")
	leaktest.None(t, what, texts)
}
