package holdings_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// place opens a new folder and its path.
func place(t *testing.T) (folder.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	return folder.Open(t.Context(), dir, nil), dir
}

// put writes a file, in a folder of its own if need be, and returns it as a shard.
func put(t *testing.T, dir, name, body string) schemas.Shard {
	t.Helper()
	path := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(body), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(body))
	return schemas.Shard{Name: name, Bytes: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// urlsOf are the URLs of documents, up to an error.
func urlsOf(ctx context.Context, p holdings.Part) (list []string, err error) {
	for d, err := range p.Documents(ctx) {
		if err != nil {
			return list, err
		}
		list = append(list, d.URL)
	}
	return list, nil
}

func TestPart_Documents(t *testing.T) {
	const one, two = `{"url":"http://a/"}` + "\n", `{"url":"http://水/","text":"潮"}` + "\n"
	whole := zipped(t, one+two)
	tests := []struct {
		name, body string
		want       []string
		rejects    []schemas.Kind
	}{
		{"plain", one + two, []string{"http://a/", "http://水/"}, nil},
		{"compressed", whole, []string{"http://a/", "http://水/"}, nil},
		{"two members", zipped(t, one) + zipped(t, two), []string{"http://a/", "http://水/"}, nil},
		{"no line end", one + strings.TrimSuffix(two, "\n"), []string{"http://a/", "http://水/"}, nil},
		{"empty", "", nil, nil},
		{"null", one + "null\n" + two, []string{"http://a/", "http://水/"}, []schemas.Kind{schemas.KindGarbage}},
		{"a list", "[]\n" + two, []string{"http://水/"}, []schemas.Kind{schemas.KindGarbage}},
		{"half a line", one + two[:12], []string{"http://a/"}, []schemas.Kind{schemas.KindGarbage}},
		{"two broken lines", "x\n" + one + "{\n", []string{"http://a/"}, []schemas.Kind{
			schemas.KindGarbage,
			schemas.KindGarbage,
		}},
		{"truncated", whole[:len(whole)-9], []string{"http://a/", "http://水/"}, []schemas.Kind{schemas.KindTruncated}},
		{"damaged", whole[:12] + "\xff\xff\xff\xff" + whole[16:], nil, []schemas.Kind{schemas.KindInflate}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, dir := place(t)
			s := put(t, dir, "documents-"+key+".jsonl", tt.body)
			var kinds []schemas.Kind
			p := holdings.Part{Folder: f, Shards: []schemas.Shard{s}, Rejected: func(r schemas.Reject) {
				kinds = append(kinds, r.Kind)
				if r.File != s.Name || r.Stage != "read" || r.Message == "" || strings.Contains(r.Message, dir) {
					t.Errorf("reject %+v", r)
				}
			}}
			got, err := urlsOf(t.Context(), p)
			if err != nil || !slices.Equal(got, tt.want) || !slices.Equal(kinds, tt.rejects) {
				t.Errorf("Documents = %q, %v, rejects %v; want %q, %v", got, err, kinds, tt.want, tt.rejects)
			}
			// Without Rejected, damage is an error that names the shard.
			p.Rejected = nil
			if _, err := urlsOf(t.Context(), p); (err != nil) != (tt.rejects != nil) ||
				err != nil && !strings.Contains(err.Error(), s.Name) {
				t.Errorf("without Rejected: %v", err)
			}
		})
	}
}

