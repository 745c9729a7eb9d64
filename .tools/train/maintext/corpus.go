package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/maintext/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// sample is a page of a corpus with its labels.
type sample struct {
	Set     string // "wcxb", "trafilatura", "readability", "chinese", "cleaneval", "gn1", "dragnet", "feeds"
	ID      string // name of the page in the set
	URL     string
	Host    string // pages of one host are in one fold
	Type    string // "" if not labelled
	Text    string // the main text; "" if the set has snippets instead
	With    []string
	Without []string
	file    string
	markup  []byte // source of Text, if the set has markup
	body    []byte // replaces file, for files of many pages
	taught  string // the main text by the teacher, if the set has snippets: see teach
}

// raw returns the page as served.
func (s *sample) raw() ([]byte, error) {
	if s.body != nil {
		return s.body, nil
	}
	return read(s.file)
}

// html returns the page as UTF-8.
func (s *sample) html() ([]byte, error) {
	body, err := s.raw()
	if err != nil {
		return nil, err
	}
	r := charset.Detect(body, "text/html", charset.Options{})
	text, _, err := charset.Decode(body, r.Name)
	return text, err
}

// page returns the page whose blocks are scored.
func (s *sample) page(r *page.Parser) (*page.Page, error) {
	src, err := s.html()
	if err != nil {
		return nil, err
	}
	p := r.Parse(src, page.Options{URL: s.URL})
	if inner := score.Noscript(p); inner != nil {
		p = inner
	}
	return p, nil
}

// sets are the corpora by name.
var sets = []struct {
	name string
	read func(dir string) ([]sample, error)
}{
	{"wcxb", wcxb},
	{"trafilatura", trafilaturaHalf},
	{"readability", readability},
	{"chinese", chinese},
	{cleanEval, cleaning(cleanEval)},
	{"gn1", cleaning("gn1")},
	{"dragnet", cleaning("dragnet")},
	{feeds, feedTexts},
}

// feeds and cleanEval are sets for evaluation only: no model learns from them.
const (
	feeds     = "feeds"
	cleanEval = "cleaneval"
)

