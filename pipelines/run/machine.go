package run

import (
	"cmp"
	"regexp"
	"strconv"
)

// Fleet is what is asked of Dataflow.
// It is for the estimate of a plan alone; the service decides what it gives.
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

// machinePattern are types of machines whose names say how many vCPUs they have.
// Custom types and families that are not in memoryPerCPU are
// left out: a guess at a price would be taken for a fact.
var machinePattern = regexp.MustCompile(`^([a-z0-9]+-(?:standard|highmem|highcpu))-([0-9]+)$`)

// DataflowFleet is what Beam's flags ask of Dataflow.
func DataflowFleet() Fleet {
	// Beam has two names for it, of which the first wins here.
	f := Fleet{Machine: cmp.Or(flagValue("worker_machine_type"), flagValue("machine_type"))}
	f.Begin, f.Most = flagNumber("num_workers"), flagNumber("max_num_workers")
	if m := machinePattern.FindStringSubmatch(f.Machine); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			f.VCPUs, f.GBPerCPU = n, memoryPerCPU[m[1]]
		}
	}
	return f
}

// flagNumber is the value of a flag of Beam that is a whole number.
// It is 0 where the flag was not given.
func flagNumber(name string) int {
	n, err := strconv.Atoi(flagValue(name))
	if err != nil {
		return 0 // there is no such flag, since what is not a number was refused
	}
	return n
}
