package page_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// loggedIn opens the page of an administrator's account, on a separate server.
func loggedIn(t *testing.T, b *browser) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	add := exec.Command(program, "serve", "user", "add", "ada", "--role=admin", "--state="+state)
	add.Stdin = strings.NewReader("correct horse battery\n")
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	address, err := launch(program, "--addr=0.0.0.0:0", "--state="+state, filepath.Join(state, "none"))
	if err != nil {
		t.Fatal(err)
	}
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(address + "/login?next=/account"))
	b.do(chromedp.SendKeys("#name", "ada"), chromedp.SendKeys("#password", "correct horse battery"),
		chromedp.Click("main form button"), chromedp.WaitVisible("#make"))
}

// TestBrowser_account logs in, creates a token and revokes it. Axe finds no violation on the page, before and with the
// token, wide and narrow, light and dark. Without GLEANER_SLOW=1, one variant is checked before and the other with the
// token.
func TestBrowser_account(t *testing.T) {
	b, script := newBrowser(t), axe(t)
	loggedIn(t, b)
	wide, narrow := window{1600, false}, window{320, true}
	check := func(where string, sizes ...window) {
		if os.Getenv("GLEANER_SLOW") != "" {
			sizes = []window{wide, narrow}
		}
		for _, size := range sizes {
			b.looks(size.dark, size.width, 900)
			for _, v := range b.violations(script) {
				t.Errorf("%s at %d: %s", where, size.width, v)
			}
			if wide := ask[int](b, "document.scrollingElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("%s: %d px wider than the window: %s", where, wide, ask[string](b, widest))
			}
		}
	}
	check("without a token", narrow)
	b.do(chromedp.SendKeys("#label", "nightly export\r"), chromedp.WaitVisible(".note pre"))
	if text := ask[string](b, `document.querySelector(".note pre").textContent`); !strings.HasPrefix(text, "gleaner_") {
		t.Errorf("the token is %q", text)
	}
	check("with the token", wide)
	b.looks(false, 1200, 900)
	b.do(chromedp.Click(`form[action="/account/tokens/1/revoke"] button`))
	b.await(`document.querySelector("#make") !== null && !document.querySelector(".note pre") &&
		!document.querySelector('form[action$="/revoke"]')`)
	b.silent()
}