// corpus reads all sets below dir.
func corpus(dir string) ([]sample, error) {
	var all []sample
	for _, set := range sets {
		samples, err := set.read(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.name, err)
		}
		for _, s := range samples {
			s.Set = set.name
			s.Host = cleanHost(s.Host, s.URL)
			if s.Type = cmp.Or(s.Type, otherTypes[s.ID]); set.name != cleanEval {
				s.Type = cmp.Or(s.Type, "article")
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// cleanHost returns the host that groups pages.
func cleanHost(host, ref string) string {
	if u, err := url.Parse(ref); err == nil && u.Host != "" {
		host = u.Hostname()
	}
	return strings.TrimPrefix(strings.ToLower(host), "www.")
}

func wcxb(dir string) ([]sample, error) {
	dir = filepath.Join(dir, "wcxb-dev")
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	if err != nil {
		return nil, err
	}
	var samples []sample
	for _, f := range files {
		var truth struct {
			URL   string
			Truth struct {
				Text    string `json:"main_content"`
				With    []string
				Without []string
			} `json:"ground_truth"`
			Internal struct {
				Type struct{ Primary string } `json:"page_type"`
			} `json:"_internal"`
		}
		if err := readJSON(f, &truth); err != nil {
			return nil, err
		}
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		samples = append(samples, sample{
			ID: id, URL: truth.URL, Type: truth.Internal.Type.Primary, Text: truth.Truth.Text,
			file: filepath.Join(dir, "html", id+".html.gz"),
		})
	}
	return samples, nil
}

func trafilaturaHalf(dir string) ([]sample, error) {
	dir = filepath.Join(dir, "trafilatura-half")
	var pages map[string]struct {
		File    string
		With    []string
		Without []string
	}
	if err := readJSON(filepath.Join(dir, "evaldata.json"), &pages); err != nil {
		return nil, err
	}
	var samples []sample
	for ref, p := range pages {
		samples = append(samples, sample{
			ID: ref, URL: ref, With: p.With, Without: p.Without, file: filepath.Join(dir, "html", p.File+".gz"),
		})
	}
	sortByID(samples)
	return samples, nil
}

func readability(dir string) ([]sample, error) {
	files, err := filepath.Glob(filepath.Join(dir, "readability", "*", "expected.html.gz"))
	if err != nil {
		return nil, err
	}
	var samples []sample
	for _, f := range files {
		expected, err := read(f)
		if err != nil {
			return nil, err
		}
		p := page.Parse(expected, page.Options{})
		folder := filepath.Dir(f)
		samples = append(samples, sample{
			ID: filepath.Base(folder), Host: filepath.Base(folder), Text: string(p.Text), markup: expected,
			file: filepath.Join(folder, "source.html.gz"),
		})
	}
	return samples, nil
}

func chinese(dir string) ([]sample, error) {
	files, err := filepath.Glob(filepath.Join(dir, "chinese", "original", "*"))
	if err != nil {
		return nil, err
	}
	var samples []sample
	for _, f := range files {
		id, _, _ := strings.Cut(filepath.Base(f), ".")
		text, err := read(filepath.Join(dir, "chinese", "cleaned", id+".txt"))
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{ID: id, Host: id, Text: string(text), file: f})
	}
	return samples, nil
}

func readJSON(file string, v any) error {
	b, err := read(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// read returns a file's bytes, decompressed if its name ends in .gz.
func read(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return b, err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return io.ReadAll(r)
}

// feedTexts reads pages whose feed has the whole text.
func feedTexts(dir string) ([]sample, error) {
	file := filepath.Join(dir, "feed-texts", "pages.jsonl.gz")
	b, err := read(file)
	if err != nil {
		return nil, err
	}
	var samples []sample
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var p struct{ URL, HTML, Truth string }
		if err := d.Decode(&p); err == io.EOF {
			return samples, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		samples = append(samples, sample{ID: p.URL, URL: p.URL, Text: p.Truth, body: []byte(p.HTML)})
	}
}

// otherTypes are the types of pages that are not articles in sets of articles. A model that had seen none of their
// host was sure of another type; then people checked each one.
var otherTypes = map[string]string{
	"http://www.mueritzurlauber.de/blockhaus-typ-3/":                                            "product",
	"http://www.netbits.us/docs/stunnel_rsync.html":                                             "documentation",
	"http://www.villacc.de/ferienvilla/119/Villa-Galaxy":                                        "product",
	"https://de.happycoffee.org/collections/shop/products/happy-coffee-sidamo-bio-kaffeebohnen": "product",
	"https://github.com/golemfactory/yapapi":                                                    "documentation",
	"https://harrypotter.fandom.com/wiki/Water-Making_Spell":                                    "documentation",
	"https://www.lavazza.de/de/kaffee/gemahlener-kaffee/qualita-oro-250-g.html":                 "product",

	"https://www.smava.de/privatkredit/privatkredit-zinsen/":                  "service",
	"https://www.travanto.de/ferienhaus/lierfeld/40222/ferienhaus-feinen.php": "product",
	"https://www.zooroyal.de/trixie-natura-kleintierstall-mit-freilaufgehege": "product",

	"https://german.stackexchange.com/questions/10376/" +
		"when-to-use-wurde-versus-war-eg-ich-wurde-ausgeraubt-vs-ich-war-ausgerau": "forum",
	"https://villagersandheroes.com/forums/threads/patchnotes-4-47-4-tagundnachtgleiche-bugfix-build.3976/": "forum",
	"https://www.katzen-forum.net/threads/jede-nacht-verliert-pepe-soviel-dreck-aus-dem-fell.230143/":       "forum",
	"https://www.mactechnews.de/forum/discussion/" +
		"kein-App-Store-mehr-ueber-Mobile-Daten-mit-iOS-13--338679.html.html": "forum",
	"https://www.pocketpc.ch/windows-phone-7-allgemein/" +
		"122760-microsoft-beginnt-auslieferung-vorbereitungsupdate-34.html": "forum",

	"mercurial": "documentation",
	"mozilla-1": "service",
	"mozilla-2": "service",
	"nytimes-5": "listing",
}
