// Command hello is a hello world of Gin, the peer of polls.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.GET("/hello", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"message": "hello world"}) })
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Printf("listening on http://%s\n", l.Addr())
		err = (&http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second}).Serve(l)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
