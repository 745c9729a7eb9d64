package servertest

import (
	_ "embed" // the list of jars and the program
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The jars of OpenSearch 2.19.1: Maven's coordinates, checksums, and our class that starts a node.
var (
	//go:embed opensearch.xml
	openSearchPOM string
	//go:embed opensearch.sha256
	openSearchSums string
	//go:embed OpenSearchNode.java
	openSearchNode []byte
)

// OpenSearch is a cluster of one node over HTTP, without a password.
type OpenSearch struct {
	URL     string
	t       testing.TB
	dir     string // of the program, its configuration and data
	port    int
	jars    string
	process *Process
}

// StartOpenSearch starts an empty node.
func StartOpenSearch(t testing.TB) *OpenSearch {
	t.Helper()
	Need(t, "java", "javac", "mvn")
	o := &OpenSearch{t: t, dir: t.TempDir(), port: FreePort(t), jars: Maven(t, "opensearch-2.19.1", openSearchPOM,
		openSearchSums)}
	o.URL = fmt.Sprintf("http://127.0.0.1:%d", o.port)
	for name, text := range map[string][]byte{
		"OpenSearchNode.java": openSearchNode,
		"log4j2.properties":   []byte(openSearchLog),
	} {
		if err := os.WriteFile(filepath.Join(o.dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o.Restart()
	return o
}

// Kill kills the node, as kill -9 does.
func (o *OpenSearch) Kill() { o.process.Kill() }

// openSearchStart is generous for a busy machine.
const openSearchStart = 4 * time.Minute

// Restart starts the node at the same address with its data.
func (o *OpenSearch) Restart() {
	o.t.Helper()
	// Java compiles the file before running it.
	cmd := exec.Command("java", "-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-Dlog4j2.configurationFile=file:log4j2.properties", "OpenSearchNode.java", "home", fmt.Sprint(o.port))
	cmd.Dir = o.dir
	cmd.Env = append(os.Environ(), "CLASSPATH="+filepath.Join(o.jars, "*"))
	o.process = Start(o.t, cmd)
	o.process.AwaitLine("started", openSearchStart)
}

const openSearchLog = `rootLogger.level=WARN
rootLogger.appenderRef.c.ref=C
appender.c.type=Console
appender.c.name=C
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=%d %p %c %m%n
`
