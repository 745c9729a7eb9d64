//go:build linux

package jobserver

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// flinkRequirement pins Flink, a Python package, by hash.
//
//go:embed flink.txt
var flinkRequirement []byte

// flinkOf finds the Flink version in the name of Beam's job server, which must be that of the cluster.
var flinkOf = regexp.MustCompile(`flink-(\d+\.\d+)`)

// FlinkCluster is a standalone cluster of a job manager and two task managers with one slot each, so that one can be
// killed.
type FlinkCluster struct {
	REST         string // the job manager's web interface: host:port
	TaskManagers []*Process

	jobManager *Process

	t       testing.TB
	java    string
	classes string // Java's class path
	conf    string // folder of the configuration
}

// Flink starts a Flink cluster and a job server of Beam for it. FLINK_JOB_SERVER_JAR names the file of the one that
// Beam publishes, beam-runners-flink-1.20-job-server. With GLEANER_SLOW it uses an older release, see olderFlink. If
// FLINK_JOB_SERVER is the endpoint of a running job server, it uses that, and the cluster is nil. If nothing is set,
// it skips the test and fetches nothing.
func Flink(t testing.TB) (*Server, *FlinkCluster) {
	t.Helper()
	if endpoint := os.Getenv("FLINK_JOB_SERVER"); endpoint != "" {
		if err := listening(endpoint); err != nil {
			t.Fatalf("FLINK_JOB_SERVER: %v", err)
		}
		return &Server{Endpoint: endpoint}, nil
	}
	program := flinkJobServer(t)
	c := StartFlinkCluster(t)
	endpoint := freeEndpoint(t)
	_, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	// 0 means any port; only the job port must be known.
	flags := []string{
		"--flink-master=" + c.REST, "--flink-conf-dir=" + c.conf, "--job-host=127.0.0.1", "--job-port=" + port,
		"--artifact-port=0", "--expansion-port=0", "--artifacts-dir=" + t.TempDir(),
	}
	// The job server is Java too, and a client of Flink.
	args := slices.Concat(javaFlags(), []string{jobServerHeap}, program, flags)
	p := start(t, "jobserver", exec.Command(c.java, args...))
	p.Await(startLimit, func() error { return listening(endpoint) })
	return &Server{p, endpoint}, c
}

// jobServerHeap is the maximum that our docs promise for any number of units.
const jobServerHeap = "-Xmx400m"

// flinkJobServer returns the arguments for Java to start the job server.
func flinkJobServer(t testing.TB) []string {
	t.Helper()
	jar := os.Getenv("FLINK_JOB_SERVER_JAR")
	if jar == "" {
		return []string{"-cp", filepath.Join(olderFlink(t), "*"), "org.apache.beam.runners.flink.FlinkJobServerDriver"}
	}
	// FLINK_HOME may have any version.
	if other := flinkOf.FindStringSubmatch(filepath.Base(jar)); other != nil && other[1] != "1.20" &&
		os.Getenv("FLINK_HOME") == "" {
		t.Fatalf("FLINK_JOB_SERVER_JAR is for Flink %s, and Flink 1.20 would be fetched: set FLINK_HOME to a distribution "+
			"of Flink %[1]s", other[1])
	}
	return []string{"-jar", jar}
}

