package job

import (
	"flag"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/run"
)

func TestFleetText(t *testing.T) {
	month := load{units: 90_000, cpu: 5000 * 3600, output: 16e12}
	for name, tt := range map[string]struct {
		f    run.Fleet
		w    load
		want string // "" for no line
	}{
		"a file": {
			w: load{units: 1, cpu: 10, output: 1e6},
			want: "--worker_machine_type=n2-standard-4 --num_workers=1 --max_num_workers=1 " +
				"--autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=31",
		},
		"nothing": {
			want: "--worker_machine_type=n2-standard-4 --num_workers=1 --max_num_workers=1 " +
				"--autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=30",
		},
		// 56 hours of a core: 42 machines of four for 20 minutes each, and 16,000 units.
		"a terabyte": {
			w: load{units: 16_000, cpu: 56 * 3600, output: 2e11},
			want: "--worker_machine_type=n2-standard-4 --num_workers=42 --max_num_workers=42 " +
				"--autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=31",
		},
		"a month": {
			w: month,
			want: "--worker_machine_type=n2-standard-4 --num_workers=1000 --max_num_workers=1000 " +
				"--autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=32",
		},
		// 160 units are 4 for each of 40 vCPUs.
		"few large units": {
			f:    run.Fleet{Machine: "n2-highcpu-8", VCPUs: 8, DiskGB: 50},
			w:    load{units: 160, cpu: 500 * 3600},
			want: "--num_workers=5 --max_num_workers=5 --autoscaling_algorithm=THROUGHPUT_BASED",
		},
		"a limit": {
			f:    run.Fleet{Machine: "n2-standard-4", VCPUs: 4, Most: 20},
			w:    month,
			want: "--num_workers=20 --autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=32",
		},
		"a limit beyond need": {
			f:    run.Fleet{Machine: "n2-standard-4", VCPUs: 4, Most: 20, Scaling: "NONE", DiskGB: 30},
			w:    load{units: 3, cpu: 30},
			want: "--num_workers=1",
		},
		"a beginning": {
			f:    run.Fleet{Begin: 7, Scaling: "NONE"},
			w:    load{units: 1, cpu: 1},
			want: "--worker_machine_type=n2-standard-4 --max_num_workers=7 --disk_size_gb=30",
		},
		"unknown machine": {f: run.Fleet{Machine: "custom"}, w: month},
		"all given": {
			f: run.Fleet{Machine: "n2-standard-4", VCPUs: 4, Begin: 1, Most: 2, Scaling: "NONE", DiskGB: 30}, w: month,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := fleetText(tt.f, tt.w)
			if want := "flags that fit this plan: " + tt.want + "\n"; got != want && (tt.want != "" || got != "") {
				t.Errorf("fleetText(%+v, %+v) =\n%q, want\n%q", tt.f, tt.w, got, want)
			}
		})
	}
}

// TestFleetText_flags: the suggested flags exist, and take these values.
func TestFleetText_flags(t *testing.T) {
	given, n := strings.Fields(strings.TrimPrefix(fleetText(run.Fleet{}, load{}), "flags that fit this plan:")), 0
	for _, f := range given {
		name, value, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		known := flag.Lookup(name)
		if known == nil {
			t.Errorf("there is no flag %s", name)
			continue
		}
		if err := flag.Set(name, value); err != nil {
			t.Error(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, known.DefValue) }) // a default is valid
		n++
	}
	want := run.Fleet{
		Machine: "n2-standard-4", VCPUs: 4, GBPerCPU: 4, Begin: 1, Most: 1, Scaling: "THROUGHPUT_BASED", DiskGB: 30,
	}
	if f := run.DataflowFleet(); n != 5 || f != want {
		t.Errorf("%d flags make the fleet %+v", n, f)
	}
}
