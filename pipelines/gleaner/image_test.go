//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/internal/servertest"
)

// imageUser is the user that Containerfile names.
const imageUser = 65532

// imageRoot makes the root of our image, with /proc and folders that containers mount: /archives and /documents.
func imageRoot(t *testing.T, program string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may change the root")
	}
	if err := exec.CommandContext(t.Context(), "unshare", "--mount", "true").Run(); err != nil {
		t.Skipf("unshare may not make a namespace here: %v", err)
	}
	root := t.TempDir()
	for _, dir := range []string{"proc", "tmp", "archives", "documents"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "tmp"), 0o1777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(root, "documents"), imageUser, imageUser); err != nil {
		t.Fatal(err)
	}
	// A link would point outside the root.
	copyFile(t, program, filepath.Join(root, "gleaner"))
	return root
}

// inRoot runs the program as the image's user in a root of which only /tmp and /documents can be written to.
func inRoot(ctx context.Context, root string, args ...string) *exec.Cmd {
	const script = `mount --bind "$0" "$0" && cd "$0" &&
for d in tmp documents; do mount --bind "$d" "$d" || exit 1; done && mount --rbind /proc proc &&
mount -o remount,bind,ro . && exec chroot --userspec=65532:65532 --groups= "$0" /gleaner "$@"`
	cmd := exec.CommandContext(ctx, "unshare", append([]string{"--mount", "sh", "-c", script, root}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Dir = "/"
	return cmd
}

// TestImage_compose starts the services of compose.yaml: a watch that reads new archives, and a server that shows them.
func TestImage_compose(t *testing.T) {
	root := imageRoot(t, staticProgram(t))
	address := fmt.Sprintf("127.0.0.1:%d", servertest.FreePort(t))
	watch := composed(t, "watch", "--watch=15m", "--watch=1s")
	serve := composed(t, "serve", "--addr=0.0.0.0:8080", "--addr="+address)
	add := func(name string) {
		copyFile(t, "../../testdata/archives/"+name, filepath.Join(root, "archives", name))
	}

	add("site.warc.gz")
	if out, err := inRoot(t.Context(), root, "ingest", "--output=/elsewhere", "/archives").CombinedOutput(); err == nil {
		t.Errorf("the root can be written to:\n%s", out)
	}
	servertest.Start(t, inRoot(t.Context(), root, watch...))
	until(t, "the first commit", func() bool {
		_, err := os.Stat(filepath.Join(root, "documents/out/manifest.json"))
		return err == nil
	})
	servertest.Start(t, inRoot(t.Context(), root, serve...))
	captures := func() int {
		var found struct{ Captures int }
		data := get(t, "http://"+address+"/api/v1/search")
		_ = json.Unmarshal(data, &found) // it may not answer yet
		return found.Captures
	}
	until(t, "captures of the first archive", func() bool { return captures() > 0 })
	before := captures()
	add("wget.warc.gz")
	until(t, "captures of the second archive", func() bool { return captures() > before })

	user := inRoot(t.Context(), root, "serve", "user", "add", "ada", "--role=admin", "--state=/documents/state")
	user.Stdin = strings.NewReader("correct horse battery\ncorrect horse battery\n")
	if out, err := user.CombinedOutput(); err != nil {
		t.Errorf("serve user add: %v\n%s", err, out)
	}
}

// composed returns the arguments of a service of compose.yaml, with another value of one.
func composed(t *testing.T, service, arg, instead string) []string {
	t.Helper()
	data, err := os.ReadFile("../../docs/deploy/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct{ Command []string }
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	args := file.Services[service].Command
	for i := range args {
		if args[i] == arg {
			args[i] = instead
			return args
		}
	}
	t.Fatalf("%s: no %s in %q", service, arg, args)
	return nil
}

// get returns what a server answers, and nothing if it does not.
func get(t *testing.T, url string) []byte {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return nil
	}
	return data
}

// until waits for what a process does.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("not within a minute: %s", what)
}
