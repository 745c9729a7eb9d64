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

// textSeen is a text: its number, and how well it fits by its length.
type textSeen struct {
	id  uint32
	fit uint8
}

// text finds the text that a document and perhaps others have, or adds it; the number 0 for none.
func (b *batch) text(ctx context.Context, id uint32, d *schemas.Document) (t textSeen, err error) {
	if d.Title == "" && d.Text == "" {
		return t, nil
	}
	// Of title and text together: versions that differ in the title alone have two texts.
	hash := textHash(d)
	if known := b.w.texts[hash]; known.id != 0 {
		return known, nil
	}
	// Most texts are new, so they are not looked for first: a statement is a fifth of what a text takes.
	r, err := b.w.execText(ctx, "insert or ignore into digest values(?, ?)", hash[:], id)
	if err != nil {
		return t, err
	}
	// Terms of both as one set: a word counts once, wherever it stands.
	b.terms.reset()
	for _, term := range b.scanner.Index(d.Title) {
		b.terms.add(term)
		b.mark = append(append(b.mark[:0], titleMark...), term...)
		b.terms.add(b.mark)
	}
	marks := len(b.terms.used) / 2
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return b.knownText(ctx, hash, marks, err)
	}
	for _, term := range b.scanner.Index(d.Text) {
		b.terms.add(term)
	}
	// Nothing to search for, as in a text of punctuation alone: it counts as none.
	if len(b.terms.text) == 0 {
		_, err = b.w.execText(ctx, "delete from digest where hash = ?", hash[:])
		return t, err
	}
	// What FTS5 has to hold for it, which bounds a group: see groupTerms. Endings aside, since it holds a term once.
	b.termBytes += int64(len(b.terms.text) - endingBytes*len(b.terms.used))
	_, err = b.w.execText(ctx, "insert into doc(rowid, terms) values(?, ?)", id, string(b.terms.text))
	t = textSeen{id, lengthScore(len(b.terms.used) - marks)}
	if err == nil {
		remember(&b.w.texts, hash, t)
	}
	return t, err
}

// knownText is a text that is there, unless finding that out failed. So many of its terms are marks of its title's.
func (b *batch) knownText(ctx context.Context, hash digest, marks int, failed error) (t textSeen, err error) {
	if failed != nil {
		return t, failed
	}
	var size []byte
	found, err := first(ctx, b.w.textTx, b.w.ft, []any{&t.id, &size},
		"select d.text, z.sz from digest d join doc_docsize z on z.id = d.text where d.hash = ?", []any{hash[:]})
	if err != nil || !found {
		return t, err
	}
	t.fit = lengthScore(int(varint(size)) - marks)
	remember(&b.w.texts, hash, t)
	return t, nil
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