func TestPart_otherBytes(t *testing.T) {
	f, dir := place(t)
	s := put(t, dir, "documents-"+key+".jsonl", `{"url":"http://a/"}`+"\n")
	put(t, dir, s.Name, `{"url":"http://b/"}`+"\n")
	p := holdings.Part{Folder: f, Shards: []schemas.Shard{s}}
	if _, err := urlsOf(t.Context(), p); !errors.Is(err, holdings.ErrChanged) || !strings.Contains(err.Error(), dir) {
		t.Errorf("Documents = %v, want %v with the path", err, holdings.ErrChanged)
	}
	var rejects []schemas.Reject
	p.Rejected = func(r schemas.Reject) { rejects = append(rejects, r) }
	got, err := urlsOf(t.Context(), p)
	if err != nil || len(got) != 1 || len(rejects) != 1 || rejects[0].Kind != schemas.KindDamaged ||
		rejects[0].Length != s.Bytes {
		t.Errorf("Documents = %q, %v, rejects %+v", got, err, rejects)
	}
	// Callers that stop early are not told, since the hash is compared at the end.
	rejects = nil
	for _, err := range p.Documents(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if rejects != nil {
		t.Errorf("after the first document: %+v", rejects)
	}
	table := put(t, dir, "documents-"+key+".parquet", "PAR1")
	table.Bytes++
	rejects = nil
	p.Shards = []schemas.Shard{table}
	if got, err := urlsOf(t.Context(), p); err != nil || got != nil || len(rejects) != 1 {
		t.Errorf("a table of another size: %q, %v, rejects %+v", got, err, rejects)
	}
	table.Bytes--
	if err := os.Remove(filepath.Join(dir, s.Name)); err != nil {
		t.Fatal(err)
	}
	// A missing shard may come back, so it is an error in any case.
	p.Shards = []schemas.Shard{s}
	if _, err := urlsOf(t.Context(), p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing shard: %v, want %v", err, fs.ErrNotExist)
	}
}

func TestPart_Feeds_refuse(t *testing.T) {
	f, dir := place(t)
	line := func(url string) string { return `{"url":"` + url + `"}` + "\n" }
	s := put(t, dir, "feeds-"+key+".jsonl", line("http://a/")+line("http://no/")+"x\n"+line("http://b/"))
	var rejects []schemas.Reject
	p := holdings.Part{
		Folder: f, Shards: []schemas.Shard{s}, Rejected: func(r schemas.Reject) { rejects = append(rejects, r) },
		Refuse: func(c *schemas.FeedCapture) error {
			if c.URL == "http://no/" {
				return errors.New("too many items")
			}
			return nil
		},
	}
	var got []string
	for c, err := range p.Feeds(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.URL)
	}
	n := int64(len(line("http://a/")))
	if !slices.Equal(got, []string{"http://a/", "http://b/"}) || len(rejects) != 2 || rejects[0].Lost != 0 ||
		rejects[0].Kind != schemas.KindLimit || rejects[0].Offset != n || rejects[0].Message != "too many items" ||
		rejects[1].Lost == 0 || rejects[1].Kind != schemas.KindGarbage {
		t.Errorf("Feeds = %q, rejects %+v", got, rejects)
	}
}

// TestPart_Captures: a broken line of the index is always an error, since lookups must not miss captures.
func TestPart_Captures(t *testing.T) {
	f, dir := place(t)
	const line = `org,example)/ 20240101000000 {"url":"http://example.org/","filename":"a.warc","offset":"0"}` + "\n"
	whole := zipped(t, line+line)
	for name, tt := range map[string]struct {
		body string
		want int
		bad  bool
	}{
		"sound": {whole, 2, false}, "truncated": {whole[:len(whole)-9], 2, true}, "not compressed": {line, 0, true},
		"a broken line": {zipped(t, line+"org,example\n"), 1, true}, "empty": {"", 0, true},
	} {
		p := holdings.Part{Folder: f, Shards: []schemas.Shard{put(t, dir, "captures-"+key+".cdxj.gz", tt.body)}}
		p.Rejected = func(r schemas.Reject) { t.Errorf("%s: rejected %+v", name, r) }
		n := 0
		var last error
		for _, err := range p.Captures(t.Context()) {
			if last = err; err == nil {
				n++
			}
		}
		if (last != nil) != tt.bad || n != tt.want {
			t.Errorf("%s: %d captures, %v; want %d, an error: %v", name, n, last, tt.want, tt.bad)
		}
	}
}

func TestPart_cancelled(t *testing.T) {
	f, dir := place(t)
	p := holdings.Part{Folder: f, Shards: []schemas.Shard{
		put(t, dir, "documents-"+key+".jsonl", strings.Repeat(`{"url":"http://a/"}`+"\n", 100)),
	}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := urlsOf(ctx, p); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("Documents = %d, %v, want %v", len(got), err, context.Canceled)
	}
}

