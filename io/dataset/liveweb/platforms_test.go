package liveweb

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bodies of the files that all platforms have.
var (
	table  = "a,b\n1,2\n3,4\n"
	readme = strings.Repeat("read me ", 4000)
)

func sum(s string) string {
	h := md5.Sum([]byte(s))
	return hex.EncodeToString(h[:])
}

// fault is how an answer goes wrong: it is given once, the answers after it are sound.
type fault func(w http.ResponseWriter, r *http.Request, sound http.HandlerFunc)

// platforms plays the web: landing pages, APIs and files of each platform, in its shapes of then and of now. Pages are
// known by host, path and query.
type platforms struct {
	mu      sync.Mutex
	clock   *still
	pages   map[string]http.HandlerFunc
	faults  map[string][]fault // a page's next failures
	asked   map[string]int
	expires map[string]time.Time // signatures
	serial  int
}

// ServeHTTP answers.
func (p *platforms) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.Host + r.URL.RequestURI()
	p.mu.Lock()
	p.asked[name]++
	page, there := p.pages[name]
	if !there { // as signed URLs are, whose queries differ
		name = r.Host + r.URL.Path
		page, there = p.pages[name]
	}
	var f fault
	if list := p.faults[name]; len(list) > 0 {
		f, p.faults[name] = list[0], list[1:]
	}
	p.mu.Unlock()
	switch {
	case !there:
		http.NotFound(w, r)
	case f != nil:
		f(w, r, page)
	default:
		page(w, r)
	}
}

func (p *platforms) html(at, title string) {
	p.pages[at] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><html><head><title>%s</title><meta name=\"citation_title\" content=\"%[1]s\">"+
			"</head></html>", title)
	}
}

func (p *platforms) json(at, text string) {
	p.pages[at] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

func (p *platforms) file(at, body string) {
	p.pages[at] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", strconv.Quote(sum(body)))
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(body))
	}
}

func (p *platforms) redirect(from, to string) {
	p.pages[from] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// signed has from redirect to a file whose URL is signed for so long.
func (p *platforms) signed(from, host, path, body string, valid time.Duration) {
	p.pages[from] = func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.serial++
		signature := fmt.Sprint("s", p.serial)
		p.expires[signature] = p.clock.Now().Add(valid)
		p.mu.Unlock()
		http.Redirect(w, r, "https://"+host+path+"?X-Amz-Signature="+signature, http.StatusFound)
	}
	p.file(host+path, body)
	sound := p.pages[host+path]
	p.pages[host+path] = func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		until := p.expires[r.URL.Query().Get("X-Amz-Signature")]
		p.mu.Unlock()
		if p.clock.Now().After(until) {
			http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
			return
		}
		sound(w, r)
	}
}

// faulty has a page go wrong, in this way and then in the next.
func (p *platforms) faulty(at string, list ...fault) { p.faults[at] = append(p.faults[at], list...) }

// Faults.
func says(status int, header ...string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.HandlerFunc) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func resets(http.ResponseWriter, *http.Request, http.HandlerFunc) { panic(http.ErrAbortHandler) }

