package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// cpuDuring returns the processor time that two processes take during f.
func cpuDuring(pids [2]int, f func() error) (spent [2]time.Duration, err error) {
	var before [2]time.Duration
	for i, pid := range pids {
		if before[i], err = cpuTime(pid); err != nil {
			return spent, err
		}
	}
	if err := f(); err != nil {
		return spent, err
	}
	for i, pid := range pids {
		after, err := cpuTime(pid)
		if err != nil {
			return spent, err
		}
		spent[i] = after - before[i]
	}
	return spent, nil
}

// cpuTime returns the processor time of a process so far, in steps of 10 ms.
func cpuTime(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(b), ") ") // the name before may contain any character
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("cannot read the processor time of %d", pid)
	}
	var ticks int
	for _, text := range fields[11:13] { // user and system time
		n, err := strconv.Atoi(text)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
