package blob

import (
	"context"
	"errors"
	"strings"
)

// bucketName adds the objects that name refers to: an object, a prefix or a pattern. Object stores have no folders.
// Three forms differ without a request: a pattern, a prefix that ends in a slash, and a name. A name may turn out to be
// a folder without its slash.
func (e *expander) bucketName(ctx context.Context, name string) error {
	bucket, object, err := SplitBucket(name)
	if err != nil {
		return err
	}
	r, err := e.store.remote(ctx, name)
	if err != nil {
		return err
	}
	// The scheme keeps its spelling, so that names in the result begin as the argument does.
	root := name[:len(scheme(name))] + "://" + bucket + "/"
	switch {
	// A pattern comes first: the listing also finds an object with such characters in its name, at the cost of a
	// listing.
	case strings.ContainsAny(object, meta):
		return e.bucketPattern(ctx, r, root, object)
	case object == "", strings.HasSuffix(object, "/"):
		return e.bucketTree(ctx, r, root+object)
	}
	info, err := r.Stat(ctx, name)
	if err == nil {
		e.found = append(e.found, found{Info: info})
		return nil
	}
	missing := inputError(name, err)
	if !errors.Is(missing, ErrNotFound) {
		return err
	}
	// Only names that are surely absent are tried as folders: otherwise a failing server would look like an empty
	// folder.
	before := len(e.found)
	if err := e.bucketTree(ctx, r, root+object+"/"); err != nil || len(e.found) > before {
		return err
	}
	return missing
}

// bucketPattern adds the objects in the bucket at root that match text, and the one with that exact name.
func (e *expander) bucketPattern(ctx context.Context, r Service, root, text string) error {
	p, err := compile(text)
	if err != nil {
		return err
	}
	// The server lists by prefix, so the part before the first special character saves most of the listing.
	prefix := text[:strings.IndexAny(text, meta)]
	return e.bucketList(ctx, r, root+prefix, func(name string) bool {
		name = name[len(root):]
		// Only names beneath the base can be hidden: the user may write a base that begins with a dot.
		return name == text || p.matches(name) && !isHidden(name[len(p.base):])
	})
}

// bucketTree adds the objects beneath prefix, which ends in a slash.
func (e *expander) bucketTree(ctx context.Context, r Service, prefix string) error {
	return e.bucketList(ctx, r, prefix, func(name string) bool { return !isHidden(name[len(prefix):]) })
}

// isHidden reports whether a file or folder on the path begins with a dot. The path is the rest of a name after a
// prefix, so no slash precedes its first part.
func isHidden(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// bucketList adds the objects whose name begins with prefix and is wanted. It leaves out names that end in a slash:
// consoles and other tools make such objects, mostly empty, to show an empty folder.
func (e *expander) bucketList(ctx context.Context, r Service, prefix string, wanted func(string) bool) error {
	return r.List(ctx, prefix, func(info Info) {
		if !strings.HasSuffix(info.Name, "/") && wanted(info.Name) {
			e.found = append(e.found, found{Info: info})
		}
	})
}
