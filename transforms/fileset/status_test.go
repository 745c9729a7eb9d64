package fileset_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// TestStatus produces each status of a result that does not need a keeper: docs/fileset.md has the list.
func TestStatus(t *testing.T) {
	figshare := "https://figshare.com/articles/dataset/x/12/1"
	figshareAPI := "https://api.figshare.com/v2/articles/12/versions/1"
	figshareFile := "https://ndownloader.figshare.com/files/9"
	figshareZip := "https://ndownloader.figshare.com/articles/12/versions/1"
	page := answer{mime: "text/html", body: html}
	file := func(text string) answer {
		return answer{body: fmt.Sprintf(`{"files":[{"name":"a","size":%d,"computed_md5":%q,"download_url":%q}]}`,
			len(text), md5Of(text), figshareFile)}
	}
	big := func(sizes ...int64) answer {
		var list []string
		for i, n := range sizes {
			list = append(list, fmt.Sprintf(`{"key":"f%d","size":%d,"links":{"self":"%sf%d"}}`, i, n, content, i))
		}
		return answer{body: `{"id":1,"metadata":{},"files":[` + strings.Join(list, ",") + `]}`}
	}
	item := "https://archive.org/details/it"
	tests := []struct {
		want   string
		w      web
		url    string
		o      fileset.Options
		wantIn string // in the error message
	}{
		{want: "success", w: dataset("a", "1", "b", "2"), url: record},
		{want: "success-file", w: web{figshare: page, figshareAPI: file("x"), figshareFile: {body: "x"}}, url: figshare},
		{
			want: "success-existing", w: web{record: page, api: dataset("a", "1", "b", "2")[api]}, url: record,
			o: fileset.Options{Existing: dataset("a", "1", "b", "2")},
		},
		{want: "skip-url-blocklist", w: web{}, url: "https://web.archive.org/web/2020/https://zenodo.org/record/1"},
		{want: "skip-url-blocklist", w: web{record: {to: "https://orcid.org/0000-0001"}}, url: record},
		{want: "no-capture", w: web{}, url: record},
		{want: "bad-redirect", w: web{record: {fail: "bad-redirect"}}, url: record},
		{want: "redirect-loop", w: web{record: {fail: "redirect-loop"}}, url: record},
		{want: "redirects-exceeded", w: web{record: {fail: "redirects-exceeded"}}, url: record},
		{want: "cdx-error", w: web{record: {fail: "cdx-error"}}, url: record},
		{want: "petabox-error", w: web{record: {fail: "petabox-error"}}, url: record},
		{want: "wayback-content-error", w: web{record: {mime: "text/html", body: "<html>", cut: true}}, url: record},
		{want: "terminal-bad-status", w: web{record: {status: 404, body: "gone"}}, url: record},
		{
			want: "success-file", url: figshare,
			w:      web{figshare: {status: 202}, figshareAPI: file("x"), figshareFile: {body: "x"}},
			wantIn: "challenge by a wall that is not known, with HTTP status 202",
		},
		{
			want: "success-file", url: figshare, wantIn: "by AWS WAF",
			w: web{
				figshare:    {status: 202, mime: "text/html", body: "<script>window.awsWafCookieDomainList = [];</script>"},
				figshareAPI: file("x"), figshareFile: {body: "x"},
			},
		},
		{
			want: "success", url: record, wantIn: "by Cloudflare, with HTTP status 403",
			w: dataset("a", "1", "b", "2").with(record, answer{
				status: 403, mime: "text/html", body: "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>",
			}),
		},
		{
			want: "success", url: record, wantIn: "by Anubis, with HTTP status 200",
			w: dataset("a", "1", "b", "2").with(record, answer{
				mime: "text/html", body: `<html><script id="anubis_challenge" type="application/json">{}</script>`,
			}),
		},
		{
			want: "blocked-challenge", url: "https://data.example.org/set/1", wantIn: "by DataDome",
			w: web{"https://data.example.org/set/1": {
				status: 403, body: "<script src=https://ct.captcha-delivery.com/c.js></script>",
			}},
		},
		{
			want: "platform-404", url: record, wantIn: "by Imperva",
			w: web{record: {status: 503, body: "<iframe src=/_Incapsula_Resource?x>"}, api: {status: 404}},
		},
		{want: "terminal-bad-status", w: web{record: {status: 403, body: "<title>Just a moment</title>"}}, url: record},
		{want: "terminal-bad-status", w: web{record: {status: 403, body: "Forbidden"}, api: {body: "{}"}}, url: record},
		{
			want: "no-platform-match", url: "https://example.org/long",
			w: web{"https://example.org/long": {mime: "text/html", body: strings.Repeat("<p>text", 10000) + "ddos-guard.net"}},
		},
		{want: "blocked-robots", w: web{record: page, api: {fail: "blocked-robots"}}, url: record, wantIn: "API"},
		{want: "blocked-cookie", w: web{record: {to: "https://zenodo.org/action/cookieAbsent", body: html}}, url: record},
		{want: "empty-blob", w: web{record: {}}, url: record},
		{want: "body-too-large", w: web{record: {body: html}}, url: record, o: fileset.Options{MaxPage: 10}},
		{want: "bad-gzip-encoding", w: web{record: {mime: "text/html", body: gzipped(html)[:20]}}, url: record},
		{
			want: "bad-gzip-encoding", w: web{record: {mime: "text/html", body: "\x1f\x8b\x08rubbish", encoding: "gzip"}},
			url: record,
		},
		{want: "no-platform-match", w: web{"https://example.org/": page}, url: "https://example.org"},
		{
			want: "platform-scope", w: web{"https://figshare.com/articles/dataset/x/12": page},
			url: "https://figshare.com/articles/dataset/x/12",
		},
		{want: "platform-restricted", w: web{record: page, api: {status: 410}}, url: record, wantIn: api},
		{want: "platform-404", w: web{record: page, api: {status: 404}}, url: record},
		{want: "platform-http-error", w: web{record: page, api: {status: 503}}, url: record},
		{want: "platform-error", w: web{record: page, api: {body: "<html>"}}, url: record},
		{want: "platform-no-capture", w: web{record: page}, url: record, wantIn: api},
		{want: "empty-manifest", w: dataset(), url: record},
		{want: "too-large-size", w: web{record: page, api: big(60<<30, 5<<30)}, url: record},
		{want: "too-many-files", w: web{record: page, api: big(make([]int64, 201)...)}, url: record},
		{
			want: "no-strategy-helper", w: dataset("a", "1", "b", "2"), url: record,
			o: fileset.Options{Strategy: fileset.WebBundled},
		},
		{
			want: "not-implemented", w: web{figshare: page, figshareAPI: file("x"), figshareZip: {body: "7z"}}, url: figshare,
			o: fileset.Options{Strategy: fileset.WebBundled},
		},
		{
			want: "not-processed", w: web{figshare: page, figshareAPI: file("x"), figshareZip: {body: zipped(t, "b", "x")}},
			url: figshare,
			o:   fileset.Options{Strategy: fileset.WebBundled},
		},
		{want: "unsafe-path", w: dataset("../a", "1", "b", "2"), url: record},

		// These are files of the strategies web-*.
		{want: "mismatch", w: dataset("a", "1", "b", "2").with(content+"b", answer{body: "3"}), url: record},
		{
			want: "no-capture", w: func() web { w := dataset("a", "1", "b", "2"); delete(w, content+"b"); return w }(),
			url: record,
		},
		{want: "terminal-bad-status", w: dataset("a", "1", "b", "2").with(content+"b", answer{status: 403}), url: record},
		{want: "empty-blob", w: dataset("a", "1", "b", "2").with(content+"b", answer{}), url: record},
		{want: "transfer-encoding-error", w: dataset("a", "1", "b", "2").with(content+"b",
			answer{body: "\x1f\x8b\x08x", encoding: "gzip"}), url: record},
		{
			want: "wayback-content-error", w: dataset("a", "1", "b", "22").with(content+"b", answer{body: "2", cut: true}),
			url: record,
		},

		// These are files of the strategies archiveorg-*.
		{want: "error-platform-download", w: web{record: page, api: big(70 << 20)}, url: record},
		{want: "mismatch-size", w: web{record: page, api: big(70 << 20), content + "f0": {body: "1"}}, url: record},
		{
			want: "mismatch-sha1", url: item, w: web{
				item: page, "https://archive.org/metadata/it": {body: itemOf(1, "sha1", 40)},
				"https://archive.org/download/it/f": {body: "1"},
			},
		},
		{
			want: "mismatch-md5", url: item, w: web{
				item: page, "https://archive.org/metadata/it": {body: itemOf(1, "md5", 32)},
				"https://archive.org/download/it/f": {body: "1"},
			},
		},
		{
			want: "mismatch-sha256", url: record, w: web{record: page, api: {body: fmt.Sprintf(
				`{"id":1,"files":[{"key":"f","size":1,"checksum":"sha256:%064d","links":{"self":"%sf"}}]}`, 0, content)}, content +
				"f": {body: "1"}},
			o: fileset.Options{Strategy: fileset.ArchiveorgFile},
		},
		// The item's data is used for a file that no archive has.
		{
			want: "success-existing", url: item,
			w: web{item: page, "https://archive.org/metadata/it": {body: itemOf(1, "md5", 32)}},
		},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprintf("%s %d", tt.want, i), func(t *testing.T) {
			got := ingest(t, tt.w, tt.url, tt.o)
			if got.Result.Status != tt.want || !strings.Contains(got.Result.Error, tt.wantIn) {
				t.Errorf("got %s (%s), want %s (%s)", got.Result.Status, got.Result.Error, tt.want, tt.wantIn)
			}
		})
	}
	reached := map[string]bool{}
	for _, tt := range tests {
		reached[tt.want] = true
	}
	t.Logf("%d statuses: %v", len(reached), slices.Sorted(maps.Keys(reached)))
}

