package index

import (
	"context"
	"crypto/sha256"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/stem"
)

// digest identifies a text with its title: 128 bits of a SHA-256, so that nobody can make two texts collide.
type digest [16]byte

// maxKnown limits the texts and pages that a writer remembers, which take some 20 MB and 30 MB.
const maxKnown = 1 << 19

// remember caches a result by digest. Captures of a page, and pages of one title without a text, repeat often: querying
// the databases for each took a sixth of all time.
func remember[T any](m *map[digest]T, hash digest, what T) {
	if *m == nil || len(*m) == maxKnown {
		// All are dropped when there are too many, like names.
		*m = map[digest]T{}
	}
	(*m)[hash] = what
}

// textSeen is a text: its number, and its length score.
type textSeen struct {
	id  uint32
	fit uint8
}

// text finds or adds the text of a document, which others may share. Number 0 means no text.
func (b *batch) text(ctx context.Context, id uint32, d *schemas.Document) (t textSeen, err error) {
	if d.Title == "" && d.Text == "" {
		return t, nil
	}
	// Of title and text together: versions that differ only in the title have two texts.
	hash := textHash(d)
	if known := b.w.texts[hash]; known.id != 0 {
		return known, nil
	}
	// Most texts are new, so they are not looked up first: a statement is a fifth of a text's cost.
	r, err := b.w.execText(ctx, "insert or ignore into digest values(?, ?)", hash[:], id)
	if err != nil {
		return t, err
	}
	// Terms of both as one set: a word counts once.
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
	if err := b.addForms(ctx, d.Language); err != nil {
		return t, err
	}
	// No terms, as in a text of punctuation, count as no text.
	if len(b.terms.text) == 0 {
		_, err = b.w.execText(ctx, "delete from digest where hash = ?", hash[:])
		return t, err
	}
	// The size in FTS5, which limits a group: see groupTerms. Without endings, because it holds a term once.
	b.termBytes += int64(len(b.terms.text) - endingBytes*len(b.terms.used))
	_, err = b.w.execText(ctx, "insert into doc(rowid, terms) values(?, ?)", id, string(b.terms.text))
	t = textSeen{id, lengthScore(len(b.terms.used) - marks)}
	if err == nil {
		remember(&b.w.texts, hash, t)
	}
	return t, err
}

// knownText returns an existing text, unless finding it failed. marks is how many of its terms are marks of its
// title's.
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
	h.Write([]byte(d.Title))
	// A separator, so that a title cannot pass for the beginning of a text.
	h.Write([]byte{0})
	h.Write([]byte(d.Text))
	// Terms have forms by the language, so a text in two languages is two texts.
	if stem.Known(d.Language) {
		h.Write([]byte{0})
		h.Write([]byte(d.Language))
	}
	return digest(h.Sum(nil)[:len(digest{})])
}

func surtHash(surt string) digest {
	sum := sha256.Sum256([]byte(surt))
	return digest(sum[:len(digest{})])
}
