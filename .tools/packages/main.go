// Command packages prints docs/packages.md, the list of this module's packages with the first sentence of each one's
// documentation.
//
//	go run ./.tools/packages >docs/packages.md
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if err := list(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

const head = `# Packages

Each package of this module with the first sentence of its documentation; ` + "`go doc`" +
	` has the rest. This page is made by
` + "`go run ./.tools/packages`" + `, and a test compares the two. [design.md](design.md) has the picture.

`

// parts are the top folders in a logical order.
var parts = []string{"schemas", "transforms", "io", "pipelines", "internal"}

// list prints the page for the module in dir.
func list(w io.Writer, dir string) error {
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for i, part := range parts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "## %s\n\n| package | what it is |\n|---|---|\n", part)
		if err := table(w, dir, part); err != nil {
			return err
		}
	}
	return nil
}

// table prints the rows of a part.
func table(w io.Writer, dir, part string) error {
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc", "./"+part+"/...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Doc string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		path := strings.TrimPrefix(p.ImportPath, "github.com/gleaner-web/gleaner/")
		fmt.Fprintf(w, "| [`%s`](../%s) | %s |\n", path, path, strings.ReplaceAll(said(p.Doc), "|", "\\|"))
	}
}

// said returns a package's first sentence without "Package x".
func said(doc string) string {
	words := strings.Fields(doc)
	if len(words) > 2 && (words[0] == "Package" || words[0] == "Command") {
		words = words[2:]
	}
	return strings.Join(words, " ")
}
