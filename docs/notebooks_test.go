//go:build unix

package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// runNotebook runs a notebook as Jupyter does, in the notebook's folder, and prints what its cells print and whether
// they draw.
const runNotebook = `
import sys, nbformat
from nbclient import NotebookClient
nb = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(nb, timeout=400, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
outputs = [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]
print("drawn" if any("<rect" in o.get("data", {}).get("image/svg+xml", "") for o in outputs) else "no chart")
print("".join(o.get("text", "") for c in nb.cells if c.cell_type == "code" for o in c.outputs if o.get("name") == "stdout"))
`

// TestNotebooks: each notebook runs from beginning to end, and finds the captures of the archive.
func TestNotebooks(t *testing.T) {
	t.Parallel() // kernels take seconds to start
	python := pythontest.Interpreter(t, "import nbclient, ipykernel, duckdb, pytz", "nbclient==0.10.2", "nbformat==5.10.4",
		"ipykernel==6.30.1", "duckdb==2.0.0", "pytz==2025.2")
	archive := filepath.Join(t.TempDir(), "march.warc")
	var b bytes.Buffer
	page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body><p>The ferry of the harbour leaves at %s in " +
		"the morning " +
		"and comes back late in the evening.</p></body></html>"
	addRecord(&b, "http://example.com/ferry", "2026-02-01T00:00:00Z", fmt.Sprintf(page, "seven"))
	addRecord(&b, "http://example.com/ferry", "2026-03-01T00:00:00Z", fmt.Sprintf(page, "eight"))
	addRecord(&b, "http://example.com/horaires.pdf", "2026-03-02T00:00:00Z",
		"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"+frenchPDF())
	if err := os.WriteFile(archive, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("notebooks/*.ipynb")
	if err != nil || len(names) != 2 {
		t.Fatalf("notebooks: %v, %v; want 2", names, err)
	}
	wants := map[string][2]string{ // with archives of the test's, and with those of the project
		"french-pdfs.ipynb":  {"French PDFs of 2026-03: 1\n", "French PDFs of 2026-11: 1\n"},
		"site-changes.ipynb": {"\n1 texts changed", "\n1 texts changed"},
	}
	own := []string{"ARCHIVES=" + archive, "MONTH=2026-03"}
	for _, name := range names {
		for i, env := range [][]string{own, nil} {
			t.Run(fmt.Sprint(filepath.Base(name), i), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command(python, "-c", runNotebook, name, "notebooks")
				kernels := "PATH=" + filepath.Dir(python) + ":" + os.Getenv("PATH")
				cmd.Env = append(append(os.Environ(), goFlags, kernels, "OUT="+filepath.Join(t.TempDir(), "out")), env...)
				said, err := cmd.CombinedOutput()
				want := wants[filepath.Base(name)][i]
				drawn := strings.Contains(string(said), "drawn\n")
				if err != nil || want == "" || !strings.Contains(string(said), want) || !drawn {
					t.Errorf("%v, want %q and a chart\n%s", err, want, said)
				}
			})
		}
	}
}

// addRecord adds a response to a WARC file.
func addRecord(b *bytes.Buffer, url, date, body string) {
	fmt.Fprintf(b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
		"WARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", b.Len(), url, date, len(body), body)
}

// frenchPDF is a page of text.
func frenchPDF() string {
	text := "BT /F1 12 Tf 50 700 Td 16 TL\n"
	for range 3 {
		text += "(Le bateau quitte le port tous les matins avant sept heures et demie.) Tj T*\n" +
			"(Les habitants de la ville attendent sur le quai pour acheter du poisson.) Tj T*\n"
	}
	text += "ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	}
	pdf, offsets := "%PDF-1.4\n", ""
	for i, o := range objects {
		offsets += fmt.Sprintf("%010d 00000 n \n", len(pdf))
		pdf += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return pdf + fmt.Sprintf("xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n"+
		"%%%%EOF\n", offsets,
		len(pdf))
}
