package page_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/png" // screenshots
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestBrowser_looksAsWithPywb compares up to sixty replayed pages with pywb's, by pictures of Chromium without scripts.
// PYWB_PROGRAMS is the folder with pywb's programs, and PYWB_ARCHIVES lists archives, with colons between them.
func TestBrowser_looksAsWithPywb(t *testing.T) {
	programs, archives := os.Getenv("PYWB_PROGRAMS"), strings.Split(os.Getenv("PYWB_ARCHIVES"), ":")
	if programs == "" || archives[0] == "" {
		t.Skip("takes minutes and pywb: set PYWB_PROGRAMS and PYWB_ARCHIVES, see docs/replay.md")
	}
	dir := t.TempDir()
	s, list := replaySite(t, dir, archives)
	other := startPywb(t, dir, programs, archives)
	b := newBrowser(t)
	b.looks(false, 1024, 768)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	alike, compared := 0, 0
	for _, p := range list {
		theirs, err := b.picture(other + "/coll/" + p.stamp() + "mp_/" + p.URL)
		if err != nil || compared == 60 {
			continue
		}
		ours, err := b.picture(s.frameOf(t, p))
		if err != nil {
			t.Errorf("%s: %v", p.URL, err)
			continue
		}
		compared++
		x := similarity(ours, theirs)
		if x >= .9 {
			alike++
		}
		t.Logf("%.3f %s %s", x, p.stamp(), p.URL)
		if to := os.Getenv("PYWB_PICTURES"); to != "" && x < .97 {
			savePNG(t, filepath.Join(to, fmt.Sprintf("%02d-ours.png", compared)), ours)
			savePNG(t, filepath.Join(to, fmt.Sprintf("%02d-pywb.png", compared)), theirs)
		}
	}
	t.Logf("%d of %d pages look alike", alike, compared)
	if alike*10 < compared*9 || compared < 30 {
		t.Errorf("%d of %d pages look alike, want nine of ten", alike, compared)
	}
}

// replayed is a capture that is compared.
type replayed struct {
	URL, Timestamp string
	Bytes          int64 `json:"body_bytes"`
}

func (p replayed) stamp() string {
	t, err := time.Parse(time.RFC3339Nano, p.Timestamp)
	if err != nil {
		return p.Timestamp
	}
	return t.UTC().Format("20060102150405")
}

// replaySite serves a collection of archives, and lists pages of it: the longest of each host first.
func replaySite(t *testing.T, dir string, archives []string) (*site, []replayed) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "coll")
	said, err := exec.Command(program, append([]string{"ingest", "--output=" + out}, archives...)...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) {
		t.Fatalf("%v: %s", err, said)
	}
	s, err := serve(program, "--addr=127.0.0.1:0", "--state="+filepath.Join(dir, "state"), out)
	if err != nil && (s == nil || !strings.Contains(err.Error(), "no source")) {
		t.Fatal(err)
	}
	r, err := http.Get(s.address + "/api/v1/export?format=jsonl&fields=url,timestamp,body_bytes&query=" +
		url.QueryEscape("status = 200 AND mime:text/html"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it is read to its end
	var list []replayed
	for lines := bufio.NewScanner(r.Body); lines.Scan(); {
		var p replayed
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Bytes > 1000 && strings.HasPrefix(p.URL, "http") {
			list = append(list, p)
		}
	}
	return s, mixed(list)
}

// mixed takes a page of each host in turn.
func mixed(list []replayed) (out []replayed) {
	hosts := map[string][]replayed{}
	var names []string
	for _, p := range list {
		u, err := url.Parse(p.URL)
		if err != nil {
			continue
		}
		if hosts[u.Host] == nil {
			names = append(names, u.Host)
		}
		hosts[u.Host] = append(hosts[u.Host], p)
	}
	slices.Sort(names)
	for i := 0; len(out) < len(list) && i < len(list); i++ {
		for _, name := range names {
			if i < len(hosts[name]) {
				out = append(out, hosts[name][i])
			}
		}
	}
	return out
}

var frameSource = regexp.MustCompile(`<iframe class="replay" src="([^"]+)"`)

// frameOf returns the address of a replayed page in its frame.
func (s *site) frameOf(t *testing.T, p replayed) string {
	t.Helper()
	r, err := http.Get(s.address + "/replay/" + p.stamp() + "/" + p.URL)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		t.Fatal(err)
	}
	m := frameSource.FindStringSubmatch(b.String())
	if m == nil {
		t.Errorf("%s has no frame: %s", p.URL, r.Status)
		return "about:blank"
	}
	return strings.ReplaceAll(m[1], "&amp;", "&")
}

// startPywb serves the same archives by pywb.
func startPywb(t *testing.T, dir, programs string, archives []string) string {
	t.Helper()
	home := filepath.Join(dir, "pywb")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) error {
		cmd := exec.Command(filepath.Join(programs, name), args...)
		cmd.Dir = home
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s %v: %w: %.300s", name, args, err, out)
		}
		return nil
	}
	if err := run("wb-manager", "init", "coll"); err != nil {
		t.Fatal(err)
	}
	for _, archive := range archives {
		if err := run("wb-manager", "add", "coll", archive); err != nil {
			t.Log(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err = errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(programs, "wayback"), "-p", port, "-b", "127.0.0.1")
	cmd.Dir = home
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address := "http://127.0.0.1:" + port
	for range 300 {
		if r, err := http.Get(address + "/"); err == nil {
			_ = r.Body.Close() // only the answer matters
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("pywb does not answer")
	return ""
}

// picture opens an address and takes a picture. It returns an error if the address has no page.
func (b *browser) picture(address string) (image.Image, error) {
	r, err := http.Get(address)
	if err != nil {
		return nil, err
	}
	if err := r.Body.Close(); err != nil || r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s %w", address, r.Status, err)
	}
	if err := b.try(chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	time.Sleep(300 * time.Millisecond) // fonts are shown after the load
	shot, err := chromedp.Call(b.ctx, pages.CaptureScreenshot, pages.CaptureScreenshotParams{})
	if err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(shot.Data))
	return picture, err
}
