package blob

import (
	"context"
	"errors"
	"strings"
)

// bucketName adds the objects that name, an object, a prefix or a pattern, stands for.
func (e *expander) bucketName(ctx context.Context, name string) error {
	bucket, object, err := SplitBucket(name)
	if err != nil {
		return err
	}
	r, err := e.store.remote(ctx, name)
	if err != nil {
		return err
	}
	root := name[:len(scheme(name))] + "://" + bucket + "/"
	switch {
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
	prefix := text[:strings.IndexAny(text, meta)]
	return e.bucketList(ctx, r, root+prefix, func(name string) bool {
		name = name[len(root):]
		return name == text || p.matches(name) && !isHidden(name[len(p.base):])
	})
}

// bucketTree adds the objects beneath prefix, which ends in a slash.
func (e *expander) bucketTree(ctx context.Context, r Service, prefix string) error {
	return e.bucketList(ctx, r, prefix, func(name string) bool { return !isHidden(name[len(prefix):]) })
}

// isHidden tells whether a file or folder on the path begins with a dot.
func isHidden(path string) bool {
	return strings.HasPrefix(path, ".") || strings.Contains(path, "/.")
}

// bucketList adds the objects whose name begins with prefix and is wanted. Names that end in a slash only stand for
// folders.
func (e *expander) bucketList(ctx context.Context, r Service, prefix string, wanted func(string) bool) error {
	return r.List(ctx, prefix, func(info Info) {
		if !strings.HasSuffix(info.Name, "/") && wanted(info.Name) {
			e.found = append(e.found, found{Info: info})
		}
	})
}
