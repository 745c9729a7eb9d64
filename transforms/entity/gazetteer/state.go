package gazetteer

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// stateCodes are the GeoNames ids of the states of the United States by postal code. Codes alone are ambiguous ("IN",
// "OR", "ME"), so they count only after a city.
var stateCodes = map[string]uint32{
	"AK": 5879092, "AL": 4829764, "AR": 4099753, "AZ": 5551752, "CA": 5332921, "CO": 5417618, "CT": 4831725,
	"DC": 4138106, "DE": 4142224, "FL": 4155751, "GA": 4197000, "HI": 5855797, "IA": 4862182, "ID": 5596512,
	"IL": 4896861, "IN": 4921868, "KS": 4273857, "KY": 6254925, "LA": 4331987, "MA": 6254926, "MD": 4361885,
	"ME": 4971068, "MI": 5001836, "MN": 5037779, "MO": 4398678, "MS": 4436296, "MT": 5667009, "NC": 4482348,
	"ND": 5690763, "NE": 5073708, "NH": 5090174, "NJ": 5101760, "NM": 5481136, "NV": 5509151, "NY": 5128638,
	"OH": 5165418, "OK": 4544379, "OR": 5744337, "PA": 6254927, "RI": 5224323, "SC": 4597040, "SD": 5769223,
	"TN": 4662168, "TX": 4736286, "UT": 5549030, "VA": 6254928, "VT": 5242283, "WA": 5815135, "WI": 5279468,
	"WV": 4826850, "WY": 5843591,
}

// linkCodes settles cities that the code of their state follows: Austin, TX.
func (f *finder) linkCodes() {
	for i := range f.matches {
		m := &f.matches[i]
		// Two letters after a comma and a space, and no third.
		code, ok := strings.CutPrefix(f.text[m.end:], ", ")
		if !ok || len(code) < 2 || len(code) > 2 && isWordByte(code[2]) {
			continue
		}
		id := stateCodes[code[:2]]
		if id == 0 {
			continue
		}
		// A city of that name must be in the state; otherwise the letters are something else.
		for _, c := range m.name.Candidates {
			if parent := f.table.Place(c).Parent; parent != table.NoParent && f.table.Place(parent).ID == id {
				m.place = c
				m.logit += linkedParent
				break
			}
		}
	}
}

// isWordByte reports whether c is a letter or digit, or a byte of one.
func isWordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
}
