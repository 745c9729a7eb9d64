package job

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// text says what would be asked of Dataflow for work that takes cpu seconds of one core.
// Prices are the user's, because they differ by region and contract and would be wrong here by tomorrow.
func (c Prices) text(cpu float64) string {
	f := run.DataflowFleet()
	var b strings.Builder
	fmt.Fprintf(&b, "Dataflow: machines %s, %s at first, at most %s\n",
		cmp.Or(f.Machine, "of the service's choice"), number(f.Begin), number(f.Most))
	hours := cpu / 3600
	fmt.Fprintf(&b, "vCPU-hours %s, if a vCPU is as fast as the core that this was measured on and never waits\n",
		amount(hours))
	// A fleet that the service chooses has no size to divide by.
	if most := cmp.Or(f.Most, f.Begin); most*f.VCPUs > 0 {
		fmt.Fprintf(&b, "%s on %d vCPUs, after some minutes in which the machines start\n",
			duration(cpu/float64(most*f.VCPUs)), most*f.VCPUs)
	}
	if c.VCPUHour+c.GBHour > 0 {
		b.WriteString(c.cost(f, hours))
	}
	return b.String()
}

// cost is a line that says what the machines' hours cost at the user's prices.
func (c Prices) cost(f run.Fleet, hours float64) string {
	// Memory is billed by what the machine has, and not by what is used of it.
	if c.GBHour > 0 && f.GBPerCPU == 0 {
		return "cost unknown: name a --worker_machine_type whose memory is known, such as n2-standard-8\n"
	}
	vcpu, memory := hours*c.VCPUHour, hours*f.GBPerCPU*c.GBHour
	return fmt.Sprintf("cost %s: vCPUs %s, memory %s (%s GB-hours), by the prices given; disks, shuffled data, storage "+
		"and traffic come on top\n",
		amount(vcpu+memory), amount(vcpu), amount(memory), amount(hours*f.GBPerCPU))
}

// amount writes a number with two digits that count, or those before the point.
func amount(v float64) string {
	if v >= 10 {
		return cli.FormatCount(int64(v + 0.5))
	}
	return fmt.Sprintf("%.2g", v)
}

// number is a number of machines.
func number(n int) string {
	if n == 0 {
		return "the service's choice"
	}
	return fmt.Sprint(n)
}

// duration is a length of time in words, of two digits or so: it is an estimate. It is never 0.
func duration(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(seconds, 1))
	case seconds < 5400:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}
