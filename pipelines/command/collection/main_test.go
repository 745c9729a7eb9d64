package collection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/leaktest"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/command/convert"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/command/serve"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestMain(m *testing.M) {
	if os.Getenv(asCrash) != "" {
		crash()
	}
	commandtest.Main(m, Verb, ingest.Verb, convert.Verb, query.Verb, serve.Verb)
}

// command runs a command, and returns its exit code and its output.
func command(t *testing.T, name string, args ...string) (code int, text string) {
	t.Helper()
	return commandtest.Combined(t, commandtest.Command(t.Context(), name, args...))
}

// must runs a command that must succeed.
func must(t *testing.T, name string, args ...string) string {
	t.Helper()
	code, text := command(t, name, args...)
	if code != cli.ExitDone {
		t.Fatalf("%s %v: exit code %d\n%s", name, args, code, text)
	}
	return text
}

// The takedowns. Nothing of them may remain.
const (
	secretURL  = "http://site3.example/zanzibarquagga.html"
	secretHost = "gone.example"
	marker     = "zanzibarquagga" // in the URL and on the page
	hostMarker = "okapixylophone" // on the pages of the host
)

// month writes the archive of a month, and returns its folder.
func month(t *testing.T, root string, n int) string {
	t.Helper()
	dir := filepath.Join(root, fmt.Sprintf("month%02d", n))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	page := func(url, text string) {
		mime := "text/html"
		body := fmt.Sprintf("<html><head><title>%.40s</title><link rel=alternate type='application/rss+xml' href='/feed'>"+
			"</head>"+
			"<body><p>%s</p></body></html>", text, strings.Repeat(text+" is what this page is about. ", max(1, 200/len(text))))
		if len(text) > 1000 {
			mime, body = "application/octet-stream", text
		}
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", mime, len(body), body)
		z := gzip.NewWriter(&b)
		_, err := fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: "+
			"%04d-%02d-03T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:x:%d-%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n",
			url, 2024+n/12, n%12+1, n, b.Len(), len(block), block)
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(uint64(n), 0))
	for i := range 4 {
		page(fmt.Sprintf("http://site%d.example/page%d.html", i, n%5), fmt.Sprintf("Version %d of page %d", n, i))
	}
	noise := make([]byte, 70<<10) // makes the archive as large as a unit
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	page(fmt.Sprintf("http://site0.example/noise%d", n), string(noise))
	if n%3 == 0 {
		page(secretURL, marker)
		page("http://www."+secretHost+"/"+hostMarker, hostMarker)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.warc.gz"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// documents returns the sorted documents of a collection, except those to take down.
func documents(t *testing.T, dir string) (list []string) {
	t.Helper()
	all, _, err := holdings.Whole(folder.Open(t.Context(), dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range all.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := json.Marshal(d); !strings.Contains(d.URL, marker) && d.Host != "www."+secretHost {
			list = append(list, string(b))
		}
	}
	slices.Sort(list)
	return list
}

// found returns the files that contain a text, as they are or decoded.
func found(t *testing.T, dir, text string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plain := b
		switch {
		case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
			if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
				plain, _ = io.ReadAll(z)
			}
		case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			if z, err := zstd.NewReader(bytes.NewReader(b)); err == nil {
				plain, _ = io.ReadAll(z)
				z.Close()
			}
		case strings.HasSuffix(path, ".parquet"):
			plain = []byte(strings.Join(everyDocument(t, dir, filepath.Base(path)), "\n"))
		}
		if bytes.Contains(bytes.ToLower(b), []byte(text)) || bytes.Contains(bytes.ToLower(plain), []byte(text)) {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// everyDocument returns the documents of a Parquet file, even if the manifest does not name it.
func everyDocument(t *testing.T, dir, name string) (list []string) {
	t.Helper()
	f := folder.Open(t.Context(), dir, nil)
	size, err := f.Size(name)
	if err != nil {
		return nil // in a subfolder
	}
	for d, err := range holdings.ReadParquet(f, schemas.Shard{Name: name, Bytes: size}) {
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(d)
		list = append(list, string(b))
	}
	return list
}

// age changes n units to those of an earlier version of an extractor: their versions, and so their keys, differ.
func age(t *testing.T, dir string, n int) {
	t.Helper()
	rows, err := ledger.Rows(folder.Open(t.Context(), dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	for key, r := range rows {
		if n--; n < 0 {
			return
		}
		old := strings.Repeat(fmt.Sprintf("%x", n%16), 8) + key[8:]
		at := filepath.Join(dir, ".gleaner", key+".json")
		data, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), key[:20], old[:20])
		text = strings.Replace(text, fmt.Sprintf(`"mimetype": %q`, r.Versions["mimetype"]), `"mimetype": "0.1"`, 1)
		for _, s := range r.Shards {
			// The file is copied because a snapshot of the table may refer to its name. A compacted one may be
			// missing.
			b, err := os.ReadFile(filepath.Join(dir, s.Name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(s.Name, key[:20], old[:20])), b, 0o644)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.WriteFile(filepath.Join(dir, ".gleaner", old+".json"), []byte(text), 0o644),
			os.Remove(at)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCollection_grownForMonths runs ingest monthly (6 times, or 24 with GLEANER_SLOW=1), with a newer extractor,
// compactions, expiries and takedowns. The result is that of a fresh build without the takedowns. check finds no
// error after any step.
func TestCollection_grownForMonths(t *testing.T) {
	root, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	at, to := "--collection="+out, "--output="+out
	const (
		formats = "--format=parquet,jsonl,wet,content,cdxj"
		units   = "--unit_size=64KiB" // small archives share units, which others come to when more are read at once
	)
	check := func(when string) {
		t.Helper()
		if code, text := command(t, "collection", "check", at); code != cli.ExitDone {
			t.Fatalf("%s: exit code %d\n%s", when, code, text)
		}
	}
	read := func(args ...string) { // and update the table
		t.Helper()
		must(t, "ingest", append([]string{to, formats, units}, args...)...)
		must(t, "collection", "lake", at)
	}
	months := 6
	if os.Getenv("GLEANER_SLOW") != "" {
		months = 24
	}
	var dirs []string
	for n := range months {
		dirs = append(dirs, month(t, root, n))
		must(t, "ingest", to, formats, units, "--add", dirs[n])
		switch n {
		case 2:
			must(t, "collection", "lake", at)
		case 3, 17:
			must(t, "collection", "compact", at)
			check("compacted in between")
		}
	}
	must(t, "collection", "lake", at)
	check("grown")
	want := documents(t, out)
	if len(want) != months*5 {
		t.Fatalf("%d documents", len(want))
	}
	age(t, out, 3)
	before := rows(t, out)
	read(append([]string{"--stale"}, dirs...)...)
	if n := len(before) - shared(before, rows(t, out)); n != 3 {
		t.Errorf("%d units were done again, want those 3 that were stale", n)
	}
	check("extracted again")
	for _, step := range [][]string{
		{"compact"}, {"lake"}, {"expire"}, {"compact", "--cluster=url"}, {"expire", "--keep=2"},
	} {
		must(t, "collection", append(step, at)...)
		check(strings.Join(step, " "))
		if diff := cmp.Diff(want, documents(t, out)); diff != "" {
			t.Fatalf("%v: -want +got:\n%s", step, diff)
		}
	}
	for _, text := range []string{marker, hostMarker, secretHost} {
		if len(found(t, out, text)) == 0 {
			t.Fatalf("%s is nowhere before it is taken down", text)
		}
	}
	must(t, "collection", "takedown", at, "--reason=request 17", secretURL, secretHost)
	gone := func(when string) {
		t.Helper()
		for _, text := range []string{marker, hostMarker, secretHost} {
			if list := found(t, out, text); len(list) > 0 {
				t.Errorf("%s: %s is in %v", when, text, list)
			}
		}
		if diff := cmp.Diff(want, documents(t, out)); diff != "" {
			t.Fatalf("%s: -want +got:\n%s", when, diff)
		}
		check(when)
	}
	gone("taken down")
	read(dirs...)
	gone("run again")
	dirs = append(dirs, month(t, root, months))
	read("--add", dirs[months])
	want = documents(t, out)
	gone("another month")
	age(t, out, months+1)
	read(dirs...)
	gone("all done again")
	fresh := filepath.Join(t.TempDir(), "fresh")
	must(t, "ingest", append([]string{"--output=" + fresh, formats, units}, dirs...)...)
	if diff := cmp.Diff(documents(t, fresh), documents(t, out)); diff != "" {
		t.Errorf("-fresh +grown:\n%s", diff)
	}
	read(append([]string{"--fresh"}, dirs...)...)
	gone("fresh")
	if text := must(t, "collection", "stats", at); !strings.Contains(text, "taken down 2 entries") {
		t.Errorf("stats:\n%s", text)
	}
}

// rows returns the keys of the finished units.
func rows(t *testing.T, dir string) []string {
	t.Helper()
	keys, err := ledger.Keys(folder.Open(t.Context(), dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// shared returns the number of common elements.
func shared(a, b []string) (n int) {
	for _, k := range a {
		if slices.Contains(b, k) {
			n++
		}
	}
	return n
}

// TestCollection_catalogue: with --catalogue, a catalogue keeps the table. Tasks without the flag refuse to run.
func TestCollection_catalogue(t *testing.T) {
	root := t.TempDir()
	out, file := filepath.Join(root, "out"), filepath.Join(root, "catalogue.yml")
	must(t, "ingest", "--output="+out, "--format=parquet", month(t, root, 0))
	text := "type: sql\nsql.driver: sqlite\nsql.dialect: sqlite\ninit_catalog_tables: true\nuri: file:" +
		filepath.Join(root, "catalogue.db") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	at, kept := "--collection="+out, "--catalogue="+file
	must(t, "collection", "lake", at, kept)
	must(t, "ingest", "--output="+out, "--format=parquet", "--add", month(t, root, 1))
	for _, task := range []string{"lake", "compact", "snapshots", "expire"} {
		if code, text := command(t, "collection", task, at); code != cli.ExitUsage || !strings.Contains(text, "catalogue") {
			t.Errorf("%s without the catalogue: exit code %d\n%s", task, code, text)
		}
	}
	for _, task := range []string{"lake", "compact", "check", "expire", "check"} {
		must(t, "collection", task, at, kept)
	}
	if text := must(t, "collection", "snapshots", at, kept); !strings.Contains(text, "  12  ") {
		t.Errorf("snapshots:\n%s", text)
	}
	if code, _ := command(t, "collection", "stats", at, kept); code != cli.ExitUsage {
		t.Errorf("stats with a catalogue: exit code %d", code)
	}
	must(t, "ingest", "--output="+out+"2", "--format=parquet", month(t, root, 2))
	must(t, "collection", "lake", at+"2")
	if code, text := command(t, "collection", "lake", at+"2", kept); code != cli.ExitUsage ||
		!strings.Contains(text, "keeps it itself") {
		t.Errorf("a folder that keeps its own: exit code %d\n%s", code, text)
	}
}

// TestCollection_mergeAndAdopt: two collections become one, twice with the same result. Files of documents become
// units.
func TestCollection_mergeAndAdopt(t *testing.T) {
	root := t.TempDir()
	one, two, all := filepath.Join(root, "one"), filepath.Join(root, "two"), filepath.Join(root, "all")
	a, b := month(t, root, 0), month(t, root, 1)
	must(t, "ingest", "--output="+one, a)
	must(t, "ingest", "--output="+two, b)
	must(t, "ingest", "--output="+two, "--add", a)
	for range 2 {
		must(t, "collection", "merge", "--collection="+all, one, two)
		must(t, "collection", "check", "--collection="+all)
		if diff := cmp.Diff(documents(t, two), documents(t, all)); diff != "" {
			t.Errorf("-want +merged:\n%s", diff)
		}
	}
	overlapping := filepath.Join(root, "overlapping")
	must(t, "ingest", "--output="+overlapping, a, b) // small archives share a unit
	if code, text := command(t, "collection", "merge", "--collection="+all, overlapping); code != cli.ExitUsage {
		t.Errorf("a collection that has read the same in other units: exit code %d\n%s", code, text)
	}
	must(t, "ingest", "--output="+all, "--add", month(t, root, 2))
	must(t, "collection", "check", "--collection="+all)
	foreign := filepath.Join(root, "foreign")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(documents(t, one), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(foreign, "documents-00000-of-00001.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	adopted := filepath.Join(root, "adopted")
	for range 2 {
		must(t, "collection", "adopt", "--collection="+adopted, foreign)
		must(t, "collection", "check", "--collection="+adopted)
		if diff := cmp.Diff(documents(t, one), documents(t, adopted)); diff != "" {
			t.Errorf("-want +adopted:\n%s", diff)
		}
	}
	must(t, "collection", "compact", "--collection="+two)
	if code, text := command(t, "collection", "merge", "--collection="+all, two); code != cli.ExitUsage {
		t.Errorf("a compacted collection: exit code %d\n%s", code, text)
	}
}

// TestCheck_findsDamage: check finds a changed byte, a missing file and an unknown file.
func TestCheck_findsDamage(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, month(t, root, 0))
	list, err := filepath.Glob(filepath.Join(out, "documents-*"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	good, _ := os.ReadFile(list[0])
	for name, damage := range map[string]func() error{
		"changed": func() error { return os.WriteFile(list[0], append([]byte{good[0] ^ 1}, good[1:]...), 0o644) },
		"missing": func() error { return os.Remove(list[0]) },
		"stray": func() error {
			return os.WriteFile(filepath.Join(out, "documents-0123456789abcdef0123.jsonl"), nil, 0o644)
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if code, text := command(t, "collection", "check", "--collection="+out); code != cli.ExitLosses ||
			!strings.Contains(text, "documents-") {
			t.Errorf("%s: exit code %d\n%s", name, code, text)
		}
		if err := os.WriteFile(list[0], good, 0o644); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(out, "documents-0123456789abcdef0123.jsonl")) // where it was not made, it is not there
	}
	must(t, "collection", "check", "--collection="+out)
}

func TestCollection_usage(t *testing.T) {
	none := "--collection=" + filepath.Join(t.TempDir(), "none")
	for args, want := range map[string]string{
		"":                              "name a task",
		"chekc":                         "did you mean check?",
		"check " + none:                 "is no collection in which a run has finished",
		"compact " + none:               "is no collection in which a run has finished",
		"stats x":                       "takes no argument",
		"takedown":                      "takes URL|host",
		"takedown nonsense":             "neither a URL nor a host",
		"compact --keep=2":              "means nothing to compact",
		"check --memory=1GiB":           "means nothing to check",
		"takedown x.example --memory=9": "at least 1MiB",
		"expire --keep=0":               "--keep",
		"compact --cluster=urls":        "did you mean url?",
		"expire --older_than=yesterday": "--older_than",
	} {
		code, text := command(t, "collection", strings.Fields(args)...)
		if code != cli.ExitUsage || !strings.Contains(text, want) {
			t.Errorf("collection %s: exit code %d, want %d and %q\n%s", args, code, cli.ExitUsage, want, text)
		}
	}
	if _, err := os.Stat(strings.TrimPrefix(none, "--collection=")); err == nil {
		t.Error("a folder was made")
	}
	if code, text := command(t, "collection", "-h"); code != 0 || strings.Count(text, "\n") > 20 {
		t.Errorf("-h: exit code %d\n%s", code, text)
	}
	if code, text := command(t, "collection", "--help"); code != 0 || !strings.Contains(text, "Tasks\n  stats") {
		t.Errorf("--help: exit code %d\n%s", code, text)
	}
}

// TestCollection_secretsLeaveNoTrace: URLs with secrets instead of names are refused, and not repeated.
func TestCollection_secretsLeaveNoTrace(t *testing.T) {
	secret := "https://" + leaktest.User + "example.org/x?token=" + leaktest.Signature
	for _, args := range [][]string{
		{"check", "--collection=" + secret}, {"merge", "--collection=" + t.TempDir(), secret}, {"adopt", secret}, {secret},
	} {
		code, text := command(t, "collection", args...)
		if code != cli.ExitUsage {
			t.Errorf("%v: exit code %d\n%s", args, code, text)
		}
		leaktest.None(t, args[0], map[string]string{"output": text})
	}
}
