package docs_test

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
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

// validate prints the kind of each object of its files, and ends with what is wrong where one is not as its schema says.
//
//go:embed testdata/validate.py
var validate string

// TestKubernetes: all objects of Kubernetes on our pages are as the published schemas have them, and none has a field
// that its schema does not know: those Kubernetes drops without a word.
func TestKubernetes(t *testing.T) {
	files, err := filepath.Glob("schedules/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("files of schedules: %v, %v", files, err)
	}
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
	jar := filepath.Join(servertest.Maven(t, "flink-operator-1.10.0", operatorPOM, operatorSum+"  "+operatorJar+"\n"), operatorJar)
	check := func(files ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), python, append([]string{"-c", validate, jar}, files...)...).CombinedOutput()
		return string(out), err
	}
	const want = "CronJob\nFlinkDeployment\nDeployment\nService\n"
	if got, err := check(files...); err != nil || got != want {
		t.Errorf("kinds %q, %v; want %q", got, err, want)
	}
	// A check that takes everything would find nothing.
	wrong := filepath.Join(dir, "wrong.yaml")
	for from, to := range map[string]string{
		"concurrencyPolicy: Forbid": "concurrencyPolicies: Forbid", "backoffLimit: 0": "backoffLimit: none",
		"serviceAccount: flink": "serviceAcount: flink", "memory: 2048m, cpu: 4": "memory: 2048m, cpu: four",
	} {
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Replace(string(data), from, to, 1)
			if text == string(data) {
				continue
			}
			if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := check(wrong); err == nil {
				t.Errorf("%s in place of %s: nothing is found wrong\n%s", to, from, out)
			}
		}
	}
}
