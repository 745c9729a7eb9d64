// Package browsertest starts Chromium for tests that compare with a browser.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Tab starts Chromium and returns a tab, or skips the test if neither CHROMIUM nor the PATH names one.
func Tab(t *testing.T) context.Context {
	t.Helper()
	// Debian, Ubuntu and Google use different names.
	path := ""
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium: install it (Debian: chromium) or set CHROMIUM to compare with it")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.Headless, chromedp.NoFirstRun, chromedp.DisableGPU, chromedp.ExecPath(path),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium cannot make a sandbox as root
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	// The browser lives as long as the context of its first action.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}
