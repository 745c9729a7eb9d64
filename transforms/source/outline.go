package source

import (
	"fmt"
	"slices"
)

// Outline is the part of an encoded state that can be read without decoding all.
type Outline struct {
	Last  int64
	Links []uint64 // of the items that can be followed, in order of the items
	Names []string // URLs of its aliases
}

// OutlineOf reads an encoded state as far as an outline needs. The links use the memory of room. Other bytes give
// ErrState, but it accepts some that Decode refuses.
func OutlineOf(b []byte, room []uint64) (o Outline, err error) {
	r := decoder{b: b}
	if !r.known() {
		return Outline{}, fmt.Errorf("%w of version %d", ErrState, version)
	}
	r.int() // First
	o.Last = max(0, r.int())
	r.passInfo()
	items := r.small(MaxItems)
	o.Links = slices.Grow(room[:0], int(items))
	for range items {
		// In the order of item.
		r.take(8)
		link := r.hash()
		r.int()
		r.int()
		if ItemMarks(r.byte())&Unfollowed == 0 {
			o.Links = append(o.Links, link)
		}
		r.take(16)
	}
	r.passEntries()
	for range r.small(MaxVisits) {
		r.visit()
	}
	// Stored states have none: pages are joined to them for the description.
	if pages := r.small(MaxPages); pages > 0 {
		return outlineWhole(b, room)
	}
	for range r.small(MaxAnnounces) {
		r.take(8)
		r.passTexts(3)
	}
	for range r.small(MaxAliases) {
		url := r.take(int(r.small(maxText)))
		r.passTexts(1)
		o.Names = append(o.Names, string(url))
	}
	if r.bad || len(r.b) > 0 {
		return Outline{}, ErrState
	}
	return o, nil
}

func outlineWhole(b []byte, room []uint64) (Outline, error) {
	s, err := Decode(b)
	if err != nil {
		return Outline{}, err
	}
	o := Outline{Last: s.Last, Links: room[:0]}
	for i := range s.Items {
		if s.Items[i].Marks&Unfollowed == 0 {
			o.Links = append(o.Links, s.Items[i].Link)
		}
	}
	for _, a := range s.Aliases {
		o.Names = append(o.Names, a.URL)
	}
	return o, nil
}

// DecodeTimes is Decode for the parts that Renew needs: Info, items and visits.
func DecodeTimes(b []byte) (s State, err error) {
	r := decoder{b: b}
	if !r.known() {
		return State{}, fmt.Errorf("%w of version %d", ErrState, version)
	}
	r.int()
	r.int()
	r.passInfo()
	if r.bad {
		return State{}, ErrState
	}
	// Texts are parts of one string: of only this part of b.
	head := newDecoder(b[:len(b)-len(r.b)])
	head.known()
	s = State{First: max(0, head.int()), Last: max(0, head.int()), Info: head.info()}
	s.Info.Time = max(0, s.Info.Time)
	s.Items = list(&r, MaxItems, (*decoder).item, orderItems)
	r.passEntries()
	s.Visits = list(&r, MaxVisits, (*decoder).visit, compareFetches)
	if r.bad {
		return State{}, ErrState
	}
	return s, nil
}

func (r *decoder) passInfo() {
	r.int()
	r.passTexts(7)
	for range 3 {
		r.int()
	}
}

func (r *decoder) passEntries() {
	for range r.small(MaxEntries) {
		r.int()
		r.take(8)
		r.passTexts(2)
	}
}

func (r *decoder) passTexts(n int) {
	for range n {
		size := r.small(maxText)
		if size > uint64(len(r.b)) {
			r.fail()
			return
		}
		r.b = r.b[size:]
	}
}
