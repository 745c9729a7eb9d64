package score

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// card is the description of the built-in model in model.json.
type card struct {
	Features, Model string
	Figures         []string `json:"cross_validation"`
}

func readCard(t *testing.T) (c card) {
	t.Helper()
	b, err := os.ReadFile("model.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestModel_wasTrainedOnTheseFeatures(t *testing.T) {
	c := readCard(t)
	if got := Fingerprint(); got != c.Features {
		t.Errorf("features have the fingerprint %s, the model was trained on %s: run .tools/train/maintext/train.py", got,
			c.Features)
	}
	sum := sha256.Sum256(modelBytes)
	if got := hex.EncodeToString(sum[:]); got != c.Model {
		t.Errorf("model.bin has the digest %s, model.json tells of %s: run .tools/train/maintext/train.py", got, c.Model)
	}
}

// TestModel_isGoodEnough compares with go-trafilatura 1.12.2 on the same pages. The model's figures are those of
// cross-validation, on pages whose hosts it has not seen.
func TestModel_isGoodEnough(t *testing.T) {
	figure := regexp.MustCompile(`^(.*?) +\d+ pages  \w+ ([0-9.]+)`)
	got := map[string]float64{}
	for _, line := range readCard(t).Figures {
		if m := figure.FindStringSubmatch(line); m != nil {
			got[m[1]], _ = strconv.ParseFloat(m[2], 64) // a value that is not a number becomes 0, which is too low
		}
	}
	for name, least := range map[string]float64{
		"wcxb": 0.855, "wcxb article": 0.938, "wcxb collection": 0.575, "wcxb documentation": 0.918, "wcxb forum": 0.572,
		"wcxb listing": 0.608, "wcxb product": 0.566, "wcxb service": 0.764, "trafilatura": 0.919, "chinese": 0.913,
		"readability": 0.9593,
	} {
		if got[name] < least {
			t.Errorf("%s: F1 %.4f, want %.3f or more", name, got[name], least)
		}
	}
}

func TestKindsAt(t *testing.T) {
	p := page.Parse([]byte("<p>a b c<p>d e f"), page.Options{})
	var r reader
	var c context
	r.read(p)
	c.read(&r, []float32{0.5, 0.25})
	if n := len(c.appendAround(c.appendScores(nil, 0), 0)); n != kindsAt {
		t.Errorf("the kinds stand at %d, want %d", n, kindsAt)
	}
}

// TestFeatures_fitTheModel compares the number of features with that of each forest.
func TestFeatures_fitTheModel(t *testing.T) {
	p := page.Parse([]byte(probe), page.Options{})
	var f Features
	kind, _, second := f.Second(p, make([]float32, len(p.Blocks)))
	m := Default()
	for _, tt := range []struct {
		name      string
		got, want int
	}{
		{"first", len(f.First(p)), m.first.features * len(p.Blocks)},
		{"kind", len(kind), m.kind.features},
		{"second", len(second), m.second.features * len(p.Blocks)},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d features, want %d", tt.name, tt.got, tt.want)
		}
	}
}

