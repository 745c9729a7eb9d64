package servertest

import (
	_ "embed" // the list of jars
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The jars of HBase 2.5.11: Maven's coordinates, and the checksums of all files.
var (
	//go:embed hbase.xml
	hbasePOM string
	//go:embed hbase.sha256
	hbaseSums string
)

// HBase is a cluster in one process: ZooKeeper, a master and two region servers, so that regions can move.
type HBase struct {
	Master  string // host:port
	t       testing.TB
	Dir     string // of its configuration and data
	jars    string
	process *Process
}

// StartHBase starts a cluster without tables, on loopback.
func StartHBase(t testing.TB) *HBase {
	t.Helper()
	Need(t, "java", "mvn")
	h := &HBase{t: t, Dir: t.TempDir(), jars: Maven(t, "hbase-2.5.11", hbasePOM, hbaseSums)}
	master := FreePort(t)
	h.Master = fmt.Sprintf("127.0.0.1:%d", master)
	site := hbaseSite(map[string]string{
		"hbase.rootdir": "file://" + filepath.Join(h.Dir, "hbase"),
		// Removed after a second, not two minutes, because tests check the content of files.
		"hbase.hfile.compaction.discharger.interval": "1000",
		"hbase.tmp.dir":                              filepath.Join(h.Dir, "tmp"),
		"hbase.zookeeper.property.dataDir":           filepath.Join(h.Dir, "zookeeper"),
		"hbase.zookeeper.property.clientPort":        fmt.Sprint(FreePort(t)),
		"hbase.master.port":                          fmt.Sprint(master),
		"hbase.regionserver.port":                    "0", // any: clients find it in hbase:meta
		"hbase.zookeeper.quorum":                     "127.0.0.1",
		"hbase.zookeeper.property.clientPortAddress": "127.0.0.1",
		"hbase.master.ipc.address":                   "127.0.0.1",
		"hbase.regionserver.ipc.address":             "127.0.0.1",
		"hbase.master.hostname":                      "localhost",
		"hbase.regionserver.hostname":                "localhost",
		"hbase.master.info.port":                     "-1", // no web pages
		"hbase.regionserver.info.port":               "-1",
		"hbase.cluster.distributed":                  "false",
		"hbase.wal.provider":                         "filesystem",
		"hbase.regionserver.handler.count":           "8",
		"hbase.unsafe.stream.capability.enforce":     "false",
		// Without separate checksum files, the local file system keeps flushed data after a kill.
		"fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
		// Each family of each region would take 2 MiB at once, and tests have hundreds.
		"hbase.hregion.memstore.mslab.enabled":          "false",
		"hbase.master.wait.on.regionservers.mintostart": "2",
		"hbase.master.wait.on.regionservers.interval":   "200",
	})
	for name, text := range map[string]string{
		"hbase-site.xml": site, "log4j.properties": hbaseLog1, "log4j2.properties": hbaseLog,
	} {
		if err := os.WriteFile(filepath.Join(h.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h.Restart()
	h.Ready()
	return h
}

// Kill kills the cluster, as kill -9 does.
func (h *HBase) Kill() { h.process.Kill() }

// Restart starts the cluster at the same address with its data. Call Ready to wait for it.
func (h *HBase) Restart() {
	h.t.Helper()
	args := []string{
		"-Xms256m", "-Xmx700m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true",
	}
	for _, p := range strings.Fields("java.io java.lang java.lang.ref java.lang.reflect java.math java.net java.nio " +
		"java.util java.util.concurrent jdk.internal.ref sun.nio.ch") {
		args = append(args, "--add-opens", "java.base/"+p+"=ALL-UNNAMED")
	}
	args = append(args, "--add-modules", "jdk.unsupported", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED",
		"org.apache.hadoop.hbase.master.HMaster", "--localRegionServers=2", "start")
	cmd := exec.Command("java", args...)
	cmd.Dir = h.Dir
	cmd.Env = append(os.Environ(), "CLASSPATH="+h.Dir+string(os.PathListSeparator)+filepath.Join(h.jars, "*"))
	h.process = Start(h.t, cmd)
}

// hbaseStart is generous for a busy machine.
const hbaseStart = 4 * time.Minute

// Ready waits for the line that the master logs after its start.
func (h *HBase) Ready() {
	h.t.Helper()
	h.process.AwaitLine("Master has completed initialization", hbaseStart)
}

// hbaseSite formats a configuration for HBase.
func hbaseSite(properties map[string]string) string {
	var b strings.Builder
	b.WriteString("<configuration>\n")
	for name, value := range properties {
		fmt.Fprintf(&b, "<property><name>%s</name><value>%s</value></property>\n", name, value)
	}
	b.WriteString("</configuration>\n")
	return b.String()
}

const hbaseLog1 = `log4j.rootLogger=INFO,c
log4j.appender.c=org.apache.log4j.ConsoleAppender
log4j.appender.c.target=System.err
log4j.appender.c.layout=org.apache.log4j.PatternLayout
log4j.appender.c.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
`

const hbaseLog = `rootLogger.level=INFO
rootLogger.appenderRef.c.ref=C
appender.c.type=Console
appender.c.name=C
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=%d %p %c{1}: %m%n
`
