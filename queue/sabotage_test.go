package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// errInjected is the error with which a saboteur ends a script.
const errInjected = "injected fault"

// reading lists the commands of scripts that change nothing. Any other is a write.
const reading = "GET HGET HMGET HGETALL HEXISTS HLEN HSCAN EXISTS PTTL LRANGE LINDEX " +
	"TIME ZCARD ZCOUNT ZRANGE ZRANGEBYSCORE ZSCORE"

// saboteur is a fault that ends one script, each time it runs, before its write with the number `after`,
// counted from 0. The fault also ends any script that reads after a write.
type saboteur struct {
	script *script
	after  int
	fired  atomic.Bool
}

// sabotage returns the same world through a client whose script dies.
func (w *world) sabotage(s *saboteur) *world {
	own := *w
	own.rdb = w.dial(redis.UniversalOptions{MaxRetries: -1})
	own.rdb.AddHook(s)
	return &own
}

// source returns the source of the script, with a redis.call that dies.
func (s *saboteur) source() string {
	return fmt.Sprintf(`
local real, left, wrote, reads = redis, %d, false, {}
for name in string.gmatch(%q, "%%S+") do reads[name] = true end
local redis = {call = function(command, ...)
  if reads[command] then
    if wrote then error("read behind a write: " .. command) end
    return real.call(command, ...)
  end
  wrote = true
  left = left - 1
  if left < 0 then error(%q) end
  return real.call(command, ...)
end}
`, s.after, reading, errInjected) + s.script.src
}

func (s *saboteur) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (s *saboteur) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook sends the other source in place of the script.
func (s *saboteur) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			args := cmd.Args()
			if len(args) > 1 && (args[1] == s.script.sha || args[1] == s.script.src) {
				args[0], args[1] = "eval", s.source()
			}
		}
		err := next(ctx, cmds)
		for _, cmd := range cmds {
			if cmd.Err() != nil && strings.Contains(cmd.Err().Error(), errInjected) {
				s.fired.Store(true)
			}
		}
		return err
	}
}

// holding holds the payloads of a world by place, named "key/payload".
type holding struct{ waiting, busy, dead map[string]bool }

// all returns the payloads that a world has not lost.
func (h holding) all() map[string]bool {
	out := make(map[string]bool)
	for _, part := range []map[string]bool{h.waiting, h.busy, h.dead} {
		for p := range part {
			out[p] = true
		}
	}
	return out
}

// holding reads every payload below the prefix. An entry of a zset without a body or an entry of
// the morgue does not count.
func (w *world) holding() holding {
	w.t.Helper()
	ctx := w.t.Context()
	h := holding{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, base := range w.shards() {
		for key, body := range w.rdb.HGetAll(ctx, base+"jobs").Val() {
			if body = strings.TrimPrefix(body, "!"); body == "*" {
				for _, p := range w.rdb.ZRange(ctx, base+"p:"+key, 0, -1).Val() {
					h.waiting[key+"/"+p] = true
				}
			} else if it, _, err := decodeItem(body); err == nil {
				h.waiting[key+"/"+it.payload] = true
			}
		}
		for key, text := range w.rdb.HGetAll(ctx, base+"busy").Val() {
			rec, err := decodeRecord(text)
			if err != nil {
				w.t.Error(err)
			}
			for _, it := range rec.items {
				h.busy[key+"/"+it.payload] = true
			}
		}
		for _, key := range w.rdb.ZRange(ctx, base+"morgue", 0, -1).Val() {
			for _, p := range w.rdb.ZRange(ctx, base+"m:"+key, 0, -1).Val() {
				h.dead[key+"/"+p] = true
			}
		}
	}
	return h
}

// shards returns the prefixes of the keys of all shards.
func (w *world) shards() []string {
	seen, list := make(map[string]bool), []string(nil)
	for _, key := range w.everyKey(":{*") {
		if base := key[:strings.Index(key, "}:")+2]; !seen[base] {
			seen[base] = true
			list = append(list, base)
		}
	}
	return list
}

// image returns everything that a world has in Redis as text, except for the records of failed
// scripts.
func (w *world) image() map[string]string {
	w.t.Helper()
	ctx, out := w.t.Context(), make(map[string]string)
	for _, key := range w.everyKey(":*") {
		if strings.Contains(key, ":faults:") {
			continue
		}
		var value any
		switch w.rdb.Type(ctx, key).Val() {
		case "string":
			value = w.rdb.Get(ctx, key).Val()
		case "hash":
			value = w.rdb.HGetAll(ctx, key).Val()
		case "list":
			value = w.rdb.LRange(ctx, key, 0, -1).Val()
		case "set":
			value = w.rdb.SMembers(ctx, key).Val()
		case "zset":
			value = w.rdb.ZRangeWithScores(ctx, key, 0, -1).Val()
		}
		out[key] = fmt.Sprint(value)
	}
	return out
}

// strandedKeys lists the stranded keys of a queue.
func strandedKeys(ctx context.Context, a *Admin, queue string) (keys []string, err error) {
	for k, fault := range a.Stranded(ctx, queue) {
		err = errors.Join(err, fault)
		keys = append(keys, k.Key)
	}
	return keys, err
}
