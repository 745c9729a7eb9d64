package run

import (
	"cmp"
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Fleet is the requested size of a Dataflow job, for estimates.
type Fleet struct {
	Machine  string  // type, or "" for the service's choice
	VCPUs    int     // of a machine; 0 if unknown
	GBPerCPU float64 // memory; 0 if unknown
	Begin    int     // initial machines; 0 for the service's choice
	Most     int     // maximum machines; 0 for the service's choice
	Scaling  string  // algorithm that changes the number of machines, or "" for the service's choice
	DiskGB   int     // of a machine; 0 for the service's choice
}

// memoryPerCPU has the GB of memory for each vCPU of Google's common machine types.
var memoryPerCPU = map[string]float64{
	"n1-standard": 3.75, "n1-highmem": 6.5, "n1-highcpu": 0.9,
	"n2-standard": 4, "n2-highmem": 8, "n2-highcpu": 1,
	"n2d-standard": 4, "n2d-highmem": 8, "n2d-highcpu": 1,
	"e2-standard": 4, "e2-highmem": 8, "e2-highcpu": 1,
	"t2d-standard": 4, "t2a-standard": 4,
}

// machinePattern matches machine types that name their vCPUs. Others are left out, since a guessed price would be
// taken for a fact.
var machinePattern = pattern.Lazy(`^([a-z0-9]+-(?:standard|highmem|highcpu))-([0-9]+)$`)

// DataflowFleet returns the fleet that Beam's flags request.
func DataflowFleet() Fleet {
	// Beam has two names for this flag.
	f := Fleet{Machine: cmp.Or(flagValue("worker_machine_type"), flagValue("machine_type"))}
	f.Begin, f.Most = flagNumber("num_workers"), flagNumber("max_num_workers")
	f.Scaling, f.DiskGB = flagValue("autoscaling_algorithm"), flagNumber("disk_size_gb")
	if m := machinePattern().FindStringSubmatch(f.Machine); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			f.VCPUs, f.GBPerCPU = n, memoryPerCPU[m[1]]
		}
	}
	return f
}

// flagNumber returns the value of an integer flag of Beam, or 0 if not given.
func flagNumber(name string) int {
	n, err := strconv.Atoi(flagValue(name))
	if err != nil {
		return 0 // no such flag: Parse has refused other values
	}
	return n
}
