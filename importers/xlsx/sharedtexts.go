package xlsx

// sharedTexts holds the shared strings of a workbook: the texts to which cells refer by number. It reads
// them only as far as cells need it. drain reads the rest, to check that the part is complete.
type sharedTexts struct {
	x     *xmlScanner // nil after the end of the table, or without a table
	arena arena
	clip  int
	buf   []byte
}

// openSharedTexts opens the shared strings in the part with the given name. The name is "" if the
// workbook has no shared strings.
func openSharedTexts(c *Container, name string) (*sharedTexts, error) {
	t := &sharedTexts{arena: arena{memory: c.limit.Memory, dir: c.limit.Dir}, clip: c.limit.KeptBytes()}
	if name == "" {
		return t, nil
	}
	x, err := c.open(name)
	if err != nil {
		return nil, err
	}
	t.x = x
	return t, x.enter("sst")
}

// text returns the shared string with the number `i`, which is valid until the next call of a method. It
// returns false if the workbook has no such string.
func (t *sharedTexts) text(i int) ([]byte, bool, error) {
	for i >= t.arena.texts && t.x != nil {
		if err := t.read(); err != nil {
			return nil, false, err
		}
	}
	if i < 0 || i >= t.arena.texts {
		return nil, false, nil
	}
	b, err := t.arena.get(i)
	return b, true, err
}

// read reads and stores the next shared string. After the last one, it sets t.x to nil.
func (t *sharedTexts) read() error {
	tok, err := t.x.next()
	if err != nil {
		return err
	}
	switch {
	case tok == tokenEOF:
		t.x = nil
	case tok == tokenText:
		return t.x.blankText()
	case tok == tokenStart && string(local(t.x.name)) == "si":
		if t.buf, err = t.x.richText(t.buf[:0], t.clip); err != nil {
			return err
		}
		t.buf = decodeEscapes(t.buf, 0)
		return t.arena.add(t.buf)
	case tok == tokenStart && string(local(t.x.name)) == "extLst":
		return t.x.skip()
	case tok == tokenStart:
		return t.x.damaged("there is an unknown element %q", t.x.name)
	}
	return nil
}

// drain reads the rest of the shared strings without storing them.
func (t *sharedTexts) drain() error {
	for t.x != nil {
		tok, err := t.x.next()
		if err != nil {
			return err
		}
		if tok == tokenEOF {
			t.x = nil
		}
	}
	return nil
}

func (t *sharedTexts) close() error { return t.arena.close() }

// richText appends the text of the <si> or <is> whose start tag was just read. This is its own text, or
// the joined texts of its formatted parts. richText skips phonetic readings, and appends at most `clip`
// bytes.
func (x *xmlScanner) richText(dst []byte, clip int) ([]byte, error) {
	most := len(dst) + clip
	for runs := 0; ; {
		tok, err := x.next()
		if err != nil {
			return dst, err
		}
		switch tok {
		case tokenEnd:
			if runs--; runs < 0 {
				return dst, nil
			}
		case tokenText:
			err = x.blankText()
		case tokenStart:
			switch string(local(x.name)) {
			case "t":
				dst, err = x.collect(dst, most-len(dst))
			case "r":
				runs++
			default:
				err = x.skip()
			}
		}
		if err != nil {
			return dst, err
		}
	}
}
