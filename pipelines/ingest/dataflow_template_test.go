package main

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/discovery"
)

// TestDataflow_metadataByGoogle: the Flex Template's metadata, and the request to launch it in the document, have the
// fields, types and values of Google's API. The request's parameters are the template's.
func TestDataflow_metadataByGoogle(t *testing.T) {
	api := discovery.Dataflow(t)
	data, err := os.ReadFile("dataflow/metadata.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := api.Check("TemplateMetadata", data); err != nil {
		t.Error(err)
	}
	request := launchInDocument(t)
	if err := api.Check("LaunchFlexTemplateRequest", request); err != nil {
		t.Error(err)
	}
	checkLaunch(t, request, data)
	const call = "/v1b3/projects/p/locations/europe-west1/flexTemplates:launch"
	if err := api.CheckCall("POST", call, nil); err != nil {
		t.Error(err)
	}
}

// launchInDocument returns the only request to launch a template in the document, with values for its variables.
func launchInDocument(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../../docs/clusters/dataflow.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "cat >launch.json <<END\n")
	body, _, ended := strings.Cut(rest, "\nEND\n")
	if !found || !ended {
		t.Fatal("the document has no launch.json")
	}
	return []byte(strings.ReplaceAll(body, "$BUCKET", "b"))
}

// checkLaunch checks that a request has all required parameters of a template, and no others than the template has.
func checkLaunch(t *testing.T, request, metadata []byte) {
	t.Helper()
	var r struct {
		LaunchParameter struct{ Parameters map[string]string }
	}
	var m struct {
		Parameters []struct {
			Name       string
			IsOptional bool
		}
	}
	if err := json.Unmarshal(request, &r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(metadata, &m); err != nil {
		t.Fatal(err)
	}
	given := r.LaunchParameter.Parameters
	known := map[string]bool{}
	for _, p := range m.Parameters {
		known[p.Name] = true
		if given[p.Name] == "" && !p.IsOptional {
			t.Errorf("parameter %s is missing", p.Name)
		}
	}
	for name := range given {
		if !known[name] {
			t.Errorf("the template has no parameter %s", name)
		}
	}
	if len(known) == 0 || len(given) == 0 {
		t.Errorf("%d parameters in the template, %d in the request", len(known), len(given))
	}
}

// TestDataflow_templateByMake: make builds all that a Flex Template needs: the template's file by Google's schema, and
// a folder from which Docker can build the image.
func TestDataflow_templateByMake(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("it links a program, which takes a minute: set GLEANER_SLOW=1")
	}
	dir := t.TempDir()
	const image = "europe-west1-docker.pkg.dev/p/gleaner/ingest:1"
	cmd := exec.CommandContext(t.Context(), "make", "dataflow-template", "TEMPLATE="+dir, "IMAGE="+image)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "template.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := discovery.Dataflow(t).Check("ContainerSpec", data); err != nil {
		t.Error(err)
	}
	var spec struct {
		Image    string
		SDKInfo  struct{ Language string }
		Metadata struct{ Parameters []any }
	}
	if err := json.Unmarshal(data, &spec); err != nil || spec.Image != image || spec.SDKInfo.Language != "GO" ||
		len(spec.Metadata.Parameters) == 0 {
		t.Errorf("%v, template %.200s", err, data)
	}
	checkContext(t, filepath.Join(dir, "image"))
}

// checkContext checks that the folder has what its Dockerfile copies, with a program for Dataflow's machines.
func checkContext(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	copied := 0
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "COPY" {
			copied++
			if _, err := os.Stat(filepath.Join(dir, words[1])); err != nil {
				t.Error(err)
			}
		}
	}
	if copied == 0 {
		t.Errorf("the Dockerfile copies nothing:\n%s", text)
	}
	program := filepath.Join(dir, "ingest")
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := f.ImportedLibraries()
	if f.Machine != elf.EM_X86_64 || err != nil || len(libraries) > 0 {
		t.Errorf("the program is for %v, with libraries %v, %v", f.Machine, libraries, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		got, err := exec.CommandContext(t.Context(), program, "--template_metadata").Output()
		want, errRead := os.ReadFile("dataflow/metadata.json")
		if err != nil || errRead != nil || string(got) != string(want) {
			t.Errorf("the program prints other metadata: %v, %v", err, errRead)
		}
	}
}
