// Command greeter is a small program for the tests of package testenv. It serves HTTP on a free port,
// prints its address, and ends with code 0 on SIGTERM. With the argument "fail" it prints an error and
// ends with code 3. With the argument "race", two goroutines first write the same variable.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	switch {
	case len(os.Args) > 1 && os.Args[1] == "fail":
		fmt.Fprintln(os.Stderr, "no such luck")
		os.Exit(3)
	case len(os.Args) > 1 && os.Args[1] == "race":
		race()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on http://%s\n", l.Addr())
	go func() {
		_ = http.Serve(l, http.HandlerFunc(greet)) // ends with the program
	}()
	<-ctx.Done()
}

func greet(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, os.Getenv("GREETING"), os.Getenv("USER"))
}

func race() {
	var n int
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n++ })
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr, n)
}
