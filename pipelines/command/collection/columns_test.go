package collection

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// sparse writes an archive of k pages with little metadata, k with full metadata, and rest pages of the first kind.
// The library parquet-go mistakes the last ones for pages with values "". So it does with redirects and names in
// lists.
func sparse(t *testing.T, name string, k, rest int) string {
	t.Helper()
	var b bytes.Buffer
	for i := range 2*k + rest {
		head, text := "200 OK\r\nContent-Type: text/html", "<html><body><p>Anne went to Paris.</p></body></html>"
		if i >= k && i < 2*k {
			text = "<html lang=fr><head><title>Un titre</title><meta name=description content=mots>" +
				"<meta name=author content=Anne><meta property='article:published_time' content='2024-05-17'>" +
				"<link rel=alternate type='application/rss+xml' href=/f></head>" +
				"<body><p>Le Parlement européen a adopté hier à Strasbourg une résolution sur le climat.</p>" +
				"<a href=/a rel=nofollow>un</a><a href=/b></a></body></html>"
		} else if i%3 == 0 {
			head, text = "302 Found\r\nLocation: http://b.example/", ""
		}
		block := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", head, len(text), text)
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://%s.example/%03d\r\n"+
			"WARC-Date: 2026-%02d-03T00:00:00Z\r\nWARC-Record-ID: <urn:x:%s-%d>\r\n"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			name, i, 1+i%2, name, i, len(block), block)
	}
	file := filepath.Join(t.TempDir(), name+".warc")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// parquetOf returns the Parquet shards of a kind in the manifest.
func parquetOf(t *testing.T, dir, kind string) (files []string) {
	t.Helper()
	all, _, err := holdings.Whole(folder.Open(t.Context(), dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Shards {
		if strings.HasPrefix(s.Name, kind) && strings.HasSuffix(s.Name, ".parquet") {
			files = append(files, filepath.Join(dir, s.Name))
		}
	}
	return files
}

// linkRows returns the links of a collection as JSON lines.
func linkRows(t *testing.T, dir string) (rows []string) {
	t.Helper()
	for _, name := range parquetOf(t, dir, "links") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for l, err := range parquetfile.ReadLinks(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				t.Fatal(err)
			}
			row, _ := json.Marshal(l)
			rows = append(rows, string(row))
		}
	}
	return rows
}

// comparison collects what the Parquet files must contain at several times. One program compares all, because it
// starts slowly.
type comparison struct {
	dir  string
	args []string
}

// add adds the current files and their expected rows.
func (c *comparison) add(t *testing.T, rows, files []string) {
	t.Helper()
	lines := filepath.Join(c.dir, fmt.Sprintf("%d.jsonl", len(c.args)))
	if err := os.WriteFile(lines, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.args = append(c.args, "--", lines)
	for _, name := range files {
		kept := filepath.Join(c.dir, fmt.Sprintf("%d.parquet", len(c.args)))
		if err := os.Link(name, kept); err != nil {
			t.Fatal(err)
		}
		c.args = append(c.args, kept)
	}
}

// TestColumns_afterEachTask: after each task that writes Parquet, other programs read in every cell the values of the
// documents as JSON lines, from another run.
func TestColumns_afterEachTask(t *testing.T) {
	t.Parallel()
	root, compared := t.TempDir(), comparison{dir: t.TempDir()}
	dir := func(name string) string { return filepath.Join(root, name) }
	archives := []string{sparse(t, "one", 1, 9), sparse(t, "three", 3, 30), sparse(t, "nine", 9, 80)}
	must(t, "ingest", append([]string{"--output=" + dir("lines")}, archives...)...)
	want := documents(t, dir("lines"))
	without := func(texts ...string) []string {
		return slices.DeleteFunc(slices.Clone(want), func(d string) bool {
			return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(d, text) })
		})
	}
	done := func(name string, want []string) {
		t.Helper()
		must(t, "collection", "check", "--columns", "--collection="+dir(name))
		compared.add(t, want, parquetOf(t, dir(name), "documents"))
		compared.add(t, linkRows(t, dir(name)), parquetOf(t, dir(name), "links"))
	}
	must(t, "ingest", append([]string{"--output=" + dir("ingest"), "--format=parquet,links"}, archives[:2]...)...)
	done("ingest", without("//nine."))
	must(t, "ingest", "--output="+dir("other"), "--format=parquet,links", archives[2])
	must(t, "collection", "merge", "--collection="+dir("merge"), dir("ingest"), dir("other"))
	done("merge", want)
	for _, order := range []string{"features", "url"} {
		must(t, "collection", "compact", "--cluster="+order, "--collection="+dir("merge"))
		done("merge", want)
	}
	must(t, "collection", "takedown", "--collection="+dir("merge"), "http://nine.example/012", "three.example")
	want = without(`"url":"http://nine.example/012"`, "//three.example")
	done("merge", want)
	export := []string{"--collection=" + dir("merge"), "--format=parquet"}
	must(t, "query", append(export, "--output="+dir("all.parquet"))...)
	must(t, "query", append(export, "--output="+dir("some.parquet"), "--where=status != 302")...)
	compared.add(t, want, []string{dir("all.parquet")})
	want = without(`"status":302`, `"url":"http://nine.example/012"`, "//three.example")
	compared.add(t, want, []string{dir("some.parquet")})
	pythontest.SameColumns(t, compared.args...)
}

// TestCheck_columns: check finds values instead of nulls in a folder of an earlier version. Then ingest rebuilds its
// shards from the archives, and compact from their rows.
func TestCheck_columns(t *testing.T) {
	t.Parallel()
	const earlier = "../../../io/collection/testdata/form6"
	for _, x := range []struct {
		name  string
		tasks [][]string
		code  int
	}{
		{"as it is", nil, cli.ExitLosses},
		{"stats change nothing", [][]string{{"collection", "stats"}}, cli.ExitLosses},
		{"compact", [][]string{{"collection", "compact"}}, cli.ExitDone},
		{"ingest", [][]string{{"ingest", "--format=parquet,links", "three-pages.warc.gz"}}, cli.ExitDone},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			out := filepath.Join(root, "out")
			if err := os.CopyFS(out, os.DirFS(earlier)); err != nil {
				t.Fatal(err)
			}
			moveArchive(t, earlier+".warc.gz", root, out)
			for _, task := range x.tasks {
				flag := "--collection=" + out
				if task[0] == "ingest" {
					flag = "--output=" + out
					task[len(task)-1] = filepath.Join(root, task[len(task)-1])
				}
				must(t, task[0], append(slices.Clone(task[1:]), flag)...)
			}
			code, text := command(t, "collection", "check", "--columns", "--collection="+out)
			if told := strings.Contains(text, "title (1)"); code != x.code || told != (code != cli.ExitDone) {
				t.Errorf("exit code %d, want %d: %s", code, x.code, text)
			}
			must(t, "collection", "check", "--collection="+out)
		})
	}
}

// moveArchive moves an archive to the path in the rows of a collection.
func moveArchive(t *testing.T, from, root, out string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "three-pages.warc.gz"), data, 0o644)
	}
	names, errGlob := filepath.Glob(filepath.Join(out, ".gleaner", "*.json"))
	if err != nil || errGlob != nil || len(names) == 0 {
		t.Fatal(err, errGlob, names)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, bytes.ReplaceAll(data, []byte("/archives"), []byte(root)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
