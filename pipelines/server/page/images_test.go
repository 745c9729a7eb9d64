package page_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gleaner-web/gleaner/pipelines/server/page"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// images asks the API for images.
func (s *site) images(t *testing.T, values string) (a view.Images) {
	t.Helper()
	r, err := s.client.Get(s.address + "/api/v1/images?" + values)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", values, r.Status, err)
	}
	return a
}

// thumbnail asks for a thumbnail.
func (s *site) thumbnail(t *testing.T, path string) (*http.Response, []byte) {
	t.Helper()
	r, err := s.client.Get(s.address + path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, data
}

// TestImages_everyChoice: each format, size and link leads to as many images as it says, and each image to its capture
// and pages.
func TestImages_everyChoice(t *testing.T) {
	s := theSite(t)
	all := s.images(t, "collection=harbour")
	if all.Total == 0 || len(all.Formats) < 2 || all.Bare {
		t.Fatalf("%+v", all)
	}
	for i, c := range append(all.Formats, all.Sizes...) {
		u, err := url.Parse(c.Link)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.images(t, "collection=harbour&"+u.RawQuery); got.Total != all.Counts[i] {
			t.Errorf("%s has %d images, and %d are said", c.Label, got.Total, all.Counts[i])
		}
	}
	for _, i := range all.Images {
		links := []string{i.Link}
		for _, p := range i.Pages {
			links = append(links, p.Link)
		}
		for _, link := range links {
			if r, _ := s.get(t, link); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", link, r.Status)
			}
		}
		if i.Similar > 0 {
			u, err := url.Parse(i.LikeLink)
			if err != nil {
				t.Fatal(err)
			}
			if like := s.images(t, "collection=harbour&"+u.RawQuery); like.Total != int64(i.Similar)+1 {
				t.Errorf("%s: %d are like it, %d are found", i.URL, i.Similar, like.Total)
			}
		}
	}
}

// TestImages_thumbnails: thumbnails are JPEG files with headers that let nothing run. Others have none.
func TestImages_thumbnails(t *testing.T) {
	s := theSite(t)
	made := 0
	for _, i := range s.images(t, "collection=harbour&limit=200").Images {
		if i.Thumbnail == "" {
			if i.Format == "jpeg" || i.Format == "png" && i.PHash != "" {
				t.Errorf("%s has no thumbnail", i.URL)
			}
			continue
		}
		r, data := s.thumbnail(t, i.Thumbnail)
		h := r.Header
		if r.StatusCode != http.StatusOK || h.Get("Content-Type") != "image/jpeg" ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") != page.ThumbnailPolicy ||
			h.Get("Cache-Control") != "private, no-cache" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %s, %v", i.URL, r.Status, h)
		}
		if len(data) < 100 || string(data[:2]) != "\xFF\xD8" {
			t.Errorf("%s: %.20q", i.URL, data)
		}
		made++
	}
	if made == 0 {
		t.Error("there are no thumbnails")
	}
	for _, path := range []string{
		"/harbour/thumbnail", "/harbour/thumbnail?url=http://nowhere.example/a.png",
		"/none/thumbnail?url=http://a.example/",
		"/harbour/thumbnail?url=" + url.QueryEscape(s.images(t, "collection=harbour&format=svg").Images[0].URL),
	} {
		r, data := s.thumbnail(t, path)
		if r.StatusCode < 400 || r.StatusCode > 499 || r.Header.Get("Content-Type") == "image/jpeg" {
			t.Errorf("%s: %s, %.20q", path, r.Status, data)
		}
	}
}

// TestImages_takedown: after a takedown there is no thumbnail of the image, neither from the server nor on its disk.
func TestImages_takedown(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	// The server writes to it until all tests are done.
	dir, err := os.MkdirTemp("", "gleaner-images")
	if err != nil {
		t.Fatal(err)
	}
	cleanup = append(cleanup, func() { _ = os.RemoveAll(dir) })
	out := filepath.Join(dir, "out")
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = root("")
		if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 3 {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
	}
	run("ingest", "--output="+out, "--extract=all", "testdata/archives")
	address, err := launch(program, "--addr=127.0.0.1:0", "--state="+filepath.Join(dir, "state"), out)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{address: address, client: http.DefaultClient}
	if err := s.ready(); err != nil {
		t.Fatal(err)
	}
	var gone view.ImageRow
	for _, i := range s.images(t, "limit=200").Images {
		if i.Thumbnail == "" {
			continue
		}
		if r, _ := s.thumbnail(t, i.Thumbnail); r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", i.URL, r.Status)
		}
		gone = i
	}
	kept := filepath.Join(out, ".gleaner", "index", "thumbnails")
	if list, err := os.ReadDir(kept); err != nil || len(list) == 0 {
		t.Fatalf("no thumbnails are kept: %v", err)
	}
	run("collection", "takedown", "--collection="+out, gone.URL)
	if list, err := os.ReadDir(kept); err == nil && len(list) > 0 {
		t.Errorf("%d thumbnails are still kept", len(list))
	}
	s.waitUntilGone(t, gone.Thumbnail)
	for _, i := range s.images(t, "limit=200").Images {
		if i.URL == gone.URL {
			t.Errorf("%s is still listed", i.URL)
		}
	}
}

// waitUntilGone waits until a thumbnail is not found. The server looks at the folder every few seconds.
func (s *site) waitUntilGone(t *testing.T, thumbnail string) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		r, _ := s.thumbnail(t, thumbnail)
		if r.StatusCode == http.StatusNotFound {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("a minute later: %s", r.Status)
		}
	}
}

// TestBrowser_images finds an image from the overview in three steps, and goes to the page that shows it.
func TestBrowser_images(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.tabTo(`a[href$="/images"]`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(`location.pathname.endsWith("/images") && document.readyState === "complete"`)
	b.await(`[...document.querySelectorAll(".thumb img")].some((i) => i.complete && i.naturalWidth > 0)`)
	b.tabTo("#words")
	b.do(chromedp.KeyEvent("quay"), chromedp.KeyEvent(kb.Enter))
	b.await(`location.search.includes("query=quay") && document.querySelectorAll(".grid > li").length > 0`)
	b.tabTo(".grid .sub a")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(`location.pathname.endsWith("/resource") && document.readyState === "complete"`)
}
