package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// inTree makes a folder with the named files, each holding its own name, and works in it. A name that ends in a slash
// is an empty folder, "a -> b" is a link.
func inTree(tb testing.TB, names ...string) {
	tb.Helper()
	tb.Chdir(tb.TempDir())
	for _, name := range names {
		link, target, isLink := strings.Cut(name, " -> ")
		err := os.MkdirAll(filepath.Dir(link), 0o755)
		switch {
		case err != nil:
		case isLink:
			err = os.Symlink(target, link)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(name, 0o755)
		default:
			err = os.WriteFile(name, []byte(name), 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

func names(files []Info) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

var tree = []string{
	"a.warc", "b.warc.gz", "x/c.warc", "x/y/d.warc", "x/y/e.arc", "x/.hidden/f.warc", ".g.warc", "we[i]rd.warc", "empty/",
}

func TestExpand_localNames(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"file", []string{"a.warc"}, []string{"a.warc"}},
		{"cleaned", []string{"./x//c.warc"}, []string{"x/c.warc"}},
		{"folder", []string{"x"}, []string{"x/c.warc", "x/y/d.warc", "x/y/e.arc"}},
		{"folder with slash", []string{"x/"}, []string{"x/c.warc", "x/y/d.warc", "x/y/e.arc"}},
		{"this folder", []string{"."}, []string{
			"a.warc", "b.warc.gz", "we[i]rd.warc", "x/c.warc", "x/y/d.warc",
			"x/y/e.arc",
		}},
		{"hidden file by name", []string{".g.warc"}, []string{".g.warc"}},
		{"hidden folder by name", []string{"x/.hidden"}, []string{"x/.hidden/f.warc"}},
		{"pattern in hidden folder", []string{"x/.hidden/*"}, []string{"x/.hidden/f.warc"}},
		{"star", []string{"*.warc"}, []string{"a.warc", "we[i]rd.warc"}},
		{"star does not cross folders", []string{"x/*"}, []string{"x/c.warc"}},
		{"star for a folder", []string{"x/*/*.warc"}, []string{"x/y/d.warc"}},
		{"two stars", []string{"**/*.warc"}, []string{"a.warc", "we[i]rd.warc", "x/c.warc", "x/y/d.warc"}},
		{"two stars below", []string{"x/**/d.warc"}, []string{"x/y/d.warc"}},
		{"two stars at the end", []string{"x/**"}, []string{"x/c.warc", "x/y/d.warc", "x/y/e.arc"}},
		{"question mark", []string{"?.warc"}, []string{"a.warc"}},
		{"class", []string{"[a-b].warc*"}, []string{"a.warc", "b.warc.gz"}},
		{"class with a range over the slash", []string{"[+-b].warc"}, []string{"a.warc"}},
		{"negated class", []string{"[!a].warc*"}, []string{"b.warc.gz"}},
		{"braces", []string{"x/y/*.{arc,warc}"}, []string{"x/y/d.warc", "x/y/e.arc"}},
		{"two stars in braces", []string{"{a.warc,**/d.warc}"}, []string{"a.warc", "x/y/d.warc"}},
		{"two stars behind braces", []string{"{x,z}/**/*.arc"}, []string{"x/y/e.arc"}},
		{"two stars in braces behind a name", []string{"x{/**/d,c}.warc"}, []string{"x/y/d.warc"}},
		{"braces over folders", []string{"{a,x/c}.warc"}, []string{"a.warc", "x/c.warc"}},
		{"a name that looks like a pattern", []string{"we[i]rd.warc"}, []string{"we[i]rd.warc"}},
		{
			"sorted and without duplicates",
			[]string{"x/c.warc", "b.warc.gz", "x", "./b.warc.gz", "a.warc"},
			[]string{"a.warc", "b.warc.gz", "x/c.warc", "x/y/d.warc", "x/y/e.arc"},
		},
	}
	inTree(t, tree...)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := New(Options{}).Expand(t.Context(), test.args, nil)
			if err != nil {
				t.Fatalf("Expand(%q): %v", test.args, err)
			}
			if diff := cmp.Diff(test.want, names(got)); diff != "" {
				t.Errorf("Expand(%q) (-want +got):\n%s", test.args, diff)
			}
		})
	}
}

