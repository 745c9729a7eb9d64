package convert

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/derived/captureindex"
	"github.com/gleaner-web/gleaner/schemas"
)

// cdxPlan says what a run does with each source.
type cdxPlan struct {
	kept  []captureindex.Source // stand, and have not changed
	left  []captureindex.Source // stood, and their lines leave: they have changed, or are to be removed
	again []captureindex.Source // have not changed, and are read for the lines of archives that leave
	stay  []captureindex.Source // like again, but cannot be read: the lines of their archives stay
	read  []cdxSource
	gone  map[string]bool // sources of left that are not to come back
}

// plan compares sources with those of the index.
func (c *cdxConfig) plan(old []captureindex.Source, found []cdxSource, remove []string) (p cdxPlan) {
	now := map[string]cdxSource{}
	for _, s := range found {
		now[s.name] = s
	}
	p.gone = map[string]bool{}
	known := map[string]string{}
	for _, s := range old {
		is, named := now[s.Name]
		if named {
			s.Path = is.path
		}
		removed := c.fresh || slices.Contains(remove, s.Name)
		switch {
		case removed || named && is.stamp != s.Stamp:
			p.left, p.gone[s.Name] = append(p.left, s), removed
		default:
			p.kept = append(p.kept, s)
			known[s.Name] = s.Stamp
		}
	}
	for _, s := range found {
		if _, done := known[s.name]; !done {
			known[s.name] = s.stamp // named twice
			p.read = append(p.read, s)
		}
	}
	return p
}

// share plans to read kept sources again if lines of their archives leave. The index does not know which lines are of
// which source. find finds a source that was not named this time.
func (p *cdxPlan) share(found []cdxSource, find func(s captureindex.Source) (cdxSource, error)) {
	byName := map[string]cdxSource{}
	for _, s := range found {
		byName[s.name] = s
	}
	leaving := map[string]bool{}
	// A source that has changed by now leaves, too, with archives of its own.
	for done := 0; done < len(p.left); {
		for ; done < len(p.left); done++ {
			for _, name := range p.left[done].Archives {
				leaving[name] = true
			}
		}
		kept := p.kept
		p.kept = nil
		for _, s := range kept {
			if !slices.ContainsFunc(s.Archives, func(name string) bool { return leaving[name] }) {
				p.kept = append(p.kept, s)
				continue
			}
			from, named := byName[s.Name]
			var err error
			if !named {
				from, err = find(s)
			}
			p.readAgain(s, from, err)
		}
	}
}

// readAgain plans to read a kept source again, or to keep the lines of its archives if it was not found.
func (p *cdxPlan) readAgain(s captureindex.Source, from cdxSource, err error) {
	if err != nil {
		slog.Warn(fmt.Sprintf("%s has lines of archives whose lines leave, and cannot be read, so that all lines of these "+
			"archives stay, also if a page was taken down: make it readable, or drop its lines by --remove: %v",
			schemas.Printable(s.Name), err))
		p.stay = append(p.stay, s)
		return
	}
	if p.read = append(p.read, from); from.stamp == s.Stamp {
		p.again = append(p.again, s)
	} else {
		p.left = append(p.left, s)
	}
}

// keepUnread returns the sources that were read, as the index is to note them. If the system did not give a part of
// one, its old lines stay beside the new ones, and the next run reads it again.
func (p *cdxPlan) keepUnread(read []captureindex.Source) (noted []captureindex.Source) {
	before := map[string]captureindex.Source{}
	for _, s := range slices.Concat(p.left, p.again) {
		before[s.Name] = s
	}
	stay := slices.Clone(p.stay)
	for _, s := range read {
		old, stood := before[s.Name]
		// Lines that should leave have stayed, so each run tries it again.
		if stood && !p.gone[s.Name] && shareArchives(old, stay) {
			s.Stamp = unreadStamp
		}
		switch {
		case s.Stamp == unreadStamp && stood && !p.gone[s.Name]:
			s.Archives = slices.Concat(s.Archives, old.Archives)
			slices.Sort(s.Archives)
			s.Archives = slices.Compact(s.Archives)
			p.stay = append(p.stay, s)
		case s.Stamp != unreadStamp || len(s.Archives) > 0: // otherwise there is nothing to note
			noted = append(noted, s)
		}
	}
	return noted
}

// shareArchives reports whether one of the sources in list names an archive of s.
func shareArchives(s captureindex.Source, list []captureindex.Source) bool {
	return slices.ContainsFunc(list, func(other captureindex.Source) bool {
		return slices.ContainsFunc(other.Archives, func(name string) bool { return slices.Contains(s.Archives, name) })
	})
}

// drops returns a function that reports lines of the archives of sources that leave, or nil.
func (p *cdxPlan) drops(fresh bool) func(line []byte) bool {
	if fresh {
		return func([]byte) bool { return true }
	}
	gone := map[string]bool{}
	for _, s := range p.left {
		for _, name := range s.Archives {
			gone[name] = true
		}
	}
	for _, s := range p.stay {
		for _, name := range s.Archives {
			delete(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return func(line []byte) bool { return gone[string(cdx.Filename(line))] }
}
