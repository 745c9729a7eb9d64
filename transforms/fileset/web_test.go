package fileset_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// answer is the answer for a URL of a web.
type answer struct {
	status   int // 200; noStatus for none
	mime     string
	encoding string
	body     string
	to       string // target of redirects
	fail     string // status of the error, instead of an answer
	cut      bool   // the body is incomplete
	links    []string
	identity string
}

// web is a Source: answers by URL. If it lacks a URL, no archive has it.
type web map[string]answer

// Get returns an answer; other URLs are missing.
func (w web) Get(_ context.Context, url string, _ fileset.Preference) (*fileset.Resource, error) {
	a, ok := w[url]
	switch {
	case !ok:
		return nil, &fileset.StatusError{Status: fileset.StatusNoCapture, Message: url, Missing: []string{url}}
	case a.fail != "":
		return nil, &fileset.StatusError{Status: a.fail}
	}
	r := &fileset.Resource{
		URL: url, DT: "20210909120000", Status: a.status, MIME: a.mime, Encoding: a.encoding, Links: a.links,
		Identity: a.identity,
		CDX:      &schemas.CDXRow{URL: url},
	}
	if a.to != "" {
		r.URL, r.Hops = a.to, []string{url}
	}
	switch r.Status {
	case 0:
		r.Status = 200
	case noStatus:
		r.Status = 0
	}
	in := io.Reader(strings.NewReader(a.body))
	if a.cut {
		in = io.MultiReader(in, broken{})
	}
	r.Body = io.NopCloser(in)
	return r, nil
}

// noStatus is the status of an archive's format that has none.
const noStatus = -1

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

const (
	record  = "https://zenodo.org/record/1"
	api     = "https://zenodo.org/api/records/1"
	content = "https://zenodo.org/api/files/x/"
	html    = "<!doctype html><html><head><title>t</title></head><body>b</body></html>"
)

func md5Of(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

// dataset is a web with a Zenodo dataset of these files: names and texts alternate.
func dataset(files ...string) web {
	w := web{record: {mime: "text/html", body: html}}
	var list []string
	for i := 0; i+1 < len(files); i += 2 {
		list = append(list, fmt.Sprintf(`{"key":%q,"size":%d,"checksum":"md5:%s","links":{"self":%q}}`,
			files[i], len(files[i+1]), md5Of(files[i+1]), content+files[i]))
		w[content+files[i]] = answer{mime: "application/octet-stream", body: files[i+1]}
	}
	w[api] = answer{
		mime: "application/json",
		body: `{"id":1,"conceptrecid":"0","metadata":{"access_right":"open"},"files":[` +
			strings.Join(list, ",") + `]}`,
	}
	return w
}

// with returns the web with another answer.
func (w web) with(url string, a answer) web {
	w[url] = a
	return w
}

func ask(url string) schemas.FilesetRequest {
	return schemas.FilesetRequest{Type: "dataset", BaseURL: url}
}

// ingest runs a request.
func ingest(t testing.TB, w fileset.Source, url string, o fileset.Options) *fileset.Outcome {
	t.Helper()
	o.Platforms = platform.All()
	r := ask(url)
	if err := fileset.Check(&r); err != nil {
		t.Fatal(err)
	}
	out, err := fileset.Ingest(t.Context(), r, w, o)
	if err != nil {
		t.Fatal(err)
	}
	if hit := strings.HasPrefix(out.Result.Status, "success"); hit != out.Result.Hit {
		t.Errorf("hit is %v for %s", out.Result.Hit, out.Result.Status)
	}
	if len(out.Result.Error) > 1600 {
		t.Errorf("the message has %d bytes", len(out.Result.Error))
	}
	return out
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

// zipped is a zip of files: names and texts alternate. Go's writer puts sizes after the files.
func zipped(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarred(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		err := w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644, Typeflag: tar.TypeReg})
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestIngest_noStatus: captures of formats without a status are answers: the page, the answer of the API, or a file.
func TestIngest_noStatus(t *testing.T) {
	for _, urls := range [][]string{{record}, {api}, {content + "a"}, {record, api, content + "a", content + "b"}} {
		w := dataset("a", "1", "b", "2")
		for _, url := range urls {
			a := w[url]
			a.status = noStatus
			w[url] = a
		}
		got := ingest(t, w, record, fileset.Options{}).Result
		if got.Status != fileset.StatusSuccess || !got.Hit {
			t.Errorf("no status of %v: %s (%s)", urls, got.Status, got.Error)
		}
		line, err := json.Marshal(got.Terminal)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(line), "terminal_status_code"); has != (urls[0] != record) {
			t.Errorf("no status of %v: %s", urls, line)
		}
	}
}
