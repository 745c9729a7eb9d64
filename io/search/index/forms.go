package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/stem"
)

// formTerms collects the terms of each language, so that a search for a word finds the terms with the same stem. A row
// of the table form has those of a language whose stems begin with the same letters.
type formTerms struct {
	stemmers map[string]*stem.Stemmer
	seen     []uint64 // hashes of language and term, in pairs of slots
	seed     maphash.Seed
	fresh    map[formKey][]string // terms that are not written yet
	waiting  int                  // their number
}

// formKey is the key of a row of the table form: a language, and the first letters of stems.
type formKey struct{ language, begin string }

// formLetters is the number of letters: a row has some hundred terms at most, and rows are few.
const formLetters = 3

func newFormKey(language, root string) formKey {
	n := 0
	for i := range root {
		if n++; n > formLetters {
			return formKey{language, root[:i]}
		}
	}
	return formKey{language, root}
}

// These limit the memory of a writer to some 30 MB. Terms that are forgotten are only added again.
const (
	seenSlots     = 1 << 20
	maxFreshForms = 1 << 17
)

// of returns the stemmer of a language, or nil.
func (f *formTerms) of(language string) *stem.Stemmer {
	if !stem.Known(language) {
		return nil
	}
	if f.stemmers == nil {
		f.stemmers, f.seed = map[string]*stem.Stemmer{}, maphash.MakeSeed()
	}
	if f.stemmers[language] == nil {
		f.stemmers[language] = stem.New(language)
	}
	return f.stemmers[language]
}

// forget drops all terms: those that are not written belong to no text any more.
func (f *formTerms) forget() { f.seen, f.fresh, f.waiting = nil, nil, 0 }

// isNew reports whether a hash was not seen before, or not lately. A slot costs one access to memory; a map took a
// tenth of all time.
func (f *formTerms) isNew(hash uint64) bool {
	if f.seen == nil {
		f.seen = make([]uint64, seenSlots)
	}
	pair := (*[2]uint64)(f.seen[hash%seenSlots&^1:])
	if pair[0] == hash {
		return false
	}
	// The latest comes first, and the older one is forgotten.
	isNew := pair[1] != hash
	pair[0], pair[1] = hash, pair[0]
	return isNew
}

// add notes a term, unless it is its own stem or has none.
func (f *formTerms) add(language string, s *stem.Stemmer, term []byte) {
	root := s.Stem(string(term))
	if root == "" || root == string(term) {
		return
	}
	if f.fresh == nil {
		f.fresh = map[formKey][]string{}
	}
	key := newFormKey(language, root)
	f.fresh[key] = append(f.fresh[key], string(term))
	f.waiting++
}

// addForms notes the terms of the current text, and writes the noted ones if there are many.
func (b *batch) addForms(ctx context.Context, language string) error {
	s := b.w.forms.of(language)
	if s == nil {
		return nil
	}
	of := maphash.String(b.w.forms.seed, language)
	for hash, term := range b.terms.all() {
		if string(term[:1]) != titleMark && b.w.forms.isNew(hash^of) {
			b.w.forms.add(language, s, term)
		}
	}
	if b.w.forms.waiting < maxFreshForms {
		return nil
	}
	return b.w.writeForms(ctx)
}

// writeForms adds the noted terms to the table form.
func (w *writer) writeForms(ctx context.Context) error {
	for key, terms := range w.forms.fresh {
		var data []byte
		_, err := first(ctx, w.textTx, w.ft, []any{&data}, "select terms from form where language = ? and begin = ?",
			[]any{key.language, key.begin})
		if err != nil {
			return err
		}
		old, err := unpackTerms(data)
		if err != nil {
			return err
		}
		terms = append(old, terms...)
		slices.Sort(terms)
		_, err = w.execText(ctx, "insert or replace into form values(?, ?, ?)", key.language, key.begin,
			packTerms(slices.Compact(terms)))
		if err != nil {
			return err
		}
	}
	w.forms.fresh, w.forms.waiting = nil, 0
	return nil
}

