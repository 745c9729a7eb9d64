package cli

import (
	"sync"
	"time"
)

// trimEvery is the least time between two trims. Each costs about 2 ms, for the pages that are used again.
const trimEvery = time.Second

// trimOnce starts trimming: now, and after collections, the process gives back the pages of the program's file. Most of
// them were needed only at its start, or for one rare page.
var trimOnce = sync.OnceFunc(func() {
	trim()
	last := time.Now()
	eachCollection(func() bool {
		if time.Since(last) >= trimEvery {
			trim()
			last = time.Now()
		}
		return true
	})
})
