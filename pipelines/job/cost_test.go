package job

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

func TestCloud_print(t *testing.T) {
	const start = "if a vCPU is as fast as the core that this was measured on and never waits\n"
	const others = "--autoscaling_algorithm=THROUGHPUT_BASED --disk_size_gb=30\n"
	const noMachine = "flags that fit this plan: --worker_machine_type=n2-standard-4 --num_workers=2 " +
		"--max_num_workers=2 " + others
	for name, tt := range map[string]struct {
		flags map[string]string
		c     plan.Prices
		want  string
	}{
		"nothing known": {
			want: "Dataflow: machines of the service's choice, 1 at first, at most the service's choice\n" +
				"vCPU-hours 2, " + start + noMachine,
		},
		"machines": {
			flags: map[string]string{"worker_machine_type": "n2-standard-4", "num_workers": "1", "max_num_workers": "5"},
			want: "Dataflow: machines n2-standard-4, 1 at first, at most 5\nvCPU-hours 2, " + start +
				"6 min on 20 vCPUs, after some minutes in which the machines start\n" +
				"flags that fit this plan: " + others,
		},
		"prices": {
			flags: map[string]string{"worker_machine_type": "n2-standard-4"},
			c:     plan.Prices{VCPUHour: 0.5, GBHour: 0.25},
			want: "Dataflow: machines n2-standard-4, 1 at first, at most the service's choice\nvCPU-hours " +
				"2, " + start +
				"cost 3: vCPUs 1, memory 2 (8 GB-hours), by the prices given; disks, shuffled data, storage and traffic come on " +
				"top\nflags that fit this plan: --num_workers=2 --max_num_workers=2 " + others,
		},
		"price of unknown memory": {
			c: plan.Prices{GBHour: 1},
			want: "Dataflow: machines of the service's choice, 1 at first, at most the service's choice\n" +
				"vCPU-hours 2, " + start +
				"cost unknown: name a --worker_machine_type whose memory is known, such as n2-standard-8\n" +
				noMachine,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range []string{"worker_machine_type", "num_workers", "max_num_workers"} {
				value := tt.flags[f]
				if value == "" && f != "worker_machine_type" {
					value = "0"
				}
				if err := flag.Set(f, value); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, dataflowText(tt.c, load{units: 100, cpu: 7200})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAmount(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0123: "0.012", 3: "3", 9.96: "10", 1234.5: "1,235"} {
		if got := amount(v); got != want {
			t.Errorf("amount(%v) = %q, want %q", v, got, want)
		}
	}
}