// packTerms packs sorted terms: for each, the number of bytes that it shares with the one before, the number of others,
// and these. Terms are short: see package stem.
func packTerms(terms []string) []byte {
	var data []byte
	last := ""
	for _, term := range terms {
		n := 0
		for n < len(term) && n < len(last) && n < maxShared && term[n] == last[n] {
			n++
		}
		rest := term[n:]
		// Both in a byte, which suffices for nearly all.
		if len(rest) < longRest {
			data = append(data, byte(n<<4|len(rest)))
		} else {
			data = append(data, byte(n<<4|longRest), byte(len(rest)))
		}
		data, last = append(data, rest...), term
	}
	return data
}

const maxShared, longRest = 15, 15

// unpackTerms is the inverse of packTerms.
func unpackTerms(data []byte) (terms []string, err error) {
	last := ""
	for len(data) > 0 {
		n, rest := int(data[0]>>4), int(data[0]&longRest)
		if data = data[1:]; rest == longRest && len(data) > 0 {
			rest, data = int(data[0]), data[1:]
		}
		if n > len(last) || rest > len(data) {
			return nil, fmt.Errorf("%w: the forms of words", ErrDamaged)
		}
		last = last[:n] + string(data[:rest])
		terms, data = append(terms, last), data[rest:]
	}
	return terms, nil
}

// withForms returns the versions whose text has all words of a search, or other forms of them in the version's
// language. It must not be changed.
func (s *snapshot) withForms(ctx context.Context, t *query.Text) (*roaring.Bitmap, error) {
	if t.Stems() && len(t.Terms) > 1 {
		return s.withEach(ctx, t.Terms)
	}
	exact, err := s.withTerms(ctx, t)
	if err != nil || !t.Stems() {
		return exact, err
	}
	match, err := s.match(ctx, t)
	if err != nil {
		return nil, err
	}
	return s.found.once(ctx, s.generation, "forms "+match, func() (*roaring.Bitmap, error) {
		return s.addForms(ctx, t, exact)
	})
}

// withEach is withForms for several words. Each is a search of its own, whose result is cached. One search for all
// forms would have their combinations in each language.
func (s *snapshot) withEach(ctx context.Context, terms []string) (set *roaring.Bitmap, err error) {
	for _, term := range terms {
		one, err := s.withForms(ctx, &query.Text{Terms: []string{term}})
		if err != nil {
			return nil, err
		}
		set = narrow(set, one)
	}
	return set, nil
}

// addForms adds the versions of each language that have forms.
func (s *snapshot) addForms(ctx context.Context, t *query.Text, exact *roaring.Bitmap) (*roaring.Bitmap, error) {
	matches, err := s.formMatches(ctx, t)
	if err != nil {
		return nil, err
	}
	set := exact
	for _, match := range slices.Sorted(maps.Keys(matches)) {
		texts, err := parseListed(s.text.QueryRowContext(ctx,
			"select group_concat(rowid) from doc where doc match ?", match))
		if err != nil {
			return nil, err
		}
		if texts.IsEmpty() {
			continue
		}
		versions, err := s.versionsOf(ctx, texts)
		if err != nil {
			return nil, err
		}
		of := roaring.New()
		for _, language := range matches[match] {
			bits, err := s.bitsOf(ctx, value{kindLanguage, language})
			if err != nil {
				return nil, err
			}
			of.Or(bits)
		}
		set = roaring.Or(set, roaring.And(versions, of))
	}
	return set, nil
}

// formMatches returns searches for texts that have other forms of a search's words, with the numbers of the languages
// that each is for. Languages without other forms have none.
func (s *snapshot) formMatches(ctx context.Context, t *query.Text) (map[string][]int64, error) {
	var languages []string
	ids, err := s.valuesThat(ctx, kindLanguage, func(language string) bool {
		if !stem.Known(language) {
			return false
		}
		languages = append(languages, language)
		return true
	})
	if err != nil {
		return nil, err
	}
	matches := map[string][]int64{}
	for i, language := range languages {
		match, err := s.formMatch(ctx, t, language)
		if err != nil {
			return nil, err
		}
		if match != "" {
			matches[match] = append(matches[match], ids[i])
		}
	}
	return matches, nil
}

