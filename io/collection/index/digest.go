package index

import (
	"context"
	"crypto/sha256"

	"github.com/gleaner-web/gleaner/schemas"
)

// digest is what a text and its title are known by: 128 bits of a SHA-256, so that nobody can make two texts that are
// taken for one.
type digest [16]byte

// maxKnown bounds the texts that a writer remembers, which take some 20 MB, and the pages, some 30 MB.
const maxKnown = 1 << 19

// remember notes something of a writer's by its digest. Captures of one page, and pages of one title without a text,
// come again and again: to ask for each took a sixth of all time, in text.db as in index.db.
func remember[T any](m *map[digest]T, hash digest, what T) {
	if *m == nil || len(*m) == maxKnown {
		// All are forgotten when there are too many, as names are.
		*m = map[digest]T{}
	}
	(*m)[hash] = what
}

// text finds the number of the text that a document and perhaps others have, or adds it; 0 for none.
func (b *batch) text(ctx context.Context, id uint32, d *schemas.Document) (uint32, error) {
	if d.Title == "" && d.Text == "" {
		return 0, nil
	}
	// Of title and text together: versions that differ in the title alone have two texts.
	hash := textHash(d)
	if known := b.w.texts[hash]; known != 0 {
		return known, nil
	}
	// Most texts are new, so they are not looked for first: a statement is a fifth of what a text takes.
	r, err := b.w.execText(ctx, "insert or ignore into digest values(?, ?)", hash[:], id)
	if err != nil {
		return 0, err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return b.knownText(ctx, hash, err)
	}
	// Terms of both as one set: a word counts once, wherever it stands.
	b.terms.reset()
	for _, term := range b.scanner.Index(d.Title) {
		b.terms.add(term)
		b.mark = append(append(b.mark[:0], titleMark...), term...)
		b.terms.add(b.mark)
	}
	for _, term := range b.scanner.Index(d.Text) {
		b.terms.add(term)
	}
	// Nothing to search for, as in a text of punctuation alone: it counts as none.
	if len(b.terms.text) == 0 {
		_, err = b.w.execText(ctx, "delete from digest where hash = ?", hash[:])
		return 0, err
	}
	// What FTS5 has to hold for it, which bounds a group: see groupTerms. Endings aside, since it holds a term once.
	b.termBytes += int64(len(b.terms.text) - endingBytes*len(b.terms.used))
	_, err = b.w.execText(ctx, "insert into doc(rowid, terms) values(?, ?)", id, string(b.terms.text))
	if err == nil {
		remember(&b.w.texts, hash, id)
	}
	return id, err
}

// knownText is the number of a text that is there, unless finding that out failed.
func (b *batch) knownText(ctx context.Context, hash digest, failed error) (uint32, error) {
	if failed != nil {
		return 0, failed
	}
	var known int64
	_, err := first(ctx, b.w.textTx, b.w.ft, []any{&known}, "select text from digest where hash = ?", []any{hash[:]})
	if err == nil {
		remember(&b.w.texts, hash, uint32(known))
	}
	return uint32(known), err
}

func textHash(d *schemas.Document) digest {
	h := sha256.New()
	h.Write([]byte(d.Title)) // a hash never fails to write
	// Between the two, so that no title can be taken for the beginning of a text.
	h.Write([]byte{0})
	h.Write([]byte(d.Text))
	return digest(h.Sum(nil)[:len(digest{})])
}

func surtHash(surt string) digest {
	sum := sha256.Sum256([]byte(surt))
	return digest(sum[:len(digest{})])
}
