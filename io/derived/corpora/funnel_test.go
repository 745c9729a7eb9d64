package corpora

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

func list(name string, values ...string) filter.Settings {
	return filter.Settings{Lists: map[string][]string{name: values}}
}

// scored returns steps with a plug that counts the words of texts, except for some, and with a tokenizer.
func scored(t *testing.T, dir string, o Options) *Steps {
	s := newSteps(t, dir, o)
	s.Tools = filter.Tools{
		Tokens: func(text string) int { return len(text) / 4 }, Now: time.Now,
		Plug: func(string) (filter.Score, error) {
			return filter.Score{Batch: 7, Set: func(documents []*schemas.Document, texts []string) []error {
				errs := make([]error, len(documents))
				for i, d := range documents {
					if strings.HasSuffix(d.URL, "/13") {
						errs[i] = errors.New("the plug fails on it")
					} else {
						words := fmt.Sprint(len(strings.Fields(texts[i])))
						errs[i] = d.SetCustom("words", schemas.TypeInteger, []string{words})
					}
				}
				return errs
			}}, nil
		},
	}
	return s
}

// withPlug is a recipe that decides by columns of several kinds.
var withPlug = filter.Recipe{
	{Name: "urls", Settings: list("block", "h3.example.com")},
	{Name: "plug", Settings: filter.Settings{Lists: map[string][]string{
		"command": {"count"}, filter.PlugName: {"words"}, filter.PlugColumns: {"words:integer"}, filter.PlugVersion: {"1"},
	}}},
	{Name: "where", Settings: list("filter", "custom.words > 100", "quality.words < 190")},
	{Name: "tokens", Settings: filter.Settings{Numbers: map[string]float64{"min": 350}}},
	{Name: "personal"},
}

var letters = strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8",
	"i", "9", "j")

// TestFunnel_addsUp: each step is given what the one before passed on, the first has all documents, the last those of
// the corpus. Refused documents are the difference. Neither units nor their order change a number.
func TestFunnel_addsUp(t *testing.T) {
	docs := documents(200)
	for i, d := range docs {
		d.Quality = &schemas.Quality{Words: i}
		d.Text = letters.Replace(d.Text) // paragraphs are compared without numbers
	}
	docs[10].Text += " write to somebody@example.org or someone.else@example.org today"
	twin := *docs[11]
	twin.URL, twin.SURT, twin.Text = "http://mirror.example.org/11", "org,example,mirror)/11", docs[11].Text+" or less"
	docs = append(docs, &twin)
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	o := allDedups
	o.Recipe, o.Refused, o.Tokens, o.Sample, o.Paragraphs = withPlug, true, "hash", .9, 2
	docs[20].Text = "A paragraph that two hosts have is kept once\n" + docs[20].Text
	docs[22].Text = "A paragraph that two hosts have is kept once\n" + docs[22].Text
	var first []filter.Passage
	for i, size := range []int{201, 50, 33} {
		var units []holdings.Part
		for part := range slices.Chunk(docs, size) {
			units = append(units, unitOf(t, in, part))
		}
		if i == 1 {
			units = append(units, unitOf(t, in, docs[:7])) // repeated documents
		}
		s := scored(t, filepath.Join(dir, fmt.Sprint("out", i)), o)
		m := makeCorpus(t, s, units)
		checkFunnel(t, m)
		timed, err := s.ReadTimed()
		if err != nil || fmt.Sprint(untimed(timed.Funnel)) != fmt.Sprint(m.Funnel) {
			t.Errorf("the stats are %v, %v; want the funnel of the manifest", timed, err)
		}
		if i == 0 {
			first = m.Funnel
		} else if i == 2 && fmt.Sprint(m.Funnel) != fmt.Sprint(first) {
			t.Errorf("units of %d: %v, want %v", size, m.Funnel, first)
		}
	}
}

func checkFunnel(t *testing.T, m Manifest) {
	t.Helper()
	f := m.Funnel
	last := len(f) - 1
	if f[0].In.Documents != m.Counts.Documents+m.Repeated || f[last].Out.Documents != m.Counts.Kept ||
		f[last].Out.Bytes != m.Counts.Bytes {
		t.Errorf("from %+v to %+v, want %d documents to %d", f[0], f[last], m.Counts.Documents, m.Counts.Kept)
	}
	refused := map[string]int64{}
	for i, p := range f {
		if i > 0 && p.In != f[i-1].Out {
			t.Errorf("%s is given %+v, and %s passes on %+v", p.Step, p.In, f[i-1].Step, f[i-1].Out)
		}
		if lost := p.In.Minus(p.Out); lost.Documents < 0 || lost.Bytes < 0 && p.Step != "personal" {
			t.Errorf("%s adds something: %+v", p.Step, p)
		}
		refused[p.Step] = p.In.Minus(p.Out).Documents
	}
	for step, reason := range map[string]string{
		"urls": "urls/blocked", "plug: words": "plug/failed",
		"where: custom.words > 100 AND quality.words < 190": "where/other",
		"tokens": "tokens/few", "sample": "sample/left", "duplicates: payload": "duplicate/payload",
	} {
		n := int64(0)
		if r := m.Counts.Reasons[reason]; r != nil {
			n = r.Documents
		}
		if refused[step] != n {
			t.Errorf("%s refuses %d, and %s are %d", step, refused[step], reason, n)
		}
	}
	if refused["plug: words"] != 1 || refused["duplicates: payload"] != 1 || refused["sample"] == 0 {
		t.Errorf("refused are %v", refused)
	}
}

