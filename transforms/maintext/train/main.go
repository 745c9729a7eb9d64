package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

func main() {
	samples, err := corpus(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriter(os.Stdout)
	switch os.Args[1] {
	case "first":
		t := newTables(os.Args[3])
		if err = exportFirst(samples, t); err == nil {
			err = t.close()
		}
	case "second":
		t := newTables(os.Args[3])
		if err = exportSecond(samples, t); err == nil {
			err = t.close()
		}
	case "predict":
		err = predict(samples, os.Args[3], w)
	case "show":
		err = show(samples, os.Args[3], os.Args[4], w)
	case "baseline":
		err = baseline(samples, w)
	case "evaluate":
		var p []prediction
		if p, err = readPredictions(os.Args[3]); err == nil {
			err = evaluate(samples, p, w)
		}
	default:
		err = fmt.Errorf("unknown command")
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		log.Fatal(err)
	}
}

func readPredictions(file string) (all []prediction, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	for d := json.NewDecoder(f); ; {
		var p prediction
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}
