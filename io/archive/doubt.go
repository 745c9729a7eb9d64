package archive

import "github.com/gleaner-web/gleaner/schemas"

// Doubts are the members of archives that did not pass their checksum, or did not decode to their end, which was known
// only when captures of them had been delivered. A reader that meets one notes it; a reader that is given one from the
// start gives each capture of that member the flag unverified. So damage to a member of many records, as `gzip x.warc`
// makes it, costs a second reading, and a whole archive costs nothing:
//
//	var doubts archive.Doubts
//	for known := -1; known < doubts.Len(); {
//		known = doubts.Len()
//		… // read all captures, with Options.Doubts = &doubts; those of the last round are right
//	}
//
// The zero value is empty and ready for use. It is not safe for concurrent use.
type Doubts struct {
	members map[doubt]struct{}
	all     bool
}

type doubt struct {
	file   string
	member int64 // bytes from the file's start
}

// maxDoubts bounds the members that are remembered. When there are more, all are taken for damaged.
const maxDoubts = 100_000

// Len is 0 for none, and larger whenever a member was added.
func (d *Doubts) Len() int {
	if d.all {
		return maxDoubts + 1
	}
	return len(d.members)
}

func (d *Doubts) has(file string, member int64) bool {
	if d == nil || !d.all && len(d.members) == 0 {
		return false
	}
	_, ok := d.members[doubt{file, member}]
	return ok || d.all
}

func (d *Doubts) add(file string, member int64) {
	switch {
	case d == nil || d.all:
		return
	case d.members == nil:
		d.members = map[doubt]struct{}{}
	case len(d.members) == maxDoubts:
		d.members, d.all = nil, true
		return
	}
	d.members[doubt{file, member}] = struct{}{}
}

// tally counts the delivered bytes of the current member.
type tally struct {
	member  int64
	records int64
	sound   int64 // captures that no flag calls damaged
}

// note counts a record with the capture c, or without a capture.
func (t *tally) note(member int64, c *schemas.Capture) {
	if t.member != member {
		*t = tally{member: member}
	}
	t.records++
	if c != nil && !schemas.Damaged(c.Flags) {
		t.sound++
	}
}

// doubt notes that a member is damaged of which records were delivered. They are counted as unverified now, since those
// who do not read a second time (see Doubts) have no flags to count.
func (r *recordReader) doubt(member int64) {
	if r.o.Doubts.has(r.in.Name, member) {
		return
	}
	r.o.Doubts.add(r.in.Name, member)
	if r.tally.member != member || r.tally.records == 0 {
		return
	}
	schemas.Count(&r.counts.ByFlag, string(schemas.FlagUnverified), r.tally.records)
	r.counts.Damaged += r.tally.sound
}
