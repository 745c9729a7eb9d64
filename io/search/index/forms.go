package index

import (
	"context"
	"database/sql"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/stem"
)

// formTerms remembers which terms of which language were added to the table form, which has each term whose stem is
// different from it. So a search for a word finds the terms with the same stem.
type formTerms struct {
	stemmers map[string]*stem.Stemmer
	seen     map[uint64]struct{} // hashes of language and term
	seed     maphash.Seed
}

// maxSeenForms limits the memory of a writer to some 20 MB. Later terms are only added again.
const maxSeenForms = 1 << 19

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

// isNew reports whether a term was not seen before.
func (f *formTerms) isNew(language string, term []byte) bool {
	var h maphash.Hash
	h.SetSeed(f.seed)
	_, _ = h.WriteString(language)
	_, _ = h.Write(term)
	hash := h.Sum64()
	if _, seen := f.seen[hash]; seen {
		return false
	}
	if f.seen == nil || len(f.seen) == maxSeenForms {
		f.seen = map[uint64]struct{}{}
	}
	f.seen[hash] = struct{}{}
	return true
}

// addForms adds the terms of the current text to the table form.
func (b *batch) addForms(ctx context.Context, language string) error {
	s := b.w.forms.of(language)
	if s == nil {
		return nil
	}
	for term := range b.terms.all() {
		if string(term[:1]) == titleMark {
			continue
		}
		if err := b.form(ctx, language, s, term); err != nil {
			return err
		}
	}
	return nil
}

// form adds a term of a text to the table form.
func (b *batch) form(ctx context.Context, language string, s *stem.Stemmer, term []byte) error {
	if !b.w.forms.isNew(language, term) {
		return nil
	}
	root := s.Stem(string(term))
	if root == "" || root == string(term) {
		return nil
	}
	rest := restOf(root, string(term))
	b.termBytes += int64(len(root) + len(rest))
	_, err := b.w.execText(ctx, "insert or ignore into form values(?, ?, ?)", language, root, rest)
	return err
}

// wholeTerm begins the stored form of a term that does not begin with its stem. It is not a letter.
const wholeTerm = "="

// restOf returns a term as the table form stores it: what follows the stem.
func restOf(root, term string) string {
	if rest, is := strings.CutPrefix(term, root); is {
		return rest
	}
	return wholeTerm + term
}

// termOf is the inverse of restOf.
func termOf(root, rest string) string {
	if term, is := strings.CutPrefix(rest, wholeTerm); is {
		return term
	}
	return root + rest
}

// withForms returns the versions whose text has all words of a search, or other forms of them in the version's
// language. It must not be changed.
func (s *snapshot) withForms(ctx context.Context, t *query.Text) (*roaring.Bitmap, error) {
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

// addForms adds the versions of each language that have forms.
func (s *snapshot) addForms(ctx context.Context, t *query.Text, exact *roaring.Bitmap) (*roaring.Bitmap, error) {
	matches, err := s.formMatches(ctx, t)
	if err != nil {
		return nil, err
	}
	set := exact
	for _, match := range slices.Sorted(maps.Keys(matches)) {
		texts, err := parseListed(s.text.QueryRowContext(ctx, "select group_concat(rowid) from doc where doc match ?", match))
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

// formMatch returns a search for texts of a language that have another form of at least one word, and all words in
// some form, or "" if there are no other forms.
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
func (s *snapshot) formsOf(ctx context.Context, stemmer *stem.Stemmer, language, root string) (list []string,
	err error,
) {
	// The table has no terms that are their own stems.
	if stemmer.Stem(root) == root {
		list = append(list, root)
	}
	err = each(ctx, s.text, func(rows *sql.Rows) error {
		var rest string
		err := rows.Scan(&rest)
		list = append(list, termOf(root, rest))
		return err
	}, "select rest from form where language = ? and stem = ?", language, root)
	return list, err
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
	type form struct{ language, root, rest string }
	var gone []form
	var last form
	for more := true; more; {
		more = false
		var page []form
		err := each(ctx, db, func(rows *sql.Rows) error {
			var f form
			err := rows.Scan(&f.language, &f.root, &f.rest)
			page = append(page, f)
			return err
		}, `select language, stem, rest from form where (language, stem, rest) > (?, ?, ?) order by language, stem, rest
			limit 10000`, last.language, last.root, last.rest)
		if err != nil {
			return err
		}
		for _, f := range page {
			last, more = f, true
			var n int
			match := matchOf(key, &query.Text{Terms: []string{termOf(f.root, f.rest)}})
			err := db.QueryRowContext(ctx, "select count(*) from (select 1 from doc where doc match ? limit 1)", match).Scan(&n)
			if err != nil {
				return err
			}
			if n == 0 {
				gone = append(gone, f)
			}
		}
	}
	for _, f := range gone {
		_, err := db.ExecContext(ctx, "delete from form where language = ? and stem = ? and rest = ?", f.language, f.root,
			f.rest)
		if err != nil {
			return err
		}
	}
	return nil
}
