package queue

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// By is the sort order of a Query. Keys with equal values are sorted by key.
type By string

// These are the orders of a Query. For ByKey and ByRetryCount, Admin reads every key. For ByUpdatedAt,
// Admin stops at the end of the page. For ByRunAt, Admin reads delayed keys up to the end of the page,
// and all keys that are due or in flight.
const (
	ByKey        By = "id"
	ByRunAt      By = "perform_in"
	ByRetryCount By = "retry_count"
	ByUpdatedAt  By = "updated_at" // only in the morgue
)

// These are the bounds of a page.
const (
	defaultPage = 10
	maxPage     = 1000
	shownEach   = 100 // payloads per key on a page
)

// ErrBadQuery means an invalid Query: an order that the list does not have, bounds that are not numbers,
// or a cursor of another order. Admin.Drain returns it for a blank node name. A retry fails again.
var ErrBadQuery = errors.New("bad query")

// Query is a selection of one page of keys. The zero value selects the first ten in the order of keys.
type Query struct {
	By   By // default ByKey
	Desc bool

	// Min and Max are the least and the greatest value of the sort order on the page; "" means no limit.
	// They are keys for ByKey, unix ms for ByRunAt and ByUpdatedAt, and numbers for ByRetryCount.
	Min, Max string

	// Prefix selects the keys that begin with it; "" selects all.
	Prefix string

	Limit  int    // default 10, at most 1000
	Each   int    // payloads per key; default and maximum 100
	Cursor string // of the previous page, "" = the first page
}

// KeyInfo is one key of a page.
type KeyInfo struct {
	Key        string
	RunAt      time.Time // zero in the morgue
	UpdatedAt  time.Time // time of the last death; zero for a waiting key
	RetryCount int       // -1 = not failed yet, or in the morgue
	Payloads   []PayloadInfo
	Count      int    // all payloads of the key, of which Payloads holds the first: see Query.Each
	Err        string // text of the last error
}

// PayloadInfo is one payload with its score.
type PayloadInfo struct {
	Payload []byte
	Score   float64
}

// MarshalJSON writes the fields of Lowkiq, a job queue for Ruby. The times are in unix seconds. The
// payloads are pairs of payload and score. The field count is not of Lowkiq.
func (k KeyInfo) MarshalJSON() ([]byte, error) {
	type pair [2]any
	out := struct {
		ID         string   `json:"id"`
		RunAt      *float64 `json:"perform_in,omitempty"`
		UpdatedAt  *float64 `json:"updated_at,omitempty"`
		RetryCount int      `json:"retry_count"`
		Payloads   []pair   `json:"payloads"`
		Count      int      `json:"count"`
		Err        string   `json:"error,omitempty"`
	}{ID: k.Key, RetryCount: k.RetryCount, Count: k.Count, Err: k.Err, Payloads: []pair{}}
	out.RunAt, out.UpdatedAt = seconds(k.RunAt), seconds(k.UpdatedAt)
	for _, p := range k.Payloads {
		out.Payloads = append(out.Payloads, pair{strings.ToValidUTF8(string(p.Payload), "�"), p.Score})
	}
	return json.Marshal(out)
}

func seconds(t time.Time) *float64 {
	if t.IsZero() {
		return nil
	}
	f := float64(t.UnixMilli()) / 1000
	return &f
}

// Page is the result of a Query. Cursor is "" on the last page.
type Page struct {
	Keys   []KeyInfo `json:"keys"`
	Cursor string    `json:"cursor"`
}

// position is a key with its value in the sort order of a query.
type position struct {
	num float64 // 0 in the order ByKey
	key string
}

func (m position) compare(o position) int {
	switch {
	case m.num < o.num:
		return -1
	case m.num > o.num:
		return 1
	}
	return strings.Compare(m.key, o.key)
}

// hit is a key found by a query.
type hit struct {
	position
	shard *shardKeys
	runAt float64 // 0 = unknown
}

// search holds the hits of one page: the first hits of a query after its cursor.
type search struct {
	q        Query
	min, max position
	after    *position
	hits     []hit
}

