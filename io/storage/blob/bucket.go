package blob

import (
	"context"
	"errors"
	"strings"
)

// bucketName adds the objects that name, an object, a prefix or a pattern, stands for.
// Object stores have no folders. Three forms are told apart without asking: a pattern, a prefix that ends in a
// slash, and else a name, which may turn out to be a folder without its slash.
func (e *expander) bucketName(ctx context.Context, name string) error {
	bucket, object, err := SplitBucket(name)
	if err != nil {
		return err
	}
	r, err := e.store.remote(ctx, name)
	if err != nil {
		return err
	}
	// The scheme is kept as it was written, so that names in the result begin as the argument does.
	root := name[:len(scheme(name))] + "://" + bucket + "/"
	switch {
	// A pattern comes first: an object whose name has such characters is found by its listing as well, at the cost
	// of one.
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
	// Only names that are surely absent are tried as folders: otherwise a failing server would look like an empty folder.
	before := len(e.found)
	if err := e.bucketTree(ctx, r, root+object+"/"); err != nil || len(e.found) > before {
		return err
	}
	return missing
}

// bucketPattern adds the objects in the bucket at root that match text, and the one that is called so.
func (e *expander) bucketPattern(ctx context.Context, r Service, root, text string) error {
	p, err := compile(text)
	if err != nil {
		return err
	}
	// The server lists by prefix alone, so what precedes the first special character saves most of the
	// listing.
	prefix := text[:strings.IndexAny(text, meta)]
	return e.bucketList(ctx, r, root+prefix, func(name string) bool {
		name = name[len(root):]
		// Hidden is judged beneath the base only: what the user has written out may begin with a dot.
		return name == text || p.matches(name) && !isHidden(name[len(p.base):])
	})
}

// bucketTree adds the objects beneath prefix, which ends in a slash.
func (e *expander) bucketTree(ctx context.Context, r Service, prefix string) error {
	return e.bucketList(ctx, r, prefix, func(name string) bool { return !isHidden(name[len(prefix):]) })
}

// isHidden reports whether a file or folder on the path begins with a dot.
// A path that is the rest of a name after a prefix, so no slash is before its first part.
func isHidden(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// bucketList adds the objects whose name begins with prefix and is wanted. Names that end in a slash only stand for
// folders.
// Consoles and other tools make such objects, mostly without a byte, to show a folder that is empty.
func (e *expander) bucketList(ctx context.Context, r Service, prefix string, wanted func(string) bool) error {
	return r.List(ctx, prefix, func(info Info) {
		if !strings.HasSuffix(info.Name, "/") && wanted(info.Name) {
			e.found = append(e.found, found{Info: info})
		}
	})
}