// stops gives the half of a body, and then nothing, or hangs up.
func stops(hangsUp bool) fault {
	return func(w http.ResponseWriter, r *http.Request, sound http.HandlerFunc) {
		whole := httptest.NewRecorder()
		sound(whole, r)
		for name, values := range whole.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(whole.Code)
		_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
		_ = http.NewResponseController(w).Flush()
		if hangsUp {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
	}
}

func often(f fault) (list []fault) {
	for range 50 {
		list = append(list, f)
	}
	return list
}

// newPlatforms starts the web.
func newPlatforms(t *testing.T, clock *still) (*platforms, string) {
	p := &platforms{
		clock: clock, pages: map[string]http.HandlerFunc{}, faults: map[string][]fault{}, asked: map[string]int{},
		expires: map[string]time.Time{},
	}
	p.zenodo()
	p.figshare()
	p.dataverse()
	p.archiveorg()
	p.newer()
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, s.Listener.Addr().String()
}

// hosts are all that are played.
var hosts = []string{
	"zenodo.org", "doi.org", "figshare.com", "api.figshare.com", "ndownloader.figshare.com", "s3-eu-west-1.amazonaws.com",
	"demo.dataverse.org", "archive.org", "ia800000.us.archive.org", "datadryad.org",
	"dryad-assetstore-merritt-west.s3.us-west-2.amazonaws.com", "osf.io", "api.osf.io", "files.osf.io",
	"storage.googleapis.com",
	"data.mendeley.com", "prod-dcd-datasets-public-files-eu-west-1.s3.eu-west-1.amazonaws.com", "huggingface.co",
	"cas-bridge.xethub.hf.co", "github.com", "api.github.com", "release-assets.githubusercontent.com", "data.example.org",
}

func (p *platforms) zenodo() {
	// Then: files were in buckets.
	p.html("zenodo.org/record/10", "Then")
	const then = `{"id": 10, "conceptrecid": "9", "revision": 3, "links": {"html": "https://zenodo.org/record/10"},
		"metadata": {"title": "Then", "access_right": "open", "creators": [{"name": "Doe, Jane"}]}, "files": [
		{"key": "table.csv", "size": %d, "checksum": "md5:%s", "links": {"self": "https://zenodo.org/api/files/b/table.csv"}},
		{"key": "readme.txt", "size": %d, "checksum": "md5:%s", "links": {"self": "https://zenodo.org/api/files/b/readme.txt"}}]}`
	p.json("zenodo.org/api/records/10", fmt.Sprintf(then, len(table), sum(table), len(readme), sum(readme)))
	p.file("zenodo.org/api/files/b/table.csv", table)
	p.file("zenodo.org/api/files/b/readme.txt", readme)
	// Now: by a DOI, and files have an address for their content.
	p.redirect("doi.org/10.5281/zenodo.20", "https://zenodo.org/doi/10.5281/zenodo.20")
	p.redirect("zenodo.org/doi/10.5281/zenodo.20", "/records/20")
	p.html("zenodo.org/records/20", "Now")
	const now = `{"id": 20, "conceptrecid": "19", "links": {"self_html": "https://zenodo.org/records/20"},
		"metadata": {"title": "Now", "access_right": "open"}, "files": [{"id": "x", "key": "table.csv", "size": %d,
		"checksum": "md5:%s", "links": {"self": "https://zenodo.org/api/records/20/files/table.csv/content"}}]}`
	p.json("zenodo.org/api/records/20", fmt.Sprintf(now, len(table), sum(table)))
	p.file("zenodo.org/api/records/20/files/table.csv/content", table)
}

func (p *platforms) figshare() {
	p.html("figshare.com/articles/dataset/Slug/10/1", "Figshare")
	const article = `{"id": 10, "title": "Figshare", "is_public": true, "is_embargoed": false, "files": [
		{"id": 77, "name": "table.csv", "size": %d, "is_link_only": false, "computed_md5": "%s",
		"download_url": "https://ndownloader.figshare.com/files/77", "mimetype": "text/csv"}]}`
	p.json("api.figshare.com/v2/articles/10/versions/1", fmt.Sprintf(article, len(table), sum(table)))
	p.signed("ndownloader.figshare.com/files/77", "s3-eu-west-1.amazonaws.com", "/pfigshare-u-files/77/table.csv", table,
		10*time.Second)
}

func (p *platforms) dataverse() {
	const version = `{"status": "OK", "data": {"latestVersion": {"versionNumber": 1, "versionMinorNumber": 0,
		"versionState": "RELEASED", "files": [%s]}}}`
	// Then: files have identifiers of their own.
	const then = `{"label": "table.tab", "version": 1, "restricted": false, "dataFile": {"id": 100, "filename": "table.tab",
		"persistentId": "doi:10.5072/FK2/J8SJZB/AAAAAA", "contentType": "text/tab-separated-values", "filesize": 20,
		"originalFileName": "table.csv", "originalFileFormat": "text/csv", "originalFileSize": %d, "md5": "%s"}}`
	// Now: they need not, they are in folders, and their hashes may be others.
	const now = `{"label": "table.csv", "directoryLabel": "data/%s", "restricted": false, "dataFile": {"id": %d,
		"persistentId": "", "filename": "table.csv", "contentType": "text/csv", "filesize": %d, "checksum": {"type": "MD5",
		"value": "%s"}}}`
	const host, api = "demo.dataverse.org", "demo.dataverse.org/api/datasets/:persistentId/?persistentId="
	for id, files := range map[string]string{
		"doi:10.5072/FK2/J8SJZB": fmt.Sprintf(then, len(table), sum(table)),
		"doi:10.5072/FK2/NOWNOW": fmt.Sprintf(now, "a", 101, len(table), sum(table)) + "," +
			fmt.Sprintf(now, "b", 102, len(readme), sum(readme)),
	} {
		p.html(host+"/dataset.xhtml?persistentId="+id, "Dataverse")
		p.json(api+id, fmt.Sprintf(version, files))
		p.json(api+id+"&version=1.0", fmt.Sprintf(version, files))
	}
	p.file(host+"/api/access/datafile/:persistentId/?persistentId=doi:10.5072/FK2/J8SJZB/AAAAAA&format=original", table)
	p.file(host+"/api/access/datafile/101", table)
	p.signed(host+"/api/access/datafile/102", "s3-eu-west-1.amazonaws.com", "/dataverse/102", readme, time.Minute)
}

func (p *platforms) archiveorg() {
	p.html("archive.org/details/CATS", "Cats")
	const item = `{"metadata": {"identifier": "CATS", "mediatype": "data"}, "files": [
		{"name": "cats.csv", "source": "original", "format": "CSV", "size": "%d", "md5": "%s"},
		{"name": "CATS_meta.xml", "source": "original", "format": "Metadata", "size": "1", "md5": "0"}]}`
	p.json("archive.org/metadata/CATS", fmt.Sprintf(item, len(table), sum(table)))
	p.redirect("archive.org/download/CATS/cats.csv", "https://ia800000.us.archive.org/1/items/CATS/cats.csv")
	p.file("ia800000.us.archive.org/1/items/CATS/cats.csv", table)
}