func TestExpand_describesFiles(t *testing.T) {
	inTree(t, "a.warc")
	when := time.Unix(1_700_000_000, 5)
	if err := os.Chtimes("a.warc", when, when); err != nil {
		t.Fatal(err)
	}
	got, err := New(Options{}).Expand(t.Context(), []string{"a.warc"}, nil)
	want := []Info{{Name: "a.warc", Size: 6, Stamp: "6-1700000000000000005", Modified: when}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Expand: %v (-want +got):\n%s", err, diff)
	}
}

func TestExpand_refuses(t *testing.T) {
	tests := []struct {
		name string
		args []string
		kind error
		text string
	}{
		{"nothing", nil, ErrEmpty, "no file is named"},
		{"empty name", []string{""}, ErrSyntax, "empty name"},
		{"missing file", []string{"nope.warc"}, ErrNotFound, "nope.warc: no such file"},
		{"missing folder of a pattern", []string{"nope/*.warc"}, ErrNotFound, "no such file"},
		{"pattern without match", []string{"*.zip"}, ErrEmpty, "*.zip: matches no file"},
		{"empty folder", []string{"empty"}, ErrEmpty, "empty: holds no file"},
		{"open class", []string{"a[b"}, ErrSyntax, "a[b: [ without ]"},
		{"backward range", []string{"[z-a]*"}, ErrSyntax, "range z-a"},
		{"slash in a class", []string{"x[/]c.warc"}, ErrSyntax, "slash"},
		{"open brace", []string{"{a,b"}, ErrSyntax, "{ without }"},
		{"long pattern", []string{strings.Repeat("*", 5000)}, ErrSyntax, "longer than"},
		{"bytes that are no text", []string{"\xff*"}, ErrEmpty, `\xFF*: matches no file`},
		{"other scheme", []string{"ftp://host/a"}, errors.ErrUnsupported, "only paths and gs://"},
		{"no bucket", []string{"gs:///a"}, ErrSyntax, "bucket"},
		{"missing list", []string{"@nope.txt"}, ErrNotFound, "@nope.txt: no such file"},
		{"URL in a private network", []string{"http://127.0.0.1:9/a.warc"}, ErrPrivate, "--private_hosts"},
		{"no standard input", []string{"-"}, ErrNotFound, "standard input"},
		{"device", []string{"/dev/null"}, errNotRegular, "not a regular file"},
		{"link to nothing", []string{"dangling/gone"}, ErrNotFound, "gone"},
	}
	inTree(t, append(tree, "dangling/gone -> nothing")...)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := New(Options{}).Expand(t.Context(), test.args, nil)
			var input *InputError
			if !errors.Is(err, test.kind) || !errors.As(err, &input) {
				t.Fatalf("Expand(%q) = %v, %v, want an *InputError that is %v", test.args, names(got), err, test.kind)
			}
			if !strings.Contains(err.Error(), test.text) {
				t.Errorf("Expand(%q): error %q, want %q in it", test.args, err, test.text)
			}
		})
	}
}

func TestExpand_reportsAllUnusableNames(t *testing.T) {
	inTree(t, tree...)
	var args []string
	for i := range 30 {
		args = append(args, fmt.Sprintf("missing-%02d", i))
	}
	_, err := New(Options{}).Expand(t.Context(), args, nil)
	if err == nil || strings.Count(err.Error(), "no such file") != maxErrors {
		t.Errorf("Expand: %v, want %d errors", err, maxErrors)
	}
}