func TestWhole(t *testing.T) {
	const manifest = `{"units":[{"shards":[{"name":"a"}]},{"shards":[{"name":"b"},{"name":"c"}]}]}`
	for name, tt := range map[string]struct {
		manifest, marker string
		want             error // nil for a collection that can be read
	}{
		"this layout": {manifest, holdings.MarkerText, nil}, "no hidden folder": {manifest, "", nil},
		"the layout before":              {manifest, "This folder is written by Gleaner, layout 1.\n", nil},
		"on the way":                     {manifest, holdings.MovingMarker, nil},
		"a later layout":                 {manifest, "This folder is written by Gleaner, layout 9.\n", holdings.ErrLayout},
		"a later schema":                 {`{"schema_version":"99","units":[]}`, holdings.MarkerText, holdings.ErrLayout},
		"an unknown schema":              {`{"schema_version":"x\n","units":[]}`, holdings.MarkerText, holdings.ErrLayout},
		"a later schema, nothing hidden": {`{"schema_version":"2","units":[]}`, "", holdings.ErrLayout},
		"this schema":                    {`{"schema_version":"1",` + manifest[1:], holdings.MarkerText, nil},
		"a long marker":                  {manifest, strings.Repeat("x", 2000), folder.ErrContent},
		"truncated":                      {manifest[:30], holdings.MarkerText, folder.ErrContent},
		"another type":                   {`{"units":7}`, holdings.MarkerText, folder.ErrContent},
		"no manifest":                    {"", holdings.MarkerText, fs.ErrNotExist},
	} {
		f, dir := place(t)
		if tt.manifest != "" {
			put(t, dir, holdings.ManifestFile, tt.manifest)
		}
		if tt.marker != "" {
			put(t, dir, holdings.Hidden(holdings.MarkerFile), tt.marker)
		}
		p, m, err := holdings.Whole(f)
		totals, errTotals := holdings.ReadTotals(f)
		switch {
		case !errors.Is(err, tt.want) || !errors.Is(errTotals, tt.want):
			t.Errorf("%s: Whole = %v, ReadTotals = %v, want %v", name, err, errTotals, tt.want)
		case tt.want == nil && (len(p.Shards) != 3 || p.Shards[2].Name != "c" || len(m.Units) != 2 || len(totals.Units) != 2):
			t.Errorf("%s: shards %v, %d units, %d in the totals", name, p.Shards, len(m.Units), len(totals.Units))
		case tt.want != nil && (p.Shards != nil || m.Units != nil):
			t.Errorf("%s: an error with shards %v", name, p.Shards)
		}
	}
}

func TestReadLastRun(t *testing.T) {
	f, dir := place(t)
	if _, err := holdings.ReadLastRun(f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a note: %v, want %v", err, fs.ErrNotExist)
	}
	for _, body := range []string{"", "{", `{"inputs":"a"}`, "[]"} {
		put(t, dir, holdings.Hidden(holdings.LastRunFile), body)
		if a, err := holdings.ReadLastRun(f); !errors.Is(err, fs.ErrNotExist) || a.Inputs != nil {
			t.Errorf("ReadLastRun of %q = %+v, %v, want %v", body, a, err, fs.ErrNotExist)
		}
	}
	put(t, dir, holdings.Hidden(holdings.LastRunFile), `{"inputs":["a.warc","b"],"indexes":["i.cdxj"],"new_member":1}`)
	a, err := holdings.ReadLastRun(f)
	if want := "ingest --cdx=i.cdxj a.warc b"; err != nil || a.Command() != want {
		t.Errorf("ReadLastRun = %q, %v, want %q", a.Command(), err, want)
	}
}

// TestAsked_Command: the command can be pasted into a shell, whatever the names are.
func TestAsked_Command(t *testing.T) {
	for _, tt := range []struct {
		asked holdings.LastRun
		want  string
	}{
		{holdings.LastRun{}, "ingest"},
		{holdings.LastRun{Inputs: []string{"gs://bucket/a-1_2.warc.gz"}}, "ingest gs://bucket/a-1_2.warc.gz"},
		{holdings.LastRun{Inputs: []string{"My archives/a.warc"}}, "ingest 'My archives/a.warc'"},
		{holdings.LastRun{Inputs: []string{"*.warc", "$HOME"}}, "ingest '*.warc' '$HOME'"},
		{holdings.LastRun{Inputs: []string{"Ada's; rm x"}}, `ingest 'Ada'\''s; rm x'`},
		{holdings.LastRun{Indexes: []string{"an index.cdxj"}, Inputs: []string{""}}, "ingest --cdx='an index.cdxj' ''"},
	} {
		if got := tt.asked.Command(); got != tt.want {
			t.Errorf("Command of %q = %s, want %s", tt.asked.Inputs, got, tt.want)
		}
	}
}
