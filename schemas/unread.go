package schemas

// Unread are files of which something, or all, could not be read.
type Unread struct {
	Files int64        `json:"files"` // different ones; a folder of small files is one
	First []UnreadFile `json:"first"` // in the order of the input, at most MaxUnread
}

// MaxUnread is how many unread files a manifest names.
const MaxUnread = 100

// UnreadFile is a file that could not be read, and why.
type UnreadFile struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// NotRead returns the reason why the range's file was not read completely, or "" if it was. A plan knows it of files
// that are not archives, and the reader of those that the system does not give.
func (r Range) NotRead() string {
	// Shards that were adopted from elsewhere have no format either; nothing is said of where reading them arrived.
	if r.Unreadable == "" && r.Kind() == KindFile && r.Format == "" && r.Next == r.End {
		return "no record of a known format was found"
	}
	return r.Unreadable
}

// UnreadOf finds the unread files of units, in their order; nil where there are none. A file that several units read is
// reported once, with the first reason.
func UnreadOf(units []UnitResult) *Unread {
	var u Unread
	seen := map[string]bool{} // of unread files alone, which are few
	for _, unit := range units {
		for _, in := range unit.Inputs {
			why := in.NotRead()
			if why == "" || seen[in.File] {
				continue
			}
			seen[in.File] = true
			if u.Files++; len(u.First) < MaxUnread {
				u.First = append(u.First, UnreadFile{in.File, why})
			}
		}
	}
	if u.Files == 0 {
		return nil
	}
	return &u
}
