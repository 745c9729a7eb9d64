package servertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"

	_ "embed" // the list of jars, and the program
)

// The runtime of Iceberg 1.10.1 for Spark 3.5.
var (
	//go:embed spark.xml
	sparkPOM string
	//go:embed spark.sha256
	sparkSums string
	//go:embed spark.py
	sparkProgram string
)

// Spark runs statements in Spark 3.5.9, whose catalogue g has the Iceberg tables in the folders of warehouse. It
// returns the first value of each answer, or "ok", and takes half a minute.
func Spark(t testing.TB, warehouse string, statements ...string) (answers []string) {
	t.Helper()
	Need(t, "java", "mvn")
	python := pythontest.Interpreter(t, "import pyspark; assert pyspark.__version__ == '3.5.9'", "pyspark==3.5.9")
	jars := Maven(t, "iceberg-spark-1.10.1", sparkPOM, sparkSums)
	program := filepath.Join(t.TempDir(), "spark.py")
	if err := os.WriteFile(program, []byte(sparkProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, program, filepath.Join(jars, "iceberg-spark-runtime-3.5_2.12-1.10.1.jar"), warehouse)
	cmd.Stdin = strings.NewReader(strings.Join(statements, "\n") + "\n")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	for line := range strings.Lines(string(out)) {
		if answer, ok := strings.CutPrefix(strings.TrimSpace(line), "= "); ok {
			answers = append(answers, answer)
		}
	}
	return answers
}
