package model

// A Type is what a name names. Its numbers are part of the file: labels and confidences are in their order.
type Type int

// The types.
const (
	Person Type = iota
	Organization
	Location
	Types
)

// The labels: 0 is outside of names, and each type has four, for its first, inner and last token, and for its only one.
const (
	Labels = 1 + 4*int(Types)
	begin  = 0
	inner  = 1
	end    = 2
	single = 3
)

// label returns the label of token i of a name of n tokens. Labels of a type stand side by side: 1 + 4 times the
// type, and the place.
func label(kind Type, i, n int) uint8 {
	at := inner
	switch {
	case n == 1:
		at = single
	case i == 0:
		at = begin
	case i == n-1:
		at = end
	}
	return uint8(1 + 4*int(kind) + at)
}

// opens reports whether a name goes on after a token with label y, and which. y is 0 outside of names; (y-1)%4 is
// then negative and not used, as y > 0 is asked too.
func opens(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == inner)
}

// Begins reports whether a name begins at a token with label y, and of which type.
func Begins(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == single)
}

// Follows reports whether label y may follow label x. A name that is open must go on, with the same type; what is not
// open may not.
func Follows(x, y int) bool {
	kind, open := opens(x)
	at := (y - 1) % 4
	continues := y > 0 && (at == inner || at == end)
	return open == continues && (!open || kind == Type(y-1)/4)
}

// follows lists for each label those that it may follow. At most 7 of the 13 may be before or after another, so
// the search looks at few pairs.
var follows = func() (f [Labels][]uint8) {
	for y := range f {
		for x := range f {
			if Follows(x, y) {
				f[y] = append(f[y], uint8(x))
			}
		}
	}
	return f
}()

// leads lists for each label those that may follow it.
var leads = func() (f [Labels][]uint8) {
	for x := range f {
		for y := range f {
			if Follows(x, y) {
				f[x] = append(f[x], uint8(y))
			}
		}
	}
	return f
}()
