package paramlist

import "strings"

// members calls the function `put` with the name and the value of each member of a JSON object. Both are
// JSON texts. The caller passes an object without blanks between its parts. members ends when `put`
// returns false. It returns true if the object has members and `put` returned true for each member.
func members(object string, put func(name, value string) bool) bool {
	if !strings.HasPrefix(object, "{") {
		return false
	}
	for rest := object; rest != "}"; {
		name := textEnd(rest[1:]) + 1
		if name == 0 || name == len(rest) || rest[name] != ':' {
			return false
		}
		end := valueEnd(rest[name+1:]) + name + 1
		if end <= name+1 || rest[end] == ']' || !put(rest[1:name], rest[name+1:end]) {
			return false
		}
		if rest = rest[end:]; rest[0] == '}' && len(rest) > 1 {
			return false
		}
	}
	return true
}

// valueEnd returns the length of the JSON value at the beginning of s; 0 if s begins with a comma or a
// closing bracket. It returns -1 if the value is not followed by a comma or a closing bracket.
func valueEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := textEnd(s[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return i
			}
			if s[i] != ',' {
				depth--
			}
		}
	}
	return -1
}

// textEnd returns the length of the JSON string at the beginning of s; -1 if s does not begin with
// a complete JSON string.
func textEnd(s string) int {
	if !strings.HasPrefix(s, `"`) {
		return -1
	}
	for i := 1; i < len(s); i++ {
		next := strings.IndexByte(s[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		back := i
		for s[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i + 1
		}
	}
	return -1
}
