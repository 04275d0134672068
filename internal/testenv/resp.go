package testenv

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readCommand reads one command of a client, and returns its bytes and its words.
func readCommand(r *bufio.Reader) (raw []byte, words []string, err error) {
	head, n, err := readHead(r)
	if err != nil {
		return nil, nil, err
	}
	if head[0] != '*' || n < 1 {
		return nil, nil, fmt.Errorf("a command begins with %q", head)
	}
	raw = append(raw, head...)
	for range n {
		one, err := readReply(r)
		if err != nil {
			return nil, nil, err
		}
		raw = append(raw, one...)
		_, word, _ := strings.Cut(string(one), "\r\n")
		words = append(words, strings.TrimSuffix(word, "\r\n"))
	}
	return raw, words, nil
}

// readReply reads one value of any type, unchanged. It returns a push message of Redis together
// with the next reply.
func readReply(r *bufio.Reader) ([]byte, error) {
	head, n, err := readHead(r)
	if err != nil {
		return nil, err
	}
	out := []byte(head)
	values := 0
	switch head[0] {
	case '$', '=', '!':
		if n < 0 {
			return out, nil
		}
		body := make([]byte, n+2)
		_, err := io.ReadFull(r, body)
		return append(out, body...), err
	case '*', '~':
		values = n
	case '>':
		values = n + 1
	case '%':
		values = 2 * n
	case '|':
		values = 2*n + 1
	}
	for range max(values, 0) {
		one, err := readReply(r)
		if err != nil {
			return nil, err
		}
		out = append(out, one...)
	}
	return out, nil
}

// readHead reads the first line of a value. The result `n` is the number in this line; 0 if the line has
// no number.
func readHead(r *bufio.Reader) (line string, n int, err error) {
	if line, err = r.ReadString('\n'); err != nil {
		return "", 0, err
	}
	if len(line) < 3 {
		return "", 0, fmt.Errorf("a value begins with %q", line)
	}
	n, _ = strconv.Atoi(strings.TrimSpace(line[1:])) // most types have none
	return line, n, nil
}
