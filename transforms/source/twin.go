package source

import "slices"

// day is the length of a day in seconds.
const day = 24 * 3600

// piece is what two items have in common that are one piece of a site, under whatever ids.
type piece struct {
	id, link uint64
	title    [8]uint16
	day      int64
}

// likeness is a way to tell that two items are one piece.
type likeness struct {
	of func(Item) piece
	// alone asks that neither feed has another item like it: a column may have one link and one title each week.
	alone bool
}

// likenesses have the surest first. Formats have ids of their own: a guid of RSS is often the link, an id of Atom a tag
// URI. One may have the date of publication and the other that of the last change, and one of two captures may be from
// before a title was corrected.
var likenesses = []likeness{
	{of: func(i Item) piece { return piece{id: i.ID} }},
	{of: func(i Item) piece { return piece{link: i.Link, title: i.Words, day: i.Time / day} }},
	{of: func(i Item) piece { return piece{link: i.Link, title: i.Words} }, alone: true},
	{of: func(i Item) piece { return piece{link: i.Link, day: i.Time / day} }, alone: true},
}

// Join is what two feeds of one source know together: s stands for it, and other is another name of it. A piece that
// both show is one item, with the earliest date that either gives. What other says of itself and its visits are left
// out, since they are about another URL, unless nothing is known of s but its name.
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

// pairs finds for the ids of theirs the place in ours of the item that is the same piece. Each is paired once.
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
			// Both lists have the newest first, so that pieces of one day are paired in their order.
			if n := slices.IndexFunc(list, func(at int) bool { return !taken[at] }); n >= 0 {
				found[i.ID], taken[list[n]] = list[n], true
			}
		}
	}
	return found
}

// onePerID makes one item of all events of an id: see orderItems.
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

// joinDates gives a the earliest date of the two, where one has a date, and the earliest time at which it was seen.
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

// joinMarks are a's. A piece that has a page of its own by what one feed says has one: see OffSite.
func joinMarks(a, b ItemMarks) ItemMarks { return a &^ (OffSite &^ b) }

// united gives one id to the items that a feed shows under one id first and then under another, as after a move to
// other software: those of one link, title and day. Items that were first seen at one visit stay what they are, since
// the feed shows them beside each other.
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
		// Again, as long as ids become fewer: two events that are one now may be like a third.
		items = sorted(items, MaxItems, orderItems, joinItems)
	}
	return items
}

// elders finds for ids those under which the same piece was seen earlier.
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

// undoubted is what tells a piece of one feed from its others, without its id.
func undoubted(i Item) piece {
	p := piece{link: i.Link, title: i.Words}
	if i.Marks&Dated != 0 {
		p.day = i.Time / day
	}
	return p
}

// repeatsLinks reports whether two items of different ids have one link, which few sources have.
func repeatsLinks(items []Item) bool {
	links := make([]uint64, 0, len(items))
	for _, i := range items {
		links = append(links, i.Link)
	}
	slices.Sort(links)
	// Asked of each source: most repeat no link at all.
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
