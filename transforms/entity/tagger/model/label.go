package model

// Type is the type of a name. Its numbers are part of the file: labels and confidences are in their order.
type Type int

const (
	Person Type = iota
	Organization
	Location
	Types
)

// The labels: 0 is outside names. Each type has four: for its first, inner and last token, and for its only one.
const (
	Labels = 1 + 4*int(Types)
	begin  = 0
	inner  = 1
	end    = 2
	single = 3
)

// label returns the label of token i of a name of n tokens: 1 + 4 times the type, plus the place.
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

// opens reports whether a name continues after a token with label y, and its type. Outside names, y is 0; (y-1)%4 is
// then negative and not used.
func opens(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == inner)
}

// Begins reports whether a name begins at a token with label y, and of which type.
func Begins(y int) (kind Type, ok bool) {
	at := (y - 1) % 4
	return Type(y-1) / 4, y > 0 && (at == begin || at == single)
}

// Follows reports whether label y may follow label x. An open name must continue with the same type; without one
// nothing may continue.
func Follows(x, y int) bool {
	kind, open := opens(x)
	at := (y - 1) % 4
	continues := y > 0 && (at == inner || at == end)
	return open == continues && (!open || kind == Type(y-1)/4)
}

// follows lists the possible labels before each label. At most 7 of the 13 may be adjacent to one, so the search has
// few pairs.
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

// leads lists the possible labels after each label.
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