// TestStatus_listedFiles: a dataset is never found with a part of its files, whatever the limit.
func TestStatus_listedFiles(t *testing.T) {
	for _, tt := range []struct {
		files, limit int64
		listed       int
		want         string
	}{
		{201, 0, 201, fileset.StatusTooMany},
		{300, 300, 300, fileset.StatusSuccess},
		{10_000, 10_000, 10_000, fileset.StatusSuccess},
		{10_001, 10_000, 10_000, fileset.StatusTooMany},
		{12_000, 20_000, 12_000, fileset.StatusTooMany}, // a platform that lists more
		{12_000, 20_000, 10_000, fileset.StatusTooMany},
		{9_500, 10_000, 8_500, fileset.StatusTooMany}, // the rest was beyond the bound of the list
		{0, 0, 0, fileset.StatusEmptyManifest},
	} {
		w := web{record: {mime: "text/html", body: html}, content: {body: "x"}}
		o := fileset.Options{MaxFiles: tt.limit, Platforms: []fileset.Platform{listing{tt.files, tt.listed}}}
		got, err := fileset.Ingest(t.Context(), schemas.FilesetRequest{Type: "dataset", BaseURL: record}, w, o)
		if err != nil {
			t.Fatal(err)
		}
		if r := got.Result; r.Status != tt.want || *r.FileCount != tt.files {
			t.Errorf("%d files, %d listed, limit %d: %s, want %s", tt.files, tt.listed, tt.limit, r.Status, tt.want)
		} else if r.Hit && len(r.Manifest) != int(tt.files) || r.Status == fileset.StatusTooMany && tt.files > 10_000 &&
			len(r.Manifest) != 200 {
			t.Errorf("%d files: %d in the manifest", tt.files, len(r.Manifest))
		}
	}
}

