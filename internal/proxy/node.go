package proxy

import (
	"net/netip"
	"strings"
)

// mostBytes is the maximal length of a header line that is parsed.
const mostBytes = 16 << 10

// noNode is an entry without an address. Trusted.walk ends at such an entry.
const noNode = ""

// splitList returns the entries of a line of X-Forwarded-For, or only noNode for a line that is longer
// than mostBytes.
func splitList(line string) []string {
	if len(line) > mostBytes {
		return []string{noNode}
	}
	return strings.Split(line, ",")
}

// splitForwarded returns the entries of a line of Forwarded, one per element. For a line that is invalid
// or longer than mostBytes, it returns only noNode. A client could otherwise choose where the elements
// of an invalid line end.
func splitForwarded(line string) []string {
	if len(line) > mostBytes {
		return []string{noNode}
	}
	var nodes []string
	node := noNode
	for rest := line; ; {
		name, value, after, ok := cutPair(rest)
		if !ok {
			return []string{noNode}
		}
		if strings.EqualFold(name, "for") {
			node = value
		}
		if after == "" || after[0] == ',' {
			nodes, node = append(nodes, node), noNode
		}
		if after == "" {
			return nodes
		}
		rest = after[1:]
	}
}

// cutPair splits a pair such as for="[2001:db8::1]" off a line. The result `after` is empty or
// begins with the separator.
func cutPair(line string) (name, value, after string, ok bool) {
	name, rest, found := strings.Cut(line, "=")
	name = strings.Trim(name, " \t")
	if !found || name == "" || strings.ContainsAny(name, " \t,;\"") {
		return "", "", "", false
	}
	if quoted, is := strings.CutPrefix(rest, `"`); is {
		value, after, ok = cutQuoted(quoted)
	} else {
		end := strings.IndexAny(rest, ",;")
		if end < 0 {
			end = len(rest)
		}
		value, after = strings.TrimRight(rest[:end], " \t"), rest[end:]
		ok = value != "" && !strings.ContainsAny(value, " \t\"=")
	}
	after = strings.TrimLeft(after, " \t")
	return name, value, after, ok && (after == "" || after[0] == ',' || after[0] == ';')
}

// cutQuoted splits a quoted text off a line that begins after the opening quote.
func cutQuoted(line string) (value, after string, ok bool) {
	var text strings.Builder
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			return text.String(), line[i+1:], true
		case '\\':
			if i++; i == len(line) {
				return "", "", false
			}
		}
		text.WriteByte(line[i])
	}
	return "", "", false
}

// parseNode parses an address with or without brackets and port.
func parseNode(text string) (netip.Addr, bool) {
	text = strings.Trim(text, " \t")
	if addr, ok := parseAddr(text); ok {
		return addr, true
	}
	if inner, found := strings.CutPrefix(text, "["); found {
		host, port, closed := strings.Cut(inner, "]")
		if !closed || port != "" && !strings.HasPrefix(port, ":") {
			return netip.Addr{}, false
		}
		addr, ok := parseAddr(host)
		return addr, ok && addr.Is6()
	}
	host, _, _ := strings.Cut(text, ":")
	addr, ok := parseAddr(host)
	return addr, ok && addr.Is4()
}

// parseAddr parses an address. It removes the zone, and converts an IPv4 address in IPv6 form to
// IPv4.
func parseAddr(text string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(text)
	return addr.WithZone("").Unmap(), err == nil
}