func TestExpand_unreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	inTree(t, "x/locked/a.warc")
	if err := os.Chmod("x/locked", 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod("x/locked", 0o755) }) // so that the folder can be removed
	got, err := New(Options{}).Expand(t.Context(), []string{"x"}, nil)
	if err != nil || len(got) != 1 || got[0].Name != "x/locked" || got[0].Unreadable != "permission denied" {
		t.Errorf("Expand: %+v, %v, want that x/locked cannot be read", got, err)
	}
	if _, err := New(Options{}).Expand(t.Context(), []string{"x/locked"}, nil); !errors.Is(err, ErrPermission) {
		t.Errorf("Expand of the folder itself: %v, want an error", err)
	}
}

func TestInputError_permission(t *testing.T) {
	err := inputError("x", &os.PathError{Op: "open", Path: "x", Err: os.ErrPermission})
	if !errors.Is(err, ErrPermission) || err.Error() != "x: permission denied" {
		t.Errorf("inputError = %v", err)
	}
}

func TestExpand_followsLinksOnce(t *testing.T) {
	inTree(t, "x/a.warc", "x/up -> ..", "x/self -> .", "out/b.warc", "x/out -> ../out", "x/again -> ../out",
		"x/l.warc -> a.warc")
	tests := []struct {
		arg  string
		want []string
	}{
		// "again" is followed before "out"; "up" leads to the folder above, which holds the rest.
		{"x", []string{"x/a.warc", "x/again/b.warc"}},
		{"x/**", []string{"x/a.warc"}},
		{"x/out/*", []string{"x/out/b.warc"}},
		{"x/*/b.warc", []string{"x/out/b.warc"}},
	}
	for _, test := range tests {
		got, err := New(Options{}).Expand(t.Context(), []string{test.arg}, nil)
		if diff := cmp.Diff(test.want, names(got)); err != nil || diff != "" {
			t.Errorf("Expand(%q): %v (-want +got):\n%s", test.arg, err, diff)
		}
	}
}

