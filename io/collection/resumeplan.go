package collection

import "github.com/gleaner-web/gleaner/schemas"

// plan is what Resume found out, before anything is touched.
type plan struct {
	total int
	todo  []schemas.Unit
	done  []schemas.UnitResult
	drop  []Row // of units that are done again, since their inputs have changed
	other bool  // there are rows of units that are not in this plan: Finish removes them
}
