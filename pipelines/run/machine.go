package run

import (
	"cmp"
	"strconv"
	"strings"
)

// Fleet is what is asked of Dataflow.
type Fleet struct {
	Machine  string  // type, "" for the service's choice
	VCPUs    int     // of a machine, 0 when the type does not say
	GBPerCPU float64 // of memory, 0 when the type does not say
	Begin    int     // machines at first, 0 for the service's choice
	Most     int     // machines at most, 0 for the service's choice
}

// memoryPerCPU is how much memory the well-known types of Google's machines have, GB for each vCPU. Others are not
// guessed at.
var memoryPerCPU = map[string]float64{
	"n1-standard": 3.75, "n1-highmem": 6.5, "n1-highcpu": 0.9,
	"n2-standard": 4, "n2-highmem": 8, "n2-highcpu": 1,
	"n2d-standard": 4, "n2d-highmem": 8, "n2d-highcpu": 1,
	"e2-standard": 4, "e2-highmem": 8, "e2-highcpu": 1,
	"t2d-standard": 4, "t2a-standard": 4,
}

// DataflowFleet is what Beam's flags ask of Dataflow.
func DataflowFleet() Fleet {
	f := Fleet{Machine: cmp.Or(flagValue("worker_machine_type"), flagValue("machine_type"))}
	f.Begin, _ = strconv.Atoi(flagValue("num_workers")) // numbers, since they were parsed
	f.Most, _ = strconv.Atoi(flagValue("max_num_workers"))
	if i := strings.LastIndexByte(f.Machine, '-'); i > 0 {
		f.VCPUs, _ = strconv.Atoi(f.Machine[i+1:]) // custom machines and others have no number there
		f.GBPerCPU = memoryPerCPU[f.Machine[:i]]
	}
	return f
}