func TestExpand_lists(t *testing.T) {
	inTree(t, append(tree, "lists/local.arc")...)
	long := strings.Repeat("n", maxListLine+1)
	abs, err := filepath.Abs("x/c.warc")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text string
		want       []string
		kind       error
	}{
		{"plain", "../a.warc\n", []string{"a.warc"}, nil},
		{
			"comments, blanks, CRLF, no last line end", "\ufeff# archives\r\n\r\n  ../a.warc \r\n#x\nlocal.arc",
			[]string{"a.warc", "lists/local.arc"},
			nil,
		},
		{"absolute", abs, []string{abs}, nil},
		{"folder and pattern", "../x/y\n../*.gz\n", []string{"b.warc.gz", "x/y/d.warc", "x/y/e.arc"}, nil},
		{"empty", "", nil, ErrEmpty},
		{"only comments", "# nothing\n\n", nil, ErrEmpty},
		{"missing file", "../a.warc\nnope\n", nil, ErrNotFound},
		{"nested", "@other.txt\n", nil, ErrSyntax},
		{"standard input", "-\n", nil, ErrSyntax},
		{"zero bytes", "../a.warc\x00local.arc\x00", []string{"a.warc", "lists/local.arc"}, nil},
		{"zero bytes, a missing file", "../a.warc\x00local.arc\n", nil, ErrNotFound},
		{"long line", "../a.warc\n" + long, nil, ErrSyntax},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile("lists/l.txt", []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := New(Options{}).Expand(t.Context(), []string{"@lists/l.txt"}, nil)
			if !errors.Is(err, test.kind) {
				t.Fatalf("Expand: %v, want %v", err, test.kind)
			}
			if diff := cmp.Diff(test.want, names(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpand_listOnStandardInput(t *testing.T) {
	inTree(t, tree...)
	got, err := New(Options{}).Expand(t.Context(), []string{"-", "b.warc.gz"}, strings.NewReader("x/c.warc\n"))
	if want := []string{"b.warc.gz", "x/c.warc"}; err != nil || !slices.Equal(names(got), want) {
		t.Errorf("Expand = %v, %v, want %v", names(got), err, want)
	}
	_, err = New(Options{}).Expand(t.Context(), []string{"-"}, io.LimitReader(os.Stdin, 0))
	if !errors.Is(err, ErrEmpty) {
		t.Errorf("Expand of an empty list: %v, want ErrEmpty", err)
	}
}

func TestExpand_endsWithItsContext(t *testing.T) {
	inTree(t, tree...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(Options{}).Expand(ctx, []string{"x"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Expand: %v, want context.Canceled", err)
	}
	if _, err := New(Options{}).Open(ctx, "a.warc"); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v, want context.Canceled", err)
	}
}

func TestOpen_local(t *testing.T) {
	inTree(t, tree...)
	store := New(Options{})
	object, err := store.Open(t.Context(), "x/c.warc")
	if err != nil {
		t.Fatal(err)
	}
	if object.Name() != "x/c.warc" || object.Size() != 8 {
		t.Errorf("Name, Size = %q, %d", object.Name(), object.Size())
	}
	got := make([]byte, 6)
	if n, err := object.ReadAt(got, 4); n != 4 || !errors.Is(err, io.EOF) || string(got[:n]) != "warc" {
		t.Errorf("ReadAt = %d, %v, %q", n, err, got[:n])
	}
	if err := object.Close(); err != nil {
		t.Error(err)
	}
	for name, kind := range map[string]error{
		"nope": ErrNotFound, "x": errNotRegular, "ftp://b/o": errors.ErrUnsupported,
		"/dev/null": errNotRegular,
	} {
		if _, err := store.Open(t.Context(), name); !errors.Is(err, kind) {
			t.Errorf("Open(%q): %v, want %v", name, err, kind)
		}
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

func ExampleStore_Expand() {
	store := New(Options{})
	defer store.Close()
	_, err := store.Expand(context.Background(), []string{"no-such-folder/*.warc.gz"}, nil)
	fmt.Println(err)
	fmt.Println(errors.Is(err, ErrNotFound))
	// Output:
	// no-such-folder/*.warc.gz: no such file
	// true
}

func FuzzReadList(f *testing.F) {
	f.Add("# c\na.warc\r\n\n")
	f.Add("\ufeff@x\n-\n")
	f.Add("a\x00\nb")
	f.Fuzz(func(t *testing.T, text string) {
		count := 0
		for name, err := range readList(strings.NewReader(text)) {
			if err != nil {
				continue
			}
			zeros := strings.Contains(text, "\x00") // then names are taken as they are
			odd := !zeros && (strings.Contains(name, "\n") || strings.ContainsAny(name[:1], "#@"))
			if name == "" || odd || strings.Contains(name, "\x00") || len(name) > maxListLine {
				t.Errorf("readList yields %q", name)
			}
			count++
		}
		if limit := strings.Count(text, "\n") + strings.Count(text, "\x00") + 1; count > limit {
			t.Errorf("%d names on %d lines", count, limit)
		}
	})
}

func TestPattern_rangeLeavesTheSlashOut(t *testing.T) {
	p, err := compile("x[+-9]c")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"x+c": true, "x.c": true, "x0c": true, "x/c": false, "xac": false} {
		if got := p.matches(name); got != want {
			t.Errorf("matches(%q) = %t, want %t", name, got, want)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"**/*.warc", "a/b.warc"},
		{"[!a-c]?", "dé"},
		{"{a,{b,c}}x", "cx"},
		{"[]-]", "]"},
		{"*****a", "bbbb"},
		{"a/**", "a/b"},
		{"{a/b,}*", "a/bc"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		p, err := compile(text)
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("compile(%q): %v, want ErrSyntax", text, err)
			}
			return
		}
		if p.matches(name) && !strings.HasPrefix(name, p.base) {
			t.Errorf("%q matches %q, which is not beneath %q", text, name, p.base)
		}
		if !strings.ContainsAny(text, meta) && strings.ToValidUTF8(name, "") == name && p.matches(name) != (name == text) {
			t.Errorf("%q, which is no pattern, matches %q", text, name)
		}
	})
}
