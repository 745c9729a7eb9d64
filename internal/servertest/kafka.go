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

// The jars of Kafka 4.3.1 and its logging: Maven's coordinates, and the checksums of all files.
var (
	//go:embed kafka.xml
	kafkaPOM string
	//go:embed kafka.sha256
	kafkaSums string
)

// Kafka is a broker that is its own controller (KRaft, without ZooKeeper).
type Kafka struct {
	Brokers string // host:port
	t       testing.TB
	dir     string // of its configuration and data
	jars    string
	process *Process
}

// StartKafka starts an empty broker. Topics are created by the first write, with four partitions.
func StartKafka(t testing.TB) *Kafka {
	t.Helper()
	Need(t, "java", "mvn")
	k := &Kafka{t: t, dir: t.TempDir(), jars: Maven(t, "kafka-4.3.1", kafkaPOM, kafkaSums)}
	// The second port is the controller's own.
	port, controller := FreePort(t), FreePort(t)
	k.Brokers = fmt.Sprintf("127.0.0.1:%d", port)
	k.write("log4j2.properties", kafkaLog)
	k.write("server.properties", strings.NewReplacer("PORT", fmt.Sprint(port), "INNER", fmt.Sprint(controller), "DATA",
		filepath.Join(k.dir, "data")).Replace(kafkaConfig))
	// The cluster id is any 16 bytes in base 64.
	format := k.java("kafka.tools.StorageTool", "format", "--standalone", "-t", "Z2xlYW5lci1rYWZrYS10ZQ", "-c",
		"server.properties")
	if out, err := format.CombinedOutput(); err != nil {
		t.Fatalf("Kafka's storage: %v: %s", err, out)
	}
	k.Restart()
	k.Ready()
	return k
}

// Kill kills the broker, as kill -9 does. Acknowledged data is in its files or the system's cache.
func (k *Kafka) Kill() { k.process.Kill() }

// Restart starts a killed broker at the same address with its data.
func (k *Kafka) Restart() {
	k.t.Helper()
	k.process = Start(k.t, k.java("kafka.Kafka", "server.properties"))
}

// kafkaStart is generous for a busy machine.
const kafkaStart = 3 * time.Minute

// Ready waits until the broker answers. Clients may wait themselves instead.
func (k *Kafka) Ready() {
	k.t.Helper()
	k.process.AwaitLine("Kafka Server started", kafkaStart)
}

// write writes a configuration file.
func (k *Kafka) write(name, text string) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o644); err != nil {
		k.t.Fatal(err)
	}
}

// java returns a command of Kafka's, with little memory and a quick start. The star in CLASSPATH stands for all jars
// of a folder.
func (k *Kafka) java(args ...string) *exec.Cmd {
	options := []string{
		"-Xms128m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-Dlog4j2.configurationFile=file:log4j2.properties",
	}
	cmd := exec.Command("java", append(options, args...)...)
	cmd.Dir = k.dir
	cmd.Env = append(os.Environ(), "CLASSPATH="+filepath.Join(k.jars, "*"))
	return cmd
}

// One broker allows only factors of 1; the defaults need three.
const kafkaConfig = `process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:INNER
listeners=PLAINTEXT://127.0.0.1:PORT,CONTROLLER://127.0.0.1:INNER
advertised.listeners=PLAINTEXT://127.0.0.1:PORT,CONTROLLER://127.0.0.1:INNER
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=DATA
num.partitions=4
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=true
`

const kafkaLog = `rootLogger.level=WARN
rootLogger.appenderRef.c.ref=C
appender.c.type=Console
appender.c.name=C
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=%d %p %c %m%n
logger.k.name=kafka.server.KafkaRaftServer
logger.k.level=INFO
`