// formMatch returns a search for texts of a language that have all words in some form, and one in another form.
// It returns "" if there are no other forms.
//
// The search is a disjunction: another form of the first word with any form of the others, and so on. Other forms are
// mostly rarer than the word, and so found quickly.
func (s *snapshot) formMatch(ctx context.Context, t *query.Text, language string) (string, error) {
	stemmer := stem.New(language)
	others := make([][]string, len(t.Terms))
	for _, form := range t.Forms(stemmer) {
		list, err := s.formsOf(ctx, stemmer, language, form.Stem)
		if err != nil {
			return "", err
		}
		others[form.Place] = slices.DeleteFunc(list, func(term string) bool { return term == t.Terms[form.Place] })
	}
	var either []string
	for i, list := range others {
		if len(list) == 0 {
			continue
		}
		parts := []string{s.anyOf(list)}
		for j, more := range others {
			if j != i {
				parts = append(parts, s.anyOf(append([]string{t.Terms[j]}, more...)))
			}
		}
		either = append(either, "("+strings.Join(parts, " AND ")+")")
	}
	return strings.Join(either, " OR "), nil
}

// anyOf returns a search for any of some terms.
func (s *snapshot) anyOf(terms []string) string {
	list := make([]string, len(terms))
	for i, term := range terms {
		list[i] = strings.TrimSpace(matchOf(s.key, &query.Text{Terms: []string{term}}))
	}
	return "(" + strings.Join(list, " OR ") + ")"
}

// formsOf returns the terms of a language that have a stem.
func (s *snapshot) formsOf(
	ctx context.Context, stemmer *stem.Stemmer, language, root string,
) (list []string, err error) {
	// The table has no terms that are their own stems.
	if stemmer.Stem(root) == root {
		list = append(list, root)
	}
	terms, err := readForms(ctx, s.text, newFormKey(language, root))
	for _, term := range terms {
		if stemmer.Stem(term) == root {
			list = append(list, term)
		}
	}
	return list, err
}

// readForms returns the terms of a row of the table form.
func readForms(ctx context.Context, db asker, key formKey) ([]string, error) {
	var data []byte
	err := db.QueryRowContext(ctx, "select terms from form where language = ? and begin = ?", key.language, key.begin).
		Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	return unpackTerms(data)
}

// hasForms reports whether the table form has those of some terms that belong there.
func (s *snapshot) hasForms(ctx context.Context, language string, terms []string) (bool, error) {
	stemmer := stem.New(language)
	if stemmer == nil {
		return true, nil
	}
	for _, term := range terms {
		root := stemmer.Stem(term) // none of a marked term
		if root == "" {
			continue
		}
		list, err := s.formsOf(ctx, stemmer, language, root)
		if err != nil || term != root && !slices.Contains(list, term) {
			return false, err
		}
	}
	return true, nil
}

// dropForms removes forms whose term is in no text any more.
func dropForms(ctx context.Context, db *sql.DB) error {
	key, err := readTermKey(ctx, db)
	if err != nil {
		return err
	}
	var rows []formKey
	err = each(ctx, db, func(r *sql.Rows) error {
		var k formKey
		err := r.Scan(&k.language, &k.begin)
		rows = append(rows, k)
		return err
	}, "select language, begin from form")
	for _, row := range rows {
		if err == nil {
			err = dropFormsOf(ctx, db, key, row)
		}
	}
	return err
}

func dropFormsOf(ctx context.Context, db *sql.DB, key *termKey, row formKey) error {
	terms, err := readForms(ctx, db, row)
	if err != nil {
		return err
	}
	all := len(terms)
	terms = slices.DeleteFunc(terms, func(term string) bool {
		var n int
		match := matchOf(key, &query.Text{Terms: []string{term}})
		failed := db.QueryRowContext(ctx, "select count(*) from (select 1 from doc where doc match ? limit 1)", match).
			Scan(&n)
		err = errors.Join(err, failed)
		return n == 0 && failed == nil
	})
	switch {
	case err != nil || len(terms) == all:
	case len(terms) == 0:
		_, err = db.ExecContext(ctx, "delete from form where language = ? and begin = ?", row.language, row.begin)
	default:
		_, err = db.ExecContext(ctx, "update form set terms = ? where language = ? and begin = ?", packTerms(terms),
			row.language, row.begin)
	}
	return explain(err)
}
