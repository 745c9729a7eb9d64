package docs_test

import (
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// place is a reference in a page of the site.
type place struct{ page, element, target string }

// sitePages returns the references of all pages, and the ids of their elements by page.
func sitePages(t *testing.T, site string) (list []place, ids map[string]map[string]bool) {
	t.Helper()
	ids = map[string]map[string]bool{}
	err := fs.WalkDir(os.DirFS(site), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" || name == "404.html" {
			return err
		}
		f, err := os.Open(filepath.Join(site, name))
		if err != nil {
			return err
		}
		defer f.Close()
		root, err := html.Parse(f)
		if err != nil {
			return err
		}
		ids[name] = map[string]bool{}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				switch a.Key {
				case "id", "name":
					ids[name][a.Val] = true
				case "href", "src":
					list = append(list, place{name, n.Data, a.Val})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, ids
}

// TestSite builds the site. Its links lead to pages and headings that exist, and it loads nothing from other sites.
func TestSite(t *testing.T) {
	bin := pythontest.Locked(t, "../.tools/site/requirements.txt")
	site := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "mkdocs"), "build", "--strict", "-q", "-f",
		"../.tools/site/mkdocs.yml", "-d", site)
	cmd.Env = append(os.Environ(), "NO_MKDOCS_2_WARNING=1", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list, ids := sitePages(t, site)
	if len(ids) < 50 {
		t.Errorf("the site has %d pages: %q", len(ids), slices.Sorted(maps.Keys(ids)))
	}
	for _, p := range list {
		u, err := url.Parse(p.target)
		switch {
		case err != nil:
			t.Errorf("%s: %v", p.page, err)
		case u.Scheme == "data" || u.Scheme == "mailto":
		case u.Host != "":
			if p.element != "a" && !strings.HasPrefix(p.target, "https://github.com/gleaner-web/") {
				t.Errorf("%s loads %s", p.page, p.target)
			}
		default:
			target := p.page
			if u.Path != "" {
				target = path.Join(path.Dir(p.page), u.Path)
			}
			if _, err := os.Stat(filepath.Join(site, target)); err != nil {
				t.Errorf("%s: %s is not there", p.page, p.target)
			}
			if known := ids[target]; u.Fragment != "" && known != nil && !known[u.Fragment] {
				t.Errorf("%s: %s has no heading %q", p.page, target, u.Fragment)
			}
		}
	}
}
