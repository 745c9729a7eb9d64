package work

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/schemas"
)

// withBeside adds the WACZ files that descriptions of several name (multi-wacz-package), and removes the descriptions,
// which hold nothing themselves. It ignores names that lead out of the description's folder, because the description
// may come from a stranger.
func withBeside(ctx context.Context, s *blob.Store, l blob.Listing) (blob.Listing, error) {
	known := map[string]bool{}
	var files, more []blob.Info
	for _, f := range l.Files {
		named, alone, err := namedBy(ctx, s, f)
		if err != nil {
			return l, err
		}
		if !alone {
			known[f.Name] = true
			files = append(files, f)
		}
		more = append(more, named...)
	}
	// Several descriptions may name one file, and the list may have it already.
	for _, f := range more {
		if !known[f.Name] {
			known[f.Name] = true
			files = append(files, f)
		}
	}
	// Added files go to their places by name.
	if len(more) > 0 {
		slices.SortStableFunc(files, func(a, b blob.Info) int { return strings.Compare(a.Name, b.Name) })
	}
	l.Files = files
	return l, nil
}

// namedBy returns the WACZ files that f names in its folder, if f is such a description. If f holds none itself, alone
// is true. A missing file is listed as unreadable.
func namedBy(ctx context.Context, s *blob.Store, f blob.Info) (named []blob.Info, alone bool, err error) {
	// Cheap tests first, so that most archives are not opened here.
	if f.Group != nil || f.Unreadable != "" || f.Size > wacz.MaxBeside || !wacz.MayNameOthers(f.Name) {
		return nil, false, nil
	}
	o, err := s.Open(ctx, f.Name)
	if err != nil {
		return nil, false, ctx.Err() // planning reports the problem
	}
	names, alone, err := wacz.Beside(o, o.Size())
	if err = errors.Join(err, o.Close()); err != nil {
		return nil, false, ctx.Err()
	}
	for _, name := range names {
		to, ok := beside(f.Name, name)
		if !ok {
			// Listed as unreadable, so that the list shows the omission.
			named = append(named, blob.Info{
				Name: f.Name + "/" + path.Base(name), Unreadable: "the package names it, and not as a file beside itself",
			})
			continue
		}
		found, err := s.Expand(ctx, []string{to}, nil)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil {
			why := "a package names it, and it cannot be opened: " + err.Error()
			found = []blob.Info{{Name: schemas.NameOf(to), Unreadable: why}}
		}
		named = append(named, found...)
	}
	return named, alone, nil
}

// beside returns the full name of the file that a description calls name. For a file elsewhere ok is false.
func beside(description, name string) (to string, ok bool) {
	if blob.IsRemote(description) {
		folder := secret.Folder(description) + "/"
		// A description names a file by its path, or by a whole URL in the same folder.
		name = strings.TrimPrefix(name, folder)
		// A colon may end a scheme or the letter of a drive, and a backslash separates paths on Windows.
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `:\`) {
			return "", false
		}
		// Only URLs of the web have escaped paths; other services take names unchanged.
		if !strings.HasPrefix(description, "http") {
			return folder + name, true
		}
		return folder + (&url.URL{Path: name}).EscapedPath(), true
	}
	name = filepath.FromSlash(name)
	return filepath.Join(filepath.Dir(schemas.PathOf(description)), name), filepath.IsLocal(name)
}
