package docs_test

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// The schemas of Kubernetes' own objects come with a Python package, those of Flink's operator with its library.
const (
	kubernetesSchemas = "kubernetes-validate==1.37.0"
	operatorSum       = "b1f44814e17514fa8395c61b329a3ee9087123a5bda5b21fe1a495d5182c30b6"
	operatorJar       = "flink-kubernetes-operator-api-1.10.0.jar"
	operatorPOM       = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>gleaner</groupId>
  <artifactId>operator</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.flink</groupId><artifactId>flink-kubernetes-operator-api</artifactId><version>1.10.0</version>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency>
  </dependencies>
</project>
`
)

// validate prints the kind of each object of its files, and the mistake where an object does not follow its schema.
//
//go:embed testdata/validate.py
var validate string

// TestKubernetes: all objects of Kubernetes on our pages fit the published schemas. None has an unknown field, which
// Kubernetes drops silently.
func TestKubernetes(t *testing.T) {
	files, err := filepath.Glob("schedules/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("files of schedules: %v, %v", files, err)
	}
	files = append(files, "deploy/serve.yaml", "deploy/watch.yaml")
	dir := t.TempDir()
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			if b.language != "yaml" || !strings.HasPrefix(b.text, "apiVersion:") {
				continue
			}
			file := filepath.Join(dir, strings.ReplaceAll(p.name, "/", "-")+".yaml")
			if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	servertest.Need(t, "mvn")
	python := pythontest.Interpreter(t, "import kubernetes_validate, jsonschema, yaml", kubernetesSchemas)
	jar := filepath.Join(servertest.Maven(t, "flink-operator-1.10.0", operatorPOM, operatorSum+"  "+operatorJar+"\n"),
		operatorJar)
	// A check that takes everything would find nothing.
	for i, wrong := range [][2]string{
		{"concurrencyPolicy: Forbid", "concurrencyPolicies: Forbid"},
		{"backoffLimit: 0", "backoffLimit: none"},
		{"serviceAccount: flink", "serviceAcount: flink"},
		{"memory: 2048m, cpu: 4", "memory: 2048m, cpu: four"},
	} {
		files = append(files, mistaken(t, dir, i, files, wrong[0], wrong[1]))
	}
	out, err := exec.CommandContext(t.Context(), python,
		append([]string{"-c", validate, jar}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = "CronJob|Deployment|Service|Deployment|FlinkDeployment|Deployment|Service|CronJob is wrong: |" +
		"CronJob is wrong: |FlinkDeployment is wrong: |Deployment|Service|FlinkDeployment is wrong: |Deployment|Service|"
	if got := regexp.MustCompile("wrong: .*").ReplaceAllString(string(out), "wrong: "); got != strings.ReplaceAll(want,
		"|", "\n") {
		t.Errorf("the objects are\n%s\nwant as many as in %q", out, want)
	}
}

// mistaken writes the file that has this text again, with another text in its place, and returns its name.
func mistaken(t *testing.T, dir string, i int, files []string, from, to string) string {
	t.Helper()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(data), from, to, 1)
		if text == string(data) {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("wrong%d.yaml", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	t.Fatalf("no file has %q", from)
	return ""
}
