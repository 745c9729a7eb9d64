package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// schedules is the folder of files that run ingest on a schedule.
const schedules = "../../docs/schedules"

// TestSchedules_files: the files in docs/schedules.md use existing flags.
func TestSchedules_files(t *testing.T) {
	help := mustRun(t, "--help").stdout
	flags := map[string]*regexp.Regexp{
		"gleaner.service":    regexp.MustCompile(`ExecStart=.*`),
		"gleaner.cron":       regexp.MustCompile(`/ingest --.*`),
		"cronjob.yaml":       regexp.MustCompile(`"ingest", "--.*`),
		"airflow_dag.py":     regexp.MustCompile(`pipeline_options=.*`),
		"cloud-scheduler.sh": regexp.MustCompile(`(?s)"parameters": {.*?}`),
		"../schedules.md":    regexp.MustCompile("\n(?:ingest --.*)|`--\\w+[`=]"),
	}
	name := regexp.MustCompile(`--([a-z_]+)|"([a-z_]+)":`)
	for file, command := range flags {
		data, err := os.ReadFile(filepath.Join(schedules, file))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, line := range command.FindAllString(string(data), -1) {
			for _, m := range name.FindAllStringSubmatch(line, -1) {
				flag := m[1] + m[2]
				if flag == "parameters" {
					continue
				}
				if found++; !strings.Contains(help, "--"+flag+"=") && !strings.Contains(help, "--"+flag+" ") {
					t.Errorf("%s names --%s, which --help does not", file, flag)
				}
			}
		}
		if found == 0 {
			t.Errorf("no flag was found in %s: the test tests nothing", file)
		}
	}
}

// TestSchedules_systemd: systemd accepts the unit files.
func TestSchedules_systemd(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not here; in Debian the package is called systemd")
	}
	dir := t.TempDir()
	for _, name := range []string{"gleaner.service", "gleaner.timer"} {
		data, err := os.ReadFile(filepath.Join(schedules, name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "/usr/local/bin/ingest", "/bin/true") // it asks for the program
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", filepath.Join(dir, "gleaner.service"),
		filepath.Join(dir, "gleaner.timer")).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// TestSchedules_scripts: shell and Python can parse their files.
func TestSchedules_scripts(t *testing.T) {
	for _, command := range [][]string{
		{"bash", "-n", "cloud-scheduler.sh"},
		{"python3", "-c", "import ast; ast.parse(open('airflow_dag.py').read())"},
	} {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Skipf("%s is not here", command[0])
		}
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = schedules
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", command, err, out)
		}
	}
}