// TestColumns: chosen columns of documents are columns of the corpus, in both formats, and of refused documents.
func TestColumns(t *testing.T) {
	docs := documents(20)
	docs[4].Quality = &schemas.Quality{Words: 7}
	docs[4].Entities = []schemas.Entity{{Text: "Ann"}, {Text: "Bob"}}
	docs[4].CustomFloats = map[string][]schemas.Float{"edu": {.5, .75}}
	dir := t.TempDir()
	in := newFolder(t, filepath.Join(dir, "in"))
	o := allDedups
	o.Recipe, o.Tokens, o.Formats, o.Refused = withPlug[:2], "hash", []string{Parquet, JSONL}, true
	types := map[string]schemas.ValueType{"edu": schemas.TypeFloat, "words": schemas.TypeInteger}
	for _, path := range []string{"quality.words", "custom.edu", "custom.words", "entities.text", "status"} {
		c, err := NewColumn(path, types)
		if err != nil {
			t.Fatal(err)
		}
		o.Columns = append(o.Columns, c)
	}
	if err := CheckColumns(o.Columns); err != nil {
		t.Fatal(err)
	}
	s := scored(t, filepath.Join(dir, "out"), o)
	m := makeCorpus(t, s, []holdings.Part{unitOf(t, in, docs)})
	var lines []map[string]any
	for _, file := range m.Files {
		if strings.HasSuffix(file.Name, ".jsonl.zst") && !strings.Contains(file.Name, "hosts") {
			lines = append(lines, readMaps(t, s, file.Name)...)
		}
	}
	seen := 0
	for _, r := range lines {
		got, err := json.Marshal([]any{r["quality_words"], r["edu"], r["words"], r["entities_text"], r["tokens"] != 0.})
		if err != nil {
			t.Fatal(err)
		}
		want := `[null,null,120,null,true]`
		switch url := r["url"].(string); {
		case strings.HasSuffix(url, "/4"):
			want = `[7,0.5,120,["Ann","Bob"],true]`
		case r["reason"] == "urls/blocked":
			want = `[null,null,null,null,true]`
		case r["reason"] == "plug/failed":
			want = `[null,null,null,null,true]`
		}
		if seen++; string(got) != want {
			t.Errorf("%s %v: %s, want %s", r["url"], r["reason"], got, want)
		}
	}
	if seen != 20 {
		t.Errorf("%d documents were seen, want 20", seen)
	}
}

func TestNewColumn_refuses(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"nothing", "unknown field"}, {"quality", "name one of them, such as quality."}, {"custom", "custom.price"},
	} {
		if _, err := NewColumn(tt.path, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.path, err, tt.want)
		}
	}
	if err := CheckColumns([]Column{{Path: "custom.text", Name: "text"}}); err == nil {
		t.Error("a second column text is not refused")
	}
}

func readMaps(t *testing.T, s *Steps, name string) (list []map[string]any) {
	t.Helper()
	err := eachMap(s, name, func(m map[string]any) { list = append(list, m) })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func eachMap(s *Steps, name string, do func(map[string]any)) (err error) {
	in, err := s.Out.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := jsonl.NewReader(in)
	if err != nil {
		return err
	}
	for line, err := range r.All() {
		var m map[string]any
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		if err != nil {
			return err
		}
		do(m)
	}
	return nil
}

// TestScores: a second corpus with other limits asks the plug for nothing that the first one asked, and is the same as
// without scores. Another version, and other texts, are asked again. Failures are too.
func TestScores(t *testing.T) {
	docs := documents(40)
	dir := t.TempDir()
	unit := unitOf(t, newFolder(t, filepath.Join(dir, "in")), docs)
	asked := 0
	run := func(name, scores, version string, least int, before ...filter.Step) Manifest {
		o := allDedups
		o.Columns = []Column{{Path: "custom_integers.words", Name: "words", Type: schemas.TypeInteger}}
		o.Recipe = append(before, filter.Step{Name: "plug", Settings: filter.Settings{Lists: map[string][]string{
			"command": {"count"}, filter.PlugName: {"words"}, filter.PlugColumns: {"words:integer"},
			filter.PlugVersion: {version},
		}}}, filter.Step{Name: "where", Settings: list("filter", fmt.Sprint("custom.words > ", least))})
		s := scored(t, filepath.Join(dir, name), o)
		if scores != "" {
			s.Scores = newFolder(t, filepath.Join(dir, scores))
		}
		plug := s.Tools.Plug
		asked = 0
		s.Tools.Plug = func(command string) (filter.Score, error) {
			score, err := plug(command)
			return filter.Score{Batch: score.Batch, Set: func(documents []*schemas.Document, texts []string) []error {
				asked += len(documents)
				return score.Set(documents, texts)
			}}, err
		}
		return makeCorpus(t, s, []holdings.Part{unit})
	}
	cut := filter.Step{Name: "personal"}
	docs[3].Text += " a@example.org"
	unit = unitOf(t, newFolder(t, filepath.Join(dir, "in")), docs)
	for _, tt := range []struct {
		name, version string
		least, asked  int
		before        []filter.Step
	}{
		{"first", "1", 1000, 40, nil},
		{"limit", "1", 100, 1, nil}, // the one that the plug fails on
		{"edited", "1", 100, 2, []filter.Step{cut}},
		{"again", "1", 120, 1, []filter.Step{cut}},
		{"version", "2", 100, 40, nil},
	} {
		m := run(tt.name, "scores", tt.version, tt.least, tt.before...)
		if asked != tt.asked {
			t.Errorf("%s: the plug was asked for %d documents, want %d", tt.name, asked, tt.asked)
		}
		want := run(tt.name+" alone", "", tt.version, tt.least, tt.before...)
		if asked != 40 || fmt.Sprint(m.Files) != fmt.Sprint(want.Files) || fmt.Sprint(m.Funnel) != fmt.Sprint(want.Funnel) {
			t.Errorf("%s: %v, want %v", tt.name, m.Files, want.Files)
		}
	}
}