// nest returns p's groups as text: each with its blocks, in brackets.
func nest(l *layout) string {
	var b strings.Builder
	for i := range l.groups {
		g := &l.groups[i]
		b.WriteString(l.p.Name(int(g.node)) + ":" + strconv.Itoa(int(g.first)) + "-" + strconv.Itoa(int(g.last)) + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestLayout(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"one block", "<p>a", "html:0-1"},
		{"wrappers are one group", "<main><div><section><p>a<p>b</section></div></main>", "section:0-2"},
		{"groups in groups", "<div><p>a<p>b</div><ul><li>c<li>d</ul>", "body:0-4 div:0-2 ul:2-4"},
		{"text beside elements", "<div>a<p>b</p>c</div><p>d", "body:0-4 div:0-3"},
		{"a link around blocks", "<p>x</p><a href=/><div>a</div><div>b</div></a>", "body:0-3 a:1-3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l layout
			l.read(page.Parse([]byte("<body>"+tt.src), page.Options{}))
			if got := nest(&l); got != tt.want {
				t.Errorf("groups of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func TestCounter(t *testing.T) {
	var c counter
	for range 2 { // its memory is reused
		c.reset(100)
		for i := range uint64(100) {
			c.add(i * i % 50)
		}
		if a, b := c.count(0), c.count(3); a != 10 || b != 0 {
			t.Errorf("counts of 0 and 3 = %v, %v, want 10 and 0", a, b)
		}
	}
}

// TestForest_add compares rows side by side with rows one after another.
func TestForest_add(t *testing.T) {
	m := Default()
	var rows [batch]row
	var b rowBatch
	for k := range rows {
		for i := range rows[k] {
			rows[k][i] = float32((i*7+k*13)%11) - 3
			if sharedFirst[i] {
				rows[k][i] = 2
			}
		}
		b.set(k, rows[k][:])
	}
	var all flat // without shared features
	for i := range m.first.trees {
		all.add(&m.first.trees[i], &features{})
	}
	var got [batch]float32
	m.first.add(m.first.flat.remaining(nil, &rows[0]), &b, &got)
	for k := range rows {
		var want [1]float32
		all.addClasses(&rows[k], want[:])
		if math.Abs(float64(got[k]-want[0])) > 1e-4 {
			t.Errorf("row %d: %v, want %v", k, got[k], want[0])
		}
	}
}

// TestTree_parseRefusesTwoParents refuses nodes with several parents, since each such level would double the leaves.
func TestTree_parseRefusesTwoParents(t *testing.T) {
	split := func(left uint8) []byte { return []byte{0, 0, 0, 0, 0, left} }
	leaf := split(0)
	for name, tt := range map[string]struct {
		nodes [][]byte
		ok    bool
	}{
		"a tree":      {[][]byte{split(1), split(3), leaf, leaf, leaf}, true},
		"two parents": {[][]byte{split(1), split(3), split(3), leaf, leaf}, false},
		"an overlap":  {[][]byte{split(1), split(2), leaf, leaf}, false},
	} {
		b := append([]byte{uint8(len(tt.nodes))}, bytes.Join(tt.nodes, nil)...)
		if _, err := new(tree).parse(b, 1); (err == nil) != tt.ok {
			t.Errorf("%s: parse = %v, want none: %v", name, err, tt.ok)
		}
	}
}

func TestNoscript(t *testing.T) {
	post := "<p>" + strings.Repeat("some words of a post ", 20)
	tests := []struct {
		name, src string
		want      bool
	}{
		{"a page that shows nothing", "<p>Loading<noscript>" + post + "</noscript>", true},
		{"a page that shows its text", strings.Repeat(post, 2) + "<noscript>" + post + "</noscript>", false},
		{"menus and boxes beside it", strings.Repeat("<p><a href=/x>one of the labels here</a>", 40) + "<noscript>" + post +
			"</noscript>", true},
		{"a notice beside menus", strings.Repeat("<p><a href=/x>one of the labels here</a>", 40) + "<noscript><p>" +
			strings.Repeat("Please turn scripts on. ", 10) + "</noscript>", false},
		{"a frameset", "<frameset><frame src=a><noframes><body>" + post + "</body></noframes></frameset>", true},
		{"a notice", "<p>Loading<noscript><p>Turn scripts on</noscript>", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Noscript(page.Parse([]byte(tt.src), page.Options{})); (got != nil) != tt.want {
				t.Errorf("Noscript = %v", got)
			}
		})
	}
}

// TestNoscript_base: links in the markup have the base of the page.
func TestNoscript_base(t *testing.T) {
	post := "<p><a href=a.html>a</a> " + strings.Repeat("some words of a post ", 20)
	for _, tt := range []struct{ name, src, want string }{
		{"frames", `<base href="http://foo.example/old/"><frameset><noframes>` + post, "http://foo.example/old/a.html"},
		{"noscript", `<base href="http://foo.example/old/"><p><noscript>` + post, "http://foo.example/old/a.html"},
		{"relative", `<base href="../y/"><p><noscript>` + post, "http://mirror.example/y/a.html"},
		{"without", `<p><noscript>` + post, "http://mirror.example/x/a.html"},
	} {
		p := page.Parse([]byte(tt.src), page.Options{URL: "http://mirror.example/x/"})
		inner := Noscript(p)
		if inner == nil || inner.URL != p.URL || inner.Resolve("a.html") != tt.want {
			t.Errorf("%s: %v, want the link %s", tt.name, inner, tt.want)
		}
	}
}

func FuzzParseModel(f *testing.F) {
	f.Add(modelBytes[:min(len(modelBytes), 4000)])
	f.Add([]byte(magic + "\x01\x00\x01\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00"))
	p := page.Parse([]byte(probe), page.Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseModel(b)
		if err != nil {
			return
		}
		var s Scorer
		s.Score(m, p)
	})
}

// TestReader_weigh compares the features of words with those made from single terms, as the trainer sees them. For
// words, terms of groups and headings are added up only once.
func TestReader_weigh(t *testing.T) {
	p := page.Parse([]byte(probe), page.Options{URL: "https://blog.example.org/2020/on-bees"})
	w := &Default().words
	sums, counts := make([][Fields]int32, len(p.Blocks)), make([][Fields]int32, len(p.Blocks))
	var f Features
	f.Terms(p, func(block int, slot uint32, field int) {
		sums[block][field] += int32(w.Weights[slot])
		counts[block][field]++
	})
	var r reader
	r.read(p)
	r.weigher.use(w)
	for i := range p.Blocks {
		if got, want := r.appendWords(nil, int32(i)), WordFeatures(&sums[i], &counts[i], w.Scale); !slices.Equal(got, want) {
			t.Errorf("block %d: %v, want %v", i, got, want)
		}
	}
}

func TestAppendWordsOfNames(t *testing.T) {
	words := func(names string) []uint32 { return appendWordsOfNames(nil, []byte(names), 12) }
	post, body := hash32("post"), hash32("body")
	for _, names := range []string{"post-body", "postBody", "post_body", "post2body", "POST--body x"} {
		if got, want := words(names), []uint32{post, body, pair(post, body)}; !slices.Equal(got, want) {
			t.Errorf("words of %q = %x, want %x", names, got, want)
		}
	}
	if got, want := words("post body"), []uint32{post, body}; !slices.Equal(got, want) {
		t.Errorf("words of two names = %x, want %x", got, want)
	}
}
