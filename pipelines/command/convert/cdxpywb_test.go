package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// pywbQuery is a query with pywb's parameters.
type pywbQuery struct {
	URL     string       `json:"url"`
	Match   zipnum.Match `json:"matchType,omitempty"`
	Closest string       `json:"closest,omitempty"`
}

// pywbAnswers returns what pywb finds in an index.
func pywbAnswers(t *testing.T, bin, index string, queries []pywbQuery) (answers [][]string) {
	t.Helper()
	var in, errs bytes.Buffer
	for _, q := range queries {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	python := filepath.Join(bin, "python3")
	cmd := exec.CommandContext(t.Context(), python, "-W", "ignore", "testdata/zipnum_pywb.py", index)
	cmd.Stdin, cmd.Stderr = &in, &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pywb: %v\n%s", err, errs.String())
	}
	for line := range bytes.Lines(out) {
		var list []string
		if err := json.Unmarshal(line, &list); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, list)
	}
	return answers
}

// TestCDX_likePywb: pywb finds in our cluster what it finds in the plain file, and so does our reader. The cluster was
// made by merging, so that its blocks differ in size.
func TestCDX_likePywb(t *testing.T) {
	bin := pythontest.Locked(t, "../../../docs/tutorials/pywb.txt")
	dir := t.TempDir()
	index := filepath.Join(dir, "index")
	var texts [2]bytes.Buffer
	var queries []pywbQuery
	for i := range 24_000 {
		url := fmt.Sprintf("http://h%d.example.com/p/%d", i%40, i%1100/2)
		fmt.Fprintf(&texts[i%1200/1199], "com,example,h%d)/p/%d 20%02d0101%06d {\"url\": \"%s\", \"filename\": \"%d\"}\n",
			i%40, i%1100/2, 10+i%9, i%60*100+i%59, url, i)
		if i%400 == 0 {
			queries = append(queries, pywbQuery{URL: url}, pywbQuery{URL: url, Match: zipnum.Prefix},
				pywbQuery{URL: url, Match: zipnum.Host}, pywbQuery{URL: url + "x", Match: zipnum.Exact},
				pywbQuery{URL: url, Match: zipnum.Exact, Closest: "20150601000000"})
		}
	}
	for _, url := range []string{"http://example.com/", "http://h1.example.com/p/", "http://a.org/", "http://0.com/"} {
		for _, m := range []zipnum.Match{zipnum.Exact, zipnum.Prefix, zipnum.Host, zipnum.Domain} {
			queries = append(queries, pywbQuery{URL: url, Match: m})
		}
	}
	for i := range texts {
		file := filepath.Join(dir, fmt.Sprint(i, ".cdxj"))
		if err := os.WriteFile(file, texts[i].Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		mustRun(t, "cdx", "--output="+index, "--plain", file)
	}
	fromPlain := pywbAnswers(t, bin, filepath.Join(index, plainFile), queries)
	fromCluster := pywbAnswers(t, bin, filepath.Join(index, zipnum.IndexFile), queries)
	x, err := zipnum.Open(index, zipnum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	lines := 0
	for i, q := range queries {
		lines += len(fromPlain[i])
		if !slices.Equal(fromCluster[i], fromPlain[i]) {
			t.Errorf("%+v: pywb finds %d lines in the cluster and %d in the file", q, len(fromCluster[i]), len(fromPlain[i]))
		}
		ours, err := oursFor(x, q)
		if err != nil || q.Closest == "" && !slices.Equal(ours, fromPlain[i]) {
			t.Errorf("%+v: %d lines, and pywb %d: %v", q, len(ours), len(fromPlain[i]), err)
		}
	}
	if lines < 20_000 {
		t.Errorf("only %d lines were compared", lines)
	}
	t.Logf("%d queries, %d lines, %d blocks", len(queries), lines, x.Blocks())
}

func oursFor(x *zipnum.Index, q pywbQuery) (list []string, err error) {
	from, to, err := zipnum.Range(q.URL, q.Match)
	if err != nil {
		return nil, err
	}
	for line, err := range x.Lines(from, to) {
		if err != nil {
			return nil, err
		}
		list = append(list, strings.TrimSpace(string(line)))
	}
	return list, nil
}

// TestCDX_readsOtherPrograms: a cluster of cdxj-indexer, which has another .idx form, is refused with a reason. Its
// blocks are an index that is read as a file.
func TestCDX_readsOtherPrograms(t *testing.T) {
	python := pythontest.Interpreter(t, "import cdxj_indexer.main", "cdxj-indexer==1.5.0")
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), python, "-m", "cdxj_indexer.main", "-s", "-l", "10", "-c",
		filepath.Join(dir, "cluster.cdxj.gz"), "-o", filepath.Join(dir, "cluster.idx"),
		"../../../testdata/archives/site.warc.gz")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := zipnum.Open(dir, zipnum.Options{}); !errors.Is(err, zipnum.ErrFormat) {
		t.Errorf("Open: %v", err)
	}
	index := filepath.Join(t.TempDir(), "index")
	mustRun(t, "cdx", "--output="+index, filepath.Join(dir, "cluster.cdxj.gz"))
	if got := indexed(t, index); len(got) < 20 {
		t.Errorf("%d lines", len(got))
	}
}
