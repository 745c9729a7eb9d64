package source

import "slices"

// day is in seconds.
const day = 24 * 3600

// piece is what two items have in common that are one piece of a site, under any ids.
type piece struct {
	id, link uint64
	title    [8]uint16
	day      int64
}

// likeness is a way to recognise two items as one piece.
type likeness struct {
	of func(Item) piece
	// alone requires that neither feed has another such item: a column may have the same link and title each week.
	alone bool
}

// likenesses begin with the surest. Formats have ids of their own: a guid of RSS is often the link, an id of Atom a
// tag URI. One may have the publication date and the other that of the last change, and a title may be corrected
// between two captures.
var likenesses = []likeness{
	{of: func(i Item) piece { return piece{id: i.ID} }},
	{of: func(i Item) piece { return piece{link: i.Link, title: i.Words, day: i.Time / day} }},
	{of: func(i Item) piece { return piece{link: i.Link, title: i.Words} }, alone: true},
	{of: func(i Item) piece { return piece{link: i.Link, day: i.Time / day} }, alone: true},
}

// Join merges two feeds of one source: s represents it, and other is an alias. A piece of both is one item, with the
// earliest date of the two. Info and visits of other are dropped, since they are of another URL, unless s is known
// only by name.
func (s State) Join(other State) State {
	items, theirs := onePerID(s.Items), onePerID(other.Items)
	same := pairs(items, theirs)
	for _, i := range theirs {
		// An undated item of a first visit may be of any age, and stays so.
		ageless := i.Marks&Dated == 0 && i.First == other.firstVisit()
		at, ok := same[i.ID]
		switch {
		case ok && ageless:
			items[at].Marks = joinMarks(items[at].Marks, i.Marks)
		case ok:
			items[at] = joinDates(items[at], i)
			items[at].Marks = joinMarks(items[at].Marks, i.Marks)
		case ageless && len(s.Visits) > 0:
			i.First = s.firstVisit()
			i.Time = i.First
			fallthrough
		default:
			items = append(items, i)
		}
	}
	other.Entries = slices.DeleteFunc(slices.Clone(other.Entries), func(e Entry) bool {
		_, ok := same[e.ID]
		return ok
	})
	if s.Info.Time == 0 {
		other.Info.URL = s.Info.URL
	} else {
		other.Info, other.Visits = Info{}, nil
	}
	s.Items, other.Items = nil, nil
	joined := Merge(s, other)
	joined.Items = sorted(items, MaxItems, orderItems, joinItems)
	return joined
}

// pairs returns, for the ids of theirs, the index in ours of the same piece. Each is paired once.
func pairs(ours, theirs []Item) map[uint64]int {
	found, taken := map[uint64]int{}, make([]bool, len(ours))
	for _, like := range likenesses {
		places, count := map[piece][]int{}, map[piece]int{}
		for at, i := range ours {
			places[like.of(i)] = append(places[like.of(i)], at)
		}
		for _, i := range theirs {
			count[like.of(i)]++
		}
		for _, i := range theirs {
			list := places[like.of(i)]
			if _, ok := found[i.ID]; ok || like.alone && (len(list) != 1 || count[like.of(i)] != 1) {
				continue
			}
			// Both lists have the newest first, so pieces of one day are paired in order.
			if n := slices.IndexFunc(list, func(at int) bool { return !taken[at] }); n >= 0 {
				found[i.ID], taken[list[n]] = list[n], true
			}
		}
	}
	return found
}

// onePerID merges all events of an id into one item: see orderItems.
func onePerID(items []Item) []Item {
	list, at := make([]Item, 0, len(items)), make(map[uint64]int, len(items))
	for _, i := range items {
		if n, ok := at[i.ID]; ok {
			list[n] = joinDates(list[n], i)
			continue
		}
		at[i.ID] = len(list)
		list = append(list, i)
	}
	return list
}

// joinDates gives a the earliest date of the two, if one has a date, and the earliest sighting.
func joinDates(a, b Item) Item {
	a.First = min(a.First, b.First)
	switch dated := b.Marks & Dated; {
	case a.Marks&Dated == dated:
		a.Time = min(a.Time, b.Time)
	case dated != 0:
		a.Time, a.Marks = b.Time, a.Marks|Dated
	}
	return a
}

// joinMarks are a's, except that OffSite needs both: one feed suffices to show that a piece has a page of its own.
func joinMarks(a, b ItemMarks) ItemMarks { return a &^ (OffSite &^ b) }

// united gives one id to a piece (link, title and day) that a feed shows under several ids in turn. This happens after
// a change of software. Items first seen at the same visit stay separate, since the feed shows them together.
func united(items []Item) []Item {
	for repeatsLinks(items) {
		names := elders(items)
		if len(names) == 0 {
			break
		}
		items = slices.Clone(items)
		for n := range items {
			// It ends, since each step leads to an id that was seen earlier.
			for id, ok := names[items[n].ID]; ok; id, ok = names[id] {
				items[n].ID = id
			}
		}
		// Repeat as long as ids become fewer: two merged events may match a third.
		items = sorted(items, MaxItems, orderItems, joinItems)
	}
	return items
}

// elders maps ids to the id under which the same piece was seen earlier.
func elders(items []Item) map[uint64]uint64 {
	first := State{Items: items}.firstSeen()
	eldest, names := map[piece]uint64{}, map[uint64]uint64{}
	for _, i := range items {
		if id, ok := eldest[undoubted(i)]; !ok || first[i.ID] < first[id] {
			eldest[undoubted(i)] = i.ID
		}
	}
	for _, i := range items {
		if id := eldest[undoubted(i)]; first[id] < first[i.ID] {
			names[i.ID] = id
		}
	}
	return names
}

// undoubted distinguishes the pieces of one feed, without their ids.
func undoubted(i Item) piece {
	p := piece{link: i.Link, title: i.Words}
	if i.Marks&Dated != 0 {
		p.day = i.Time / day
	}
	return p
}

// repeatsLinks reports whether two items of different ids have one link, which is rare.
func repeatsLinks(items []Item) bool {
	links := make([]uint64, 0, len(items))
	for _, i := range items {
		links = append(links, i.Link)
	}
	slices.Sort(links)
	// The cheap test: most sources repeat no link.
	if len(slices.Compact(links)) == len(items) {
		return false
	}
	ids := make(map[uint64]uint64, len(items))
	return slices.ContainsFunc(items, func(i Item) bool {
		id, ok := ids[i.Link]
		ids[i.Link] = i.ID
		return ok && id != i.ID
	})
}
