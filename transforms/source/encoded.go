package source

import (
	"encoding/binary"
	"fmt"
)

// EncodePage appends a page to b, in the form of states.
func EncodePage(b []byte, p Page) []byte {
	w := encoder{b: append(b, version)}
	w.page(p)
	return w.b
}

// DecodePage reads the output of EncodePage, all of b.
func DecodePage(b []byte) (Page, error) {
	r := newDecoder(b)
	if !r.known() {
		return Page{}, fmt.Errorf("%w of version %d", ErrState, version)
	}
	p := r.page()
	// Extra bytes do not belong to a page.
	if r.bad || len(r.b) > 0 {
		return Page{}, ErrState
	}
	return p, nil
}

// What follows reads parts of encoded pages, of which there are millions, without decoding them.

func openPage(b []byte) (decoder, error) {
	r := decoder{b: b}
	if !r.known() {
		return r, fmt.Errorf("%w of version %d", ErrState, version)
	}
	return r, nil
}

// hasVisits reports whether an encoded page has visits. Their list is at its end. An empty list is a zero byte, and the
// status at the end of another one is not zero.
func hasVisits(b []byte) bool { return b[len(b)-1] != 0 }

// JoinEncodedPages is JoinPages for the output of EncodePage. It decodes pages only if their times do not decide. The
// result may share memory with a or b.
func JoinEncodedPages(a, b []byte) ([]byte, error) {
	// Pages of an earlier version get the current form.
	if len(a) > 0 && len(b) > 0 && a[0] == version && b[0] == version && !hasVisits(a) && !hasVisits(b) {
		x, y := decoder{b: a[1:], version: version}, decoder{b: b[1:], version: version}
		x.hash()
		y.hash()
		s, t := x.int(), y.int()
		bare := (x.marks()|y.marks())&Bare != 0
		if s != t && !bare && !x.bad && !y.bad {
			if s > t {
				return a, nil
			}
			return b, nil
		}
	}
	x, err := DecodePage(a)
	if err != nil {
		return nil, err
	}
	y, err := DecodePage(b)
	if err != nil {
		return nil, err
	}
	return EncodePage(nil, JoinPages(x, y)), nil
}

// WalkPage passes the language and the names of an encoded page to tongue and name, without decoding the rest. The
// bytes are parts of b.
func WalkPage(b []byte, tongue func(language []byte, words int), name func(kind, text []byte)) error {
	r, err := openPage(b)
	if err != nil {
		return err
	}
	r.hash()
	r.int()
	r.marks()
	r.uint()
	words := r.small(1<<32 - 1)
	r.take(8 + 16) // Simhash and Signature
	r.passTexts(1)
	if language := r.take(int(r.small(maxText))); len(language) > 0 {
		tongue(language, int(words))
	}
	r.passTexts(4)
	r.int()
	r.take(8 + 8) // Redirect and Author
	if r.version > 2 {
		r.uint()
	}
	for range r.small(MaxNames) {
		kind := r.take(int(r.small(maxText)))
		name(kind, r.take(int(r.small(maxText))))
	}
	if r.version > 3 {
		r.fates()
	}
	if r.bad || len(r.b) > 0 {
		return ErrState
	}
	return nil
}

// FateOf is the time of an encoded page's last visit, or 0 without one.
func FateOf(b []byte) (int64, error) {
	if len(b) == 0 || !hasVisits(b) {
		return 0, nil
	}
	p, err := DecodePage(b)
	return lastOf(p.Visits), err
}

func lastOf(visits []Fetch) int64 {
	if len(visits) == 0 {
		return 0
	}
	return visits[0].Time
}

// AppendPageAt appends an encoded page to b under another link, without decoding the rest: see Page.At.
func AppendPageAt(b, page []byte, link uint64) ([]byte, error) {
	r, err := openPage(page)
	if err != nil {
		return nil, err
	}
	own := r.hash()
	r.int()
	marks := len(b) + len(page) - len(r.b) // offset of the marks
	r.marks()
	if r.bad {
		return nil, ErrState
	}
	// The link follows the version.
	b = append(b, page...)
	binary.LittleEndian.PutUint64(b[len(b)-len(page)+1:], link)
	// The marks that change are in the first byte, also if there are several.
	b[marks] = byte(Page{Link: own, Marks: PageMarks(b[marks])}.At(link).Marks)
	return b, nil
}

func LinkOf(b []byte) (uint64, error) {
	r, err := openPage(b)
	if err != nil {
		return 0, err
	}
	link := r.hash()
	if r.bad {
		return 0, ErrState
	}
	return link, nil
}

// TimeOf is the Time of an encoded page, without decoding the rest; 0 for an invalid one before 1970.
func TimeOf(b []byte) (int64, error) {
	r, err := openPage(b)
	if err != nil {
		return 0, err
	}
	r.hash()
	t := r.int()
	if r.bad {
		return 0, ErrState
	}
	return max(0, t), nil
}

// RedirectOf is the Redirect of an encoded page, without decoding the rest: most pages are skipped. It is unknown for a
// Bare page.
func RedirectOf(b []byte) (to uint64, known bool, err error) {
	r, err := openPage(b)
	if err != nil {
		return 0, false, err
	}
	link := r.hash()
	r.int()
	marks, status := r.marks(), r.uint()
	to = r.redirect()
	if r.bad {
		return 0, false, ErrState
	}
	if r.version < 4 && showedNothing(status, link, to) {
		return 0, false, nil
	}
	return to, marks&Bare == 0, nil
}

// redirect skips to the redirect of an encoded page after its status, and returns it.
func (r *decoder) redirect() uint64 {
	r.uint()
	r.take(8 + 16) // Simhash and Signature
	r.passTexts(6)
	r.int()
	return r.hash()
}

// IsFormMove reports whether an encoded page is only a redirect to another form of its own URL.
func IsFormMove(b []byte) (bool, error) {
	r, err := openPage(b)
	if err != nil {
		return false, err
	}
	link := r.hash()
	r.int()
	marks, status := r.marks(), r.uint()
	moved := status >= 300 && status < 400 && status != 304
	bare := marks&Bare != 0
	// Pages of earlier versions have no mark.
	if r.version < 4 && moved {
		bare = showedNothing(status, link, r.redirect())
	}
	if r.bad {
		return false, ErrState
	}
	return bare && moved, nil
}
