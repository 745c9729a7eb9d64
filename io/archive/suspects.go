package archive

import "github.com/gleaner-web/gleaner/schemas"

// Suspects is a set of damaged members: they failed their checksum or did not decode to their end. This was detected
// after their captures had been delivered.
type Suspects struct {
	members map[suspect]struct{}
	all     bool
}

type suspect struct {
	file   string
	member int64 // bytes from the file's start
}

// maxSuspects bounds the members that are remembered. When there are more, all are taken for damaged.
const maxSuspects = 100_000

// Len is 0 for none, and larger whenever a member was added.
func (d *Suspects) Len() int {
	if d.all {
		return maxSuspects + 1
	}
	return len(d.members)
}

func (d *Suspects) has(file string, member int64) bool {
	if d == nil || !d.all && len(d.members) == 0 {
		return false
	}
	_, ok := d.members[suspect{file, member}]
	return ok || d.all
}

func (d *Suspects) add(file string, member int64) {
	switch {
	case d == nil || d.all:
		return
	case d.members == nil:
		d.members = map[suspect]struct{}{}
	case len(d.members) == maxSuspects:
		d.members, d.all = nil, true
		return
	}
	d.members[suspect{file, member}] = struct{}{}
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
// who do not read a second time (see Suspects) have no flags to count.
func (r *recordReader) doubt(member int64) {
	if r.o.Suspects.has(r.in.Name, member) {
		return
	}
	r.o.Suspects.add(r.in.Name, member)
	if r.tally.member != member || r.tally.records == 0 {
		return
	}
	schemas.Count(&r.counts.ByFlag, string(schemas.FlagUnverified), r.tally.records)
	r.counts.Damaged += r.tally.sound
}