// StartFlinkCluster starts a Flink cluster from the distribution in FLINK_HOME, or from a download. That is Flink
// 1.20 (230 MB) if FLINK_JOB_SERVER_JAR is set, or else Flink 1.16, see olderFlink.
func StartFlinkCluster(t testing.TB) *FlinkCluster {
	t.Helper()
	c := &FlinkCluster{t: t, classes: filepath.Join(flinkLibraries(t), "*"), REST: freeEndpoint(t), conf: t.TempDir()}
	var err error
	if c.java, err = exec.LookPath("java"); err != nil {
		t.Skip("no Java: install openjdk-17-jre-headless")
	}
	c.configure()
	c.jobManager = c.run("jobmanager", "1024m", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint")
	// One slot each, so that a job of two workers needs both.
	for i := range 2 {
		c.TaskManagers = append(c.TaskManagers, c.taskManager(i))
	}
	// registered checks the number, so waiting once is enough.
	c.TaskManagers[1].Await(startLimit, func() error { return c.registered(2) })
	return c
}

// Restart starts task manager i again after a kill, and waits for its registration.
func (c *FlinkCluster) Restart(i int) {
	c.t.Helper()
	c.TaskManagers[i] = c.taskManager(i)
	c.TaskManagers[i].Await(startLimit, func() error { return c.registered(2) })
}

// taskManager starts task manager i, with less memory than the job manager.
func (c *FlinkCluster) taskManager(i int) *Process {
	c.t.Helper()
	return c.run(fmt.Sprintf("taskmanager%d", i), "512m", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner")
}

// run starts a part of the cluster by its main class, since the package has no scripts.
func (c *FlinkCluster) run(name, heap, class string) *Process {
	c.t.Helper()
	args := append(javaFlags(), "-Xmx"+heap, "-XX:MaxDirectMemorySize=512m", "-cp", c.classes, class,
		"--configDir", c.conf)
	cmd := exec.Command(c.java, args...)
	// Flink leaves files in its working folder.
	cmd.Dir = c.t.TempDir()
	return start(c.t, name, cmd)
}

// javaFlags returns flags for Flink 1.16 to 1.20, also for clients. They open what Java 17 closes, as Flink's own
// scripts do. They also make the JVMs of short jobs cheaper, see docs/clusters/flink.md: hardly any data passes through
// them.
func javaFlags() []string {
	flags := []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}
	for _, name := range []string{
		"lang", "net", "io", "nio", "sun.net.util", "sun.nio.ch", "lang.reflect", "text", "time", "util",
		"util.concurrent", "util.concurrent.atomic", "util.concurrent.locks",
	} {
		if !strings.HasPrefix(name, "sun.") {
			name = "java." + name
		}
		flags = append(flags, "--add-opens=java.base/"+name+"=ALL-UNNAMED")
	}
	return flags
}

// configure writes the cluster's configuration. Without Flink's scripts, each part of a task manager's memory must be
// given. All addresses are loopback, so that nobody else can send jobs. A killed task manager is noticed after ten
// seconds, and its jobs restart after two.
func (c *FlinkCluster) configure() {
	c.t.Helper()
	host, rest, err := net.SplitHostPort(c.REST)
	if err != nil {
		c.t.Fatal(err)
	}
	_, rpc, err := net.SplitHostPort(freeEndpoint(c.t))
	if err != nil {
		c.t.Fatal(err)
	}
	text := "jobmanager.rpc.address: " + host + "\njobmanager.rpc.port: " + rpc + "\njobmanager.bind-host: " + host +
		"\nrest.address: " + host + "\nrest.bind-address: " + host + "\nrest.port: " + rest +
		"\ntaskmanager.host: " + host + "\ntaskmanager.bind-host: " + host + "\nio.tmp.dirs: " + c.t.TempDir() + `
taskmanager.numberOfTaskSlots: 1
taskmanager.cpu.cores: 1.0
taskmanager.memory.task.heap.size: 256m
taskmanager.memory.task.off-heap.size: 0m
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.managed.size: 128m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
parallelism.default: 2
heartbeat.interval: 2000
heartbeat.timeout: 10000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 10
restart-strategy.fixed-delay.delay: 2s
`
	// Before Flink 1.19 the file had the second name and another key.
	older := strings.ReplaceAll(text, "restart-strategy.type:", "restart-strategy:")
	for name, text := range map[string]string{"config.yaml": text, "flink-conf.yaml": older} {
		if err := os.WriteFile(filepath.Join(c.conf, name), []byte(text), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Overview is the state of a cluster.
type Overview struct {
	TaskManagers int `json:"taskmanagers"`
	Running      int `json:"jobs-running"`
}

// Overview asks the job manager's web interface.
func (c *FlinkCluster) Overview() (Overview, error) {
	client := &http.Client{Timeout: 10 * time.Second}
	var o Overview
	r, err := client.Get("http://" + c.REST + "/overview")
	if err != nil {
		return o, err
	}
	defer func() { _ = r.Body.Close() }() // it was read
	return o, json.NewDecoder(r.Body).Decode(&o)
}

// registered returns nil if the cluster has n task managers.
func (c *FlinkCluster) registered(n int) error {
	o, err := c.Overview()
	if err == nil && o.TaskManagers != n {
		err = fmt.Errorf("%d task managers, want %d", o.TaskManagers, n)
	}
	return err
}

// flinkLibraries returns the folder of Flink's jars.
func flinkLibraries(t testing.TB) string {
	t.Helper()
	if home := os.Getenv("FLINK_HOME"); home != "" {
		return filepath.Join(home, "lib")
	}
	if os.Getenv("FLINK_JOB_SERVER_JAR") == "" {
		return olderFlink(t)
	}
	dir, err := once(t, "flink-1.20", fetchFlink)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "lib")
}

// fetchFlink downloads the package and extracts its folder lib into dir.
func fetchFlink(dir string) error {
	list := filepath.Join(dir, "flink.txt")
	if err := os.WriteFile(list, flinkRequirement, 0o644); err != nil {
		return err
	}
	// The requirement has the hash, so nothing else can be installed.
	if err := quietly(exec.Command("python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:",
		"--require-hashes", "-r", list, "-d", dir)); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tar.gz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("pip left %v in %s: %w", archives, dir, err)
	}
	// Only the jars are needed; the rest is Python.
	if err := quietly(exec.Command("tar", "-xzf", archives[0], "-C", dir, "--strip-components=2", "--wildcards",
		"*/deps/lib")); err != nil {
		return err
	}
	return os.Remove(archives[0])
}