func newSearch(q Query, orders ...By) (*search, error) {
	if q.By == "" {
		q.By = ByKey
	}
	if q.Limit <= 0 {
		q.Limit = defaultPage
	}
	q.Limit = min(q.Limit, maxPage)
	if q.Each <= 0 || q.Each > shownEach {
		q.Each = shownEach
	}
	s := &search{q: q, min: position{num: math.Inf(-1)}, max: position{num: math.Inf(1)}}
	if !slices.Contains(orders, q.By) {
		return nil, fmt.Errorf("queue: cannot order by %q: %w", q.By, ErrBadQuery)
	}
	for _, bound := range []struct {
		text string
		to   *position
		key  string
	}{{q.Min, &s.min, ""}, {q.Max, &s.max, "\xff"}} {
		if bound.text == "" {
			continue
		}
		if q.By == ByKey {
			*bound.to = position{key: bound.text}
			continue
		}
		num, err := strconv.ParseFloat(bound.text, 64)
		if err != nil || math.IsNaN(num) {
			return nil, fmt.Errorf("queue: bound %.40q is not a number: %w", bound.text, ErrBadQuery)
		}
		*bound.to = position{num: num, key: bound.key}
	}
	return s, s.resume()
}

// cursor encodes a position and the order of the query.
func (q Query) cursor(m position) string {
	text := fmt.Sprintf("%s;%t;%s;%s", q.By, q.Desc, formatScore(m.num), m.key)
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func (s *search) resume() error {
	if s.q.Cursor == "" {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(s.q.Cursor)
	parts := strings.SplitN(string(text), ";", 4)
	if err != nil || len(parts) != 4 || By(parts[0]) != s.q.By ||
		parts[1] != strconv.FormatBool(s.q.Desc) {
		return fmt.Errorf("queue: cursor of another query: %w", ErrBadQuery)
	}
	num, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || math.IsNaN(num) {
		return fmt.Errorf("queue: cursor of another query: %w", ErrBadQuery)
	}
	s.after = &position{num, parts[3]}
	return nil
}

// order compares two positions in the direction of the query.
func (s *search) order(a, b position) int {
	if s.q.Desc {
		a, b = b, a
	}
	return a.compare(b)
}

// offer adds a hit if it may belong to the page. It keeps one hit more than the page has, which
// shows whether another page follows.
func (s *search) offer(h hit) {
	switch {
	case !strings.HasPrefix(h.key, s.q.Prefix):
	case h.compare(s.min) < 0 || h.compare(s.max) > 0:
	case s.after != nil && s.order(h.position, *s.after) <= 0:
	default:
		if len(s.hits) > s.q.Limit && s.order(h.position, s.hits[len(s.hits)-1].position) > 0 {
			return
		}
		i, _ := slices.BinarySearchFunc(s.hits, h, func(a, b hit) int { return s.order(a.position, b.position) })
		if i < len(s.hits) && s.hits[i].position == h.position {
			return // the scan returned it twice
		}
		s.hits = slices.Insert(s.hits, i, h)
		s.hits = s.hits[:min(len(s.hits), s.q.Limit+1)]
	}
}

// page returns the hits of the page and the cursor of the next page, "" on the last page.
func (s *search) page() ([]hit, string) {
	if len(s.hits) <= s.q.Limit {
		return s.hits, ""
	}
	hits := s.hits[:s.q.Limit]
	return hits, s.q.cursor(hits[len(hits)-1].position)
}

// scanPage is how many entries one command reads from a zset, list or hash.
const scanPage = 1000

// zset passes the members of a sorted set to the method offer. It begins at the start of the page, and
// ends when the page is full or the set ends.
func (s *search) zset(ctx context.Context, rdb redis.UniversalClient, key string, k *shardKeys) error {
	from, to := s.min.num, s.max.num
	if s.after != nil && s.q.Desc {
		to = min(to, s.after.num)
	} else if s.after != nil {
		from = max(from, s.after.num)
	}
	by := redis.ZRangeArgs{
		Key: key, Start: bound(from), Stop: bound(to), ByScore: true, Rev: s.q.Desc, Count: scanPage,
	}
	if s.q.Desc {
		by.Start, by.Stop = by.Stop, by.Start
	}
	for ; ; by.Offset += scanPage {
		list, err := rdb.ZRangeArgsWithScores(ctx, by).Result()
		if err != nil {
			return err
		}
		for _, z := range list {
			member, _ := z.Member.(string)
			s.offer(hit{position: position{z.Score, member}, shard: k})
		}
		if len(list) < scanPage || s.full(list[len(list)-1].Score) {
			return nil
		}
	}
}

// full reports whether the page is full and cannot get a member beyond the score `num`.
func (s *search) full(num float64) bool {
	if len(s.hits) <= s.q.Limit {
		return false
	}
	last := s.hits[len(s.hits)-1].num
	return s.q.Desc && num < last || !s.q.Desc && num > last
}

func bound(f float64) string {
	switch {
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsInf(f, 1):
		return "+inf"
	}
	return formatScore(f)
}