// listing is a platform of which a dataset has so many files, and lists so many.
type listing struct {
	files  int64
	listed int
}

func (listing) Name() string             { return "listing" }
func (listing) Match(*fileset.Page) bool { return true }

func (l listing) Process(*fileset.Page, fileset.Asker) (schemas.FilesetPlatformItem, error) {
	item := schemas.FilesetPlatformItem{Platform: l.Name(), Files: l.files}
	for i := range l.listed {
		item.Manifest = append(item.Manifest, schemas.ManifestFile{Path: fmt.Sprint(i), PlatformURL: content})
	}
	return item, nil
}

// itemOf is an item of archive.org with a file f, one of whose hashes is zeros.
func itemOf(size int, hash string, digits int) string {
	return fmt.Sprintf(`{"metadata":{"mediatype":"data"},"files":[{"name":"f","source":"original","size":"%d",%q:"%0*d"}]}`,
		size, hash, digits, 0)
}

func TestIngest_missingURLsAreTheFrontier(t *testing.T) {
	w := dataset("a", "1", "b", "2", "c", "3")
	delete(w, content+"a")
	delete(w, content+"c")
	got := ingest(t, w, record, fileset.Options{})
	var urls []string
	for _, m := range got.Missing {
		urls = append(urls, m.Purpose+" "+m.URL)
		if m.Request.BaseURL != record {
			t.Errorf("the request is %+v", m.Request)
		}
	}
	if diff := cmp.Diff([]string{"file " + content + "a", "file " + content + "c"}, urls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	delete(w, api)
	if got := ingest(t, w, record, fileset.Options{}).Missing; len(got) != 1 || got[0].Purpose != "api" ||
		got[0].URL != api {
		t.Errorf("without the API: %+v", got)
	}
}

// TestIngest_failuresOfTheSourceEndTheRun: these are not statuses of datasets.
func TestIngest_failuresOfTheSourceEndTheRun(t *testing.T) {
	ours := errors.New("the disk is gone")
	_, err := fileset.Ingest(t.Context(), ask(record), failing{ours}, fileset.Options{})
	if !errors.Is(err, ours) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fileset.Ingest(ctx, ask(record), dataset("a", "1"), fileset.Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Get(context.Context, string, fileset.Preference) (*fileset.Resource, error) {
	return nil, f.err
}

func TestCheck(t *testing.T) {
	for _, r := range []schemas.FilesetRequest{
		{Type: "pdf", BaseURL: record},
		{Type: "dataset"},
		{Type: "dataset", BaseURL: "zenodo.org/record/1"},
		{Type: "dataset", BaseURL: "file:///etc/passwd"},
		{Type: "dataset", BaseURL: "https://"},
		{BaseURL: record},
	} {
		if err := fileset.Check(&r); !errors.Is(err, fileset.ErrRequest) {
			t.Errorf("Check(%+v) = %v", r, err)
		}
	}
}

func TestChoose(t *testing.T) {
	const m, g = 1 << 20, 1 << 30
	for _, tt := range []struct {
		sizes []int64
		want  string
	}{
		{[]int64{64*m - 1}, fileset.WebFile},
		{[]int64{64 * m}, fileset.ArchiveorgFile},
		{[]int64{1, 64*m - 1}, fileset.WebFileset},
		{[]int64{1, 64 * m}, fileset.ArchiveorgFileset},
		{slices.Repeat([]int64{64*m - 1}, 2050), fileset.ArchiveorgFileset}, // 128 GiB together
		{[]int64{-1}, fileset.WebFile},                                      // unknown
	} {
		item := &schemas.FilesetPlatformItem{Platform: "zenodo"}
		for _, n := range tt.sizes {
			f := schemas.ManifestFile{}
			if n >= 0 {
				f.Size = &n
				item.Size += n
			}
			item.Manifest = append(item.Manifest, f)
			item.Files++
		}
		if got := fileset.Choose(item, fileset.Options{}); got != tt.want {
			t.Errorf("%d files, the first of %d: %s, want %s", len(tt.sizes), tt.sizes[0], got, tt.want)
		}
	}
	_ = g
}

func TestSafePath(t *testing.T) {
	for p, want := range map[string]bool{
		"a": true, "a/b": true, "a b\nc": true, "..a": true, "日本.csv": true, "": false, ".": false, "..": false,
		"../a":   false,
		"a/../b": false, "/a": false, "a/": false, "a//b": false, "./a": false, `a\b`: false, "a\x00": false,
		strings.Repeat("x", 5000): false,
	} {
		if got := fileset.SafePath(p); got != want {
			t.Errorf("SafePath(%q) = %v", p, got)
		}
	}
}

func TestCleanURL(t *testing.T) {
	for in, want := range map[string]string{
		" HTTPS://Example.ORG \n":       "https://example.org/",
		"http://a:/x":                   "http://a/x",
		"http://a:80/x?b=1#f":           "http://a/x?b=1",
		"https://a:443":                 "https://a/",
		"https://a:8443/":               "https://a:8443/",
		"http://a/x\ny":                 "http://a/xy",
		"http://[::1]:80/":              "http://[::1]/",
		"no url":                        "no url",
		"https://a/?persistentId=doi:1": "https://a/?persistentId=doi:1",
	} {
		if got := fileset.CleanURL(in); got != want {
			t.Errorf("CleanURL(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestIngest_contentCodings: the hash decides whether a file was compressed for transfer. Some files are compressed
// themselves, although the server declared a transfer encoding.
func TestIngest_contentCodings(t *testing.T) {
	packed := gzipped("1,2,3")
	w := dataset("a.csv.gz", packed, "b.csv", "1,2,3")
	w[content+"a.csv.gz"] = answer{body: packed, encoding: "gzip", mime: "application/x-gzip"}
	w[content+"b.csv"] = answer{body: packed, encoding: "gzip", mime: "text/csv"}
	got := ingest(t, w, record, fileset.Options{}).Result
	for _, f := range got.Manifest {
		if f.Status != fileset.StatusSuccess {
			t.Errorf("%s: %s", f.Path, f.Status)
		}
	}
}

func TestIngest_gzipIsUnwrapped(t *testing.T) {
	w := dataset("a", "1", "b", "2")
	w[record] = answer{mime: "text/html", body: gzipped(html)}
	got := ingest(t, w, record, fileset.Options{}).Result
	if got.FileMeta.MD5 != md5Of(html) || got.Terminal.SHA1 != got.FileMeta.SHA1 || got.Status != "success" {
		t.Errorf("got %+v, %s", got.FileMeta, got.Status)
	}
}

// endless is a body without an end, for limits.
type endless struct{ io.Reader }

func (endless) Read(p []byte) (int, error) { return len(p), nil }
func (endless) Close() error               { return nil }

// TestIngest_filesEndAtTheirSize: a file that is longer than the platform states is a different file, and is not read
// completely.
func TestIngest_filesEndAtTheirSize(t *testing.T) {
	w := dataset("a", "1", "b", "2")
	got := ingest(t, endlessAt{w, content + "b"}, record, fileset.Options{}).Result
	if got.Status != fileset.StatusMismatch {
		t.Errorf("got %s", got.Status)
	}
}

type endlessAt struct {
	web
	url string
}

func (e endlessAt) Get(ctx context.Context, url string, want fileset.Preference) (*fileset.Resource, error) {
	r, err := e.web.Get(ctx, url, want)
	if url == e.url {
		r.Body = endless{}
	}
	return r, err
}
