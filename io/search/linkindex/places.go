package linkindex

import "github.com/gleaner-web/gleaner/schemas"

// Places are numbers of links by their place: main, navigation, other.
type Places [3]uint32

// places are the names of the places, in the order of Places.
var places = [3]string{schemas.PlaceMain, schemas.PlaceNavigation, schemas.PlaceOther}

func placeOf(name string) int {
	switch name {
	case schemas.PlaceMain:
		return 0
	case schemas.PlaceNavigation:
		return 1
	}
	return 2
}

// Of returns the links in a place, or in all places if it is "".
func (p Places) Of(place string) (n int64) {
	for i, name := range places {
		if place == "" || place == name {
			n += int64(p[i])
		}
	}
	return n
}
